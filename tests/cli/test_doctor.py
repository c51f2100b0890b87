"""The command `doctor` reports problems, their fixes, and the checks that it skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from cli.kit import Done, Shell
from subscribekit.cli.checkup import checks, probe
from subscribekit.sandbox.http.auth import credentials_of
from subscribekit.sandbox.platform import Platform
from subscribekit.sandbox.server import SandboxServer

FIELDS = ("base_url", "gateway_url", "user_mgmt_url", "storefront_url")


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer(plain=True) as served:
        yield served


@pytest.fixture(scope="module")
def secure() -> Iterator[SandboxServer]:
    with SandboxServer() as served:
        yield served


def configure(patch: pytest.MonkeyPatch, server: SandboxServer, **changed: str) -> None:
    """Set the variables of the environment `local`."""
    environment = server.environment
    accepted = credentials_of(environment)
    values = {name: str(getattr(environment, name)) for name in FIELDS}
    names = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
    values |= {name: str(getattr(accepted, name)) for name in names}
    for name, value in {**values, **changed}.items():
        patch.setenv(f"SUBSCRIBEKIT_LOCAL_{name.upper()}", value)


def results_of(done: Done) -> dict[tuple[str, str], dict[str, object]]:
    each = [json.loads(line) for line in done.lines]
    return {(line["group"], line["check"]): line for line in each}


def test_every_check_of_the_sandbox_passes_or_is_skipped(shell: Shell, platform: Platform) -> None:
    done = shell("doctor", "--json")
    assert done.code == 0
    seen = results_of(done)
    assert seen["billing", "read"]["good"] is True
    assert seen["gateway", "read"]["good"] is True
    assert seen["user_mgmt", "read"]["good"] is True
    assert seen["storefront", "read"]["good"] is None
    assert seen["billing", "DNS and TLS"]["result"] == "not needed, because the sandbox runs in this process"
    assert seen["billing", "HTTP backend"]["result"] == "sandbox"
    assert {request.method for request in platform.requests} == {"GET"}


def test_a_table_for_people_and_lines_for_narrow_terminals(shell: Shell) -> None:
    wide = shell("doctor", tty=True)
    assert "✓" in wide.out
    assert "All checks passed." in wide.err
    narrow = shell("doctor", tty=True, columns=50, encoding="ascii")
    assert "ok billing read" in narrow.out
    assert narrow.out.isascii()
    assert max(map(len, narrow.lines)) <= 50
    piped = shell("doctor")
    assert piped.lines[0].split("\t")[:3] == ["✓", "environment", "configuration"]


def test_a_narrow_terminal_shows_the_fix(shell: Shell) -> None:
    narrow = shell("doctor", tty=True, columns=50, environment="local")
    assert narrow.code == 2
    assert any(line.startswith("  set at least one of") for line in narrow.lines), narrow.out


def test_a_missing_configuration_is_reported(shell: Shell) -> None:
    done = shell("doctor", environment=None)
    assert done.code == 2
    assert "SUBSCRIBEKIT_ENVIRONMENT" in done.out
    empty = shell("doctor", environment="local")
    assert empty.code == 2
    assert "set at least one of SUBSCRIBEKIT_LOCAL_BASE_URL" in empty.out
    assert shell("doctor", "--environment", "not a name").code == 2


def test_a_local_server_is_checked(shell: Shell, server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, server)
    done = shell("doctor", "--json", environment="local")
    assert done.code == 0
    seen = results_of(done)
    assert seen["billing", "DNS"]["result"] == "127.0.0.1"
    assert seen["billing", "TLS"]["good"] is None
    assert seen["billing", "clock"]["good"] is True
    assert seen["billing", "credential"]["result"] == "SUBSCRIBEKIT_LOCAL_API_USER and SUBSCRIBEKIT_LOCAL_API_KEY set"
    for secret in ("sandbox-merchant", "sandbox-key", "sandbox-session", "sandbox-token"):
        assert secret not in done.out


def test_a_private_ca_is_trusted_only_with_a_ca_file(
    shell: Shell, secure: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, secure)
    unknown = shell("doctor", "--json", environment="local")
    assert unknown.code == 3
    refused = results_of(unknown)["billing", "TLS"]
    assert "certificate" in str(refused["result"])
    assert "--ca-file" in str(refused["remedy"])
    assert results_of(unknown)["billing", "read"]["good"] is None
    trusted = shell("doctor", "--json", "--ca-file", str(secure.authority), environment="local")
    assert trusted.code == 0
    assert str(results_of(trusted)["billing", "TLS"]["result"]).startswith("TLSv1.3, certificate expires in ")
    backend = f"httpx {httpx.__version__}, own connections, trust"
    assert results_of(trusted)["billing", "HTTP backend"]["result"] == f"{backend} {secure.authority}"
    assert results_of(unknown)["billing", "HTTP backend"]["result"] == f"{backend} certifi"


@pytest.mark.parametrize(
    ("changed", "place", "message", "code"),
    [
        ({"api_key": "wrong"}, ("billing", "read"), "403", 1),
        ({"api_key": "'sandbox-key'"}, ("billing", "credential"), "has the wrong format", 2),
        ({"access_token": "Bearer x"}, ("storefront", "credential"), "invalid", 2),
        ({"gateway_api_key": ""}, ("gateway", "credential"), "none", 2),
        ({"session_id": ""}, ("user_mgmt", "credential"), "missing", 2),
        ({"gateway_url": ""}, ("gateway", "address"), "the address isn't", 2),
        ({"base_url": "http://billing.example.com"}, ("billing", "address"), "invalid", 2),
        ({"base_url": "https://127.0.0.1:9"}, ("billing", "TLS"), "refused", 3),
        ({"base_url": "https://billing.example.invalid"}, ("billing", "DNS"), "billing.example.invalid", 3),
    ],
)
def test_a_problem_is_reported_with_its_fix(
    shell: Shell,
    server: SandboxServer,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str],
    place: tuple[str, str],
    message: str,
    code: int,
) -> None:
    configure(monkeypatch, server, **changed)
    done = shell("doctor", "--json", environment="local")
    assert done.code == code
    seen = results_of(done)[place]
    assert seen["good"] is False
    assert message in str(seen["result"])
    assert seen["remedy"]
    assert all(value not in done.out for name, value in changed.items() if "url" not in name and value)


def test_a_wrong_clock_is_reported(shell: Shell, server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fast(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # the tests need only UTC
            return datetime.now(UTC) + timedelta(minutes=7)

    configure(monkeypatch, server)
    monkeypatch.setattr(checks, "datetime", Fast)
    done = shell("doctor", environment="local")
    assert done.code == 2
    assert "420 s ahead of the service's clock" in done.out or "419 s ahead" in done.out or "421 s ahead" in done.out
    assert "4 of " in done.err or "3 of " in done.err


def test_a_host_name_that_is_invalid_in_dns_fails_the_check() -> None:
    address = checks.parse_address("base_url", "https://" + "a" * 70 + ".example.com")
    with pytest.raises(probe.ProbeError):
        probe.resolve(address)
