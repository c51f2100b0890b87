"""`SUBSCRIBEKIT_<NAME>_CA_FILE`: certificates of an environment's own, at its own addresses only."""

from __future__ import annotations

import asyncio
import os
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


def variables(server: SandboxServer, monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    known = {"BASE_URL": server.addresses["billing"], "API_USER": "sandbox-merchant", "API_KEY": "sandbox-key", **more}
    for name, value in known.items():
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name}", value)


def test_the_variable_is_enough(server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    variables(server, monkeypatch, CA_FILE=str(server.authority))
    with BillingClient(environment="staging") as billing:
        assert billing.accounts.list().total_count() == 25


async def _count(environment: Environment) -> int | None:
    async with AsyncBillingClient(environment=environment) as billing:
        return await billing.accounts.list().total_count()


def test_an_environment_may_hold_it(server: SandboxServer) -> None:
    own = Environment(
        name="own",
        base_url=server.addresses["billing"],
        api_user="sandbox-merchant",
        api_key="sandbox-key",
        ca_file=str(server.authority),
    )
    assert asyncio.run(_count(own)) == 25


def test_without_it_the_public_authorities_count(server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    variables(server, monkeypatch)
    with BillingClient(environment="staging") as billing, pytest.raises(ConnectionFailedError) as caught:
        billing.accounts.retrieve("acct-0001")
    assert caught.value.outcome == "not_sent"


def test_it_does_not_count_at_another_address(server: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a redirected client would bring the trust along."""
    variables(server, monkeypatch, CA_FILE=str(server.authority), BASE_URL="https://billing.example")
    with (
        BillingClient(
            environment="staging", base_url=server.addresses["billing"], api_user="u", api_key="k"
        ) as billing,
        pytest.raises(ConnectionFailedError),
    ):
        billing.accounts.retrieve("acct-0001")


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_a_file_that_is_none_is_said(
    server: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "authority.pem"
    if content is not None:
        file.write_bytes(content)
    variables(server, monkeypatch, CA_FILE=str(file))
    with pytest.raises(ConfigurationError, match="CA_FILE"):
        BillingClient(environment="staging")
    assert "SUBSCRIBEKIT_STAGING_CA_FILE" in os.environ
