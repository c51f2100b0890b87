"""`SUBSCRIBEKIT_<NAME>_CA_FILE`: an environment's own CA certificates, which apply only to its own base URLs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from subscribekit import AsyncBillingClient, BillingClient, Environment
from subscribekit.errors import ConfigurationError, ConnectionFailedError
from subscribekit.sandbox.server import SandboxServer


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer() as opened:
        yield opened


def set_variables(server: SandboxServer, monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    known = {"BASE_URL": server.addresses["billing"], "API_USER": "sandbox-merchant", "API_KEY": "sandbox-key", **more}
    for name, value in known.items():
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name}", value)


def test_the_variable_is_enough(server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(server, monkeypatch, CA_FILE=str(server.authority))
    with BillingClient(environment="staging") as billing:
        assert billing.accounts.list().total_count() == 25


async def _count(environment: Environment) -> int | None:
    async with AsyncBillingClient(environment=environment) as billing:
        return await billing.accounts.list().total_count()


def test_an_environment_can_have_a_ca_file(server: SandboxServer) -> None:
    own = Environment(
        name="own",
        base_url=server.addresses["billing"],
        api_user="sandbox-merchant",
        api_key="sandbox-key",
        ca_file=str(server.authority),
    )
    assert asyncio.run(_count(own)) == 25


def test_without_a_ca_file_a_client_trusts_only_public_cas(
    server: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(server, monkeypatch)
    with BillingClient(environment="staging") as billing, pytest.raises(ConnectionFailedError) as caught:
        billing.accounts.retrieve("acct-0001")
    assert caught.value.outcome == "not_sent"


def test_a_ca_file_does_not_apply_to_another_base_url(server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise, a client with another base URL would trust the environment's CA there."""
    set_variables(server, monkeypatch, CA_FILE=str(server.authority), BASE_URL="https://billing.example")
    with (
        BillingClient(
            environment="staging", base_url=server.addresses["billing"], api_user="u", api_key="k"
        ) as billing,
        pytest.raises(ConnectionFailedError),
    ):
        billing.accounts.retrieve("acct-0001")


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_a_missing_or_invalid_ca_file_is_refused(
    server: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "authority.pem"
    if content is not None:
        file.write_bytes(content)
    set_variables(server, monkeypatch, CA_FILE=str(file))
    with pytest.raises(ConfigurationError, match=r"_CA_FILE\) can't be read"):
        BillingClient(environment="staging")
