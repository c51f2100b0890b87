"""The doctor: what is wrong, what to do, and what was left out."""

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
    place = server.environment
    accepted = credentials_of(place)
    values = {name: str(getattr(place, name)) for name in FIELDS}
    names = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
    values |= {name: str(getattr(accepted, name)) for name in names}
    for name, value in {**values, **changed}.items():
        patch.setenv(f"SUBSCRIBEKIT_LOCAL_{name.upper()}", value)


def found(done: Done) -> dict[tuple[str, str], dict[str, object]]:
    each = [json.loads(line) for line in done.lines]
    return {(line["group"], line["check"]): line for line in each}


def test_the_sandbox(shell: Shell, platform: Platform) -> None:
    done = shell("doctor", "--json")
    assert done.code == 0
    seen = found(done)
    assert seen["billing", "read"]["good"] is True
    assert seen["gateway", "read"]["good"] is True
    assert seen["user_mgmt", "read"]["good"] is True
    assert seen["storefront", "read"]["good"] is None
    assert seen["billing", "DNS and TLS"]["told"] == "not needed, because the sandbox runs in this process"
    assert seen["billing", "HTTP backend"]["told"] == "sandbox"
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


def test_a_narrow_terminal_shows_what_to_do(shell: Shell) -> None:
    narrow = shell("doctor", tty=True, columns=50, environment="local")
    assert narrow.code == 2
    assert any(line.startswith("  set at least one of") for line in narrow.lines), narrow.out


def test_nothing_is_configured(shell: Shell) -> None:
    done = shell("doctor", environment=None)
    assert done.code == 2
    assert "SUBSCRIBEKIT_ENVIRONMENT" in done.out
    empty = shell("doctor", environment="local")
    assert empty.code == 2
    assert "set at least one of SUBSCRIBEKIT_LOCAL_BASE_URL" in empty.out
    assert shell("doctor", "--environment", "not a name").code == 2


def test_a_server_on_this_machine(shell: Shell, server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, server)
    done = shell("doctor", "--json", environment="local")
    assert done.code == 0
    seen = found(done)
    assert seen["billing", "DNS"]["told"] == "127.0.0.1"
    assert seen["billing", "TLS"]["good"] is None
    assert seen["billing", "clock"]["good"] is True
    assert seen["billing", "credential"]["told"] == "SUBSCRIBEKIT_LOCAL_API_USER and SUBSCRIBEKIT_LOCAL_API_KEY set"
    for secret in ("sandbox-merchant", "sandbox-key", "sandbox-session", "sandbox-token"):
        assert secret not in done.out


def test_tls_with_an_authority_of_ones_own(
    shell: Shell, secure: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, secure)
    unknown = shell("doctor", "--json", environment="local")
    assert unknown.code == 3
    refused = found(unknown)["billing", "TLS"]
    assert "certificate" in str(refused["told"])
    assert "--ca-file" in str(refused["remedy"])
    assert found(unknown)["billing", "read"]["good"] is None
    trusted = shell("doctor", "--json", "--ca-file", str(secure.authority), environment="local")
    assert trusted.code == 0
    assert str(found(trusted)["billing", "TLS"]["told"]).startswith("TLSv1.3, certificate expires in ")
    backend = f"httpx {httpx.__version__}, own connections, trust"
    assert found(trusted)["billing", "HTTP backend"]["told"] == f"{backend} {secure.authority}"
    assert found(unknown)["billing", "HTTP backend"]["told"] == f"{backend} certifi"


@pytest.mark.parametrize(
    ("changed", "place", "said", "code"),
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
def test_what_is_wrong_is_said_with_what_to_do(
    shell: Shell,
    server: SandboxServer,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str],
    place: tuple[str, str],
    said: str,
    code: int,
) -> None:
    configure(monkeypatch, server, **changed)
    done = shell("doctor", "--json", environment="local")
    assert done.code == code
    seen = found(done)[place]
    assert seen["good"] is False
    assert said in str(seen["told"])
    assert seen["remedy"]
    assert all(value not in done.out for name, value in changed.items() if "url" not in name and value)


def test_a_clock_that_is_wrong(shell: Shell, server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fast(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # one time zone is enough
            return datetime.now(UTC) + timedelta(minutes=7)

    configure(monkeypatch, server)
    monkeypatch.setattr(checks, "datetime", Fast)
    done = shell("doctor", environment="local")
    assert done.code == 2
    assert "420 s ahead of the service's clock" in done.out or "419 s ahead" in done.out or "421 s ahead" in done.out
    assert "4 of " in done.err or "3 of " in done.err


def test_a_name_that_cannot_be_looked_up() -> None:
    address = checks.parse_address("base_url", "https://" + "a" * 70 + ".example.com")
    with pytest.raises(probe.ProbeError):
        probe.resolve(address)
