"""Tests that a client with a sandbox's environment reaches this sandbox and no other sandbox (H182)."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from typing import Any

import httpx
import pytest

from subscribekit import (
    AsyncBillingClient,
    AsyncGatewayClient,
    AsyncStorefrontClient,
    AsyncUserMgmtClient,
    BillingClient,
    GatewayClient,
    StorefrontClient,
    UserMgmtClient,
)
from subscribekit.errors import ConfigurationError, OutcomeUnknownError
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox, default_sandbox
from subscribekit.sandbox.faults import drop_after_commit

pytest_plugins = ["pytester"]


def test_the_environment_of_a_sandbox_leads_to_it() -> None:
    sandbox, process = Sandbox(), default_sandbox()
    before = len(process.requests)
    sandbox.faults.add("POST /accounts", drop_after_commit())
    with BillingClient(environment=sandbox.environment) as billing, pytest.raises(OutcomeUnknownError):
        billing.accounts.create(Account(id="ann"))

    async def story() -> None:
        async with AsyncBillingClient(environment=sandbox.environment) as client:
            assert (await client.accounts.retrieve("ann")).id == "ann"

    asyncio.run(story())
    for kind in (GatewayClient, UserMgmtClient, StorefrontClient):
        kind(environment=sandbox.environment).close()
    assert len(sandbox.requests) == 2
    assert len(process.requests) == before
    assert sandbox.environment == process.environment  # equal, although it's another object


def test_the_environment_of_the_process_wide_sandbox_leads_to_it() -> None:
    before = len(default_sandbox().requests)
    for environment in (default_sandbox().environment, "sandbox"):
        with BillingClient(environment=environment) as billing:
            billing.accounts.retrieve("acct-0001")
    assert len(default_sandbox().requests) == before + 2


def test_an_environment_of_no_sandbox_is_refused() -> None:
    sandbox = Sandbox()
    copied = replace(sandbox.environment, api_key="wrong")
    left = Sandbox().environment
    gc.collect()
    for environment in (copied, left):
        for client in (BillingClient, AsyncBillingClient):
            with pytest.raises(ConfigurationError, match=r"transport=sandbox\.transport"):
                client(environment=environment)
    with BillingClient(environment=copied, transport=sandbox.transport) as billing:
        with pytest.raises(Exception, match="403"):
            billing.accounts.retrieve("acct-0001")
        assert len(sandbox.requests) == 1


def test_a_sandbox_instead_of_its_environment_is_rejected() -> None:
    given: Any = Sandbox()
    for client in (BillingClient, AsyncBillingClient):
        with pytest.raises(ConfigurationError, match=r"pass environment=sandbox\.environment"):
            client(environment=given)


CLIENTS = [
    BillingClient, AsyncBillingClient, GatewayClient, AsyncGatewayClient, UserMgmtClient, AsyncUserMgmtClient,
    StorefrontClient, AsyncStorefrontClient,
]  # fmt: skip


@pytest.mark.parametrize("kind", CLIENTS)
def test_a_transport_of_a_sandbox_names_no_environment(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync or async transport isn't needed, because the environment determines it."""
    monkeypatch.delenv("SUBSCRIBEKIT_ENVIRONMENT", raising=False)
    sandbox = Sandbox()
    for given in (sandbox.transport, sandbox.async_transport):
        with pytest.raises(ConfigurationError) as caught:
            kind(transport=given)
        assert str(caught.value) == ("environment is missing; pass environment=sandbox.environment and omit transport=")
    with pytest.raises(ConfigurationError, match="there's no default"):
        kind(transport=httpx.MockTransport(lambda _: httpx.Response(200)))


@pytest.mark.parametrize("kind", CLIENTS)
def test_the_error_about_a_wrong_transport_suggests_the_environment(kind: Any) -> None:
    sandbox = Sandbox()
    wrong = sandbox.transport if kind.__name__.startswith("Async") else sandbox.async_transport
    for environment in (sandbox.environment, "sandbox"):
        with pytest.raises(ConfigurationError) as caught:
            kind(environment=environment, transport=wrong)
        assert str(caught.value).endswith("pass environment=sandbox.environment without a transport")
    with pytest.raises(ConfigurationError, match="transport must be") as caught:
        kind(environment="sandbox", transport=object())
    assert "sandbox.environment" not in str(caught.value)


def test_the_sandbox_of_a_test_is_the_named_one(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from subscribekit import BillingClient
        from subscribekit.errors import NotFoundError, OutcomeUnknownError
        from subscribekit.models import Account
        from subscribekit.sandbox import default_sandbox
        from subscribekit.sandbox.faults import drop_after_commit

        @pytest.mark.parametrize("turn", [1, 2])
        def test_it(sandbox, turn):
            sandbox.faults.add("accounts.create", drop_after_commit())
            with BillingClient(environment="sandbox") as billing:
                with pytest.raises(OutcomeUnknownError):
                    billing.accounts.create(Account(id="ann-of-one-test"))
            assert len(sandbox.requests) == len(default_sandbox().requests) == 1

        def test_another_without_it():
            with BillingClient(environment="sandbox") as billing:
                with pytest.raises(NotFoundError):
                    billing.accounts.retrieve("ann-of-one-test")
        """
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "-q").assert_outcomes(passed=3)
