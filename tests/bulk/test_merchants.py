"""A ledger belongs to one merchant. Both styles refuse another merchant's client before anything is sent.

Hazards: H233.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bulk.kit import KEY, URL, Ledgered, files, jobs
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
from subscribekit.bulk import AsyncRun, Counts, Run
from subscribekit.errors import ConfigurationError, LedgerError

ASYNC: dict[type, type] = {
    BillingClient: AsyncBillingClient,
    GatewayClient: AsyncGatewayClient,
    StorefrontClient: AsyncStorefrontClient,
    UserMgmtClient: AsyncUserMgmtClient,
}
Use = Callable[..., Counts]


def blocking(place: str, kind: type, *, number: int = 0, options: Any = None, **arguments: Any) -> Counts:
    """Open a ledger with a client, add and send a number of charges, and count the items."""
    with kind(base_url=URL, **arguments) as client, Run(place, client, **(options or {})) as run:
        run.add(jobs(client, number))
        list(run.send())
        return run.counts()


def not_blocking(place: str, kind: type, *, number: int = 0, options: Any = None, **arguments: Any) -> Counts:
    async def story() -> Counts:
        client = ASYNC[kind](base_url=URL, **arguments)
        async with client, AsyncRun(place, client, **(options or {})) as run:
            await run.add(jobs(client, number))
            async for _ in run.send():
                pass
            return await run.counts()

    return asyncio.run(story())


@pytest.fixture(params=[blocking, not_blocking])
def use(request: pytest.FixtureRequest) -> Use:
    value: Use = request.param
    return value


def test_another_key_of_the_gateway_is_refused(place: str, use: Use) -> None:
    service = Ledgered()
    use(place, GatewayClient, number=2, api_key=KEY, transport=service)
    with pytest.raises(LedgerError, match=r"another API key.*accept_new_key=True"):
        use(place, GatewayClient, number=3, api_key="another-4713", transport=service)
    assert len(service.arrived) == 2
    assert use(place, GatewayClient, number=3, api_key=KEY, transport=service) == Counts(done=3)


def test_another_api_user_of_billing_is_refused_but_another_api_key_is_not(place: str, use: Use) -> None:
    use(place, BillingClient, api_user="shop", api_key="old")
    use(place, BillingClient, api_user="shop", api_key="new")
    with pytest.raises(LedgerError, match="another API user"):
        use(place, BillingClient, api_user="other", api_key="old")


@pytest.mark.parametrize(("kind", "name"), [(UserMgmtClient, "session_id"), (StorefrontClient, "access_token")])
def test_sessions_and_tokens_may_change(place: str, use: Use, kind: type, name: str) -> None:
    calls: list[str] = []

    def given() -> str:
        calls.append("x")
        return "second"

    use(place, kind, **{name: "first"})
    use(place, kind, **{name: given})
    assert calls == []


def test_a_rotated_key_is_accepted_with_accept_new_key(place: str, use: Use) -> None:
    service = Ledgered()
    use(place, GatewayClient, number=2, api_key=KEY, transport=service)
    again = use(
        place, GatewayClient, number=3, api_key="rotated-4713", transport=service, options={"accept_new_key": True}
    )
    assert again == Counts(done=3)
    assert use(place, GatewayClient, number=3, api_key="rotated-4713", transport=service) == Counts(done=3)
    with pytest.raises(LedgerError, match="another API key"):
        use(place, GatewayClient, api_key=KEY, transport=service)
    assert set(service.effects.values()) == {1}


def test_a_key_callable_is_called_once(place: str, use: Use) -> None:
    calls: list[str] = []

    def given() -> str:
        calls.append("x")
        return KEY

    use(place, GatewayClient, api_key=KEY)
    use(place, GatewayClient, api_key=given)
    assert len(calls) == 1
    with pytest.raises(LedgerError, match="another API key"):
        use(place, GatewayClient, api_key=lambda: "another-4713")


def test_an_async_key_callable_is_called_once_in_the_event_loop(place: str) -> None:
    calls: list[asyncio.AbstractEventLoop] = []

    async def given() -> str:
        calls.append(asyncio.get_running_loop())
        return KEY

    async def story(key: Callable[[], Awaitable[str]]) -> None:
        client = AsyncGatewayClient(base_url=URL, api_key=key)
        async with client, AsyncRun(place, client) as run:
            assert await run.counts() == Counts()
            assert calls == [asyncio.get_running_loop()]

    blocking(place, GatewayClient, api_key=KEY)
    asyncio.run(story(given))


def test_no_ledger_is_opened_if_the_key_callable_fails(place: str, use: Use) -> None:
    def given() -> str:
        raise ZeroDivisionError("the vault is sealed")

    with pytest.raises(ZeroDivisionError, match="sealed"):
        use(place, GatewayClient, api_key=given)
    use(place, GatewayClient, api_key=KEY)


def test_a_client_without_a_key_leaves_the_ledger_to_the_first_key(place: str, use: Use) -> None:
    use(place, GatewayClient)
    use(place, GatewayClient, api_key=KEY)
    use(place, GatewayClient)
    with pytest.raises(LedgerError, match="another API key"):
        use(place, GatewayClient, api_key="another-4713")


def test_a_ledger_of_an_earlier_version_is_bound_when_it_is_opened(place: str, use: Use) -> None:
    with (
        GatewayClient(base_url=URL, api_key=KEY) as client,
        Run(place, client) as run,
        run._open().database.write() as connection,
    ):
        connection.execute(sa.text("UPDATE subscribekit_ledger SET merchant = NULL"))
    use(place, GatewayClient, api_key=KEY)
    with pytest.raises(LedgerError, match="another API key"):
        use(place, GatewayClient, api_key="another-4713")


def test_the_ledger_holds_neither_key_nor_a_digest_that_two_ledgers_share(tmp_path: Path) -> None:
    marks: list[str] = []
    for name in ("a.db", "b.db"):
        path = tmp_path / name
        with GatewayClient(base_url=URL, api_key=KEY) as client, Run(path, client) as run:
            with run._open().database.read() as connection:
                marks.append(connection.execute(sa.text("SELECT merchant FROM subscribekit_ledger")).scalar_one())
            assert all(KEY.encode() not in each.read_bytes() for each in files(path))
    assert len(set(marks)) == 2
    assert len({mark.partition(":")[0] for mark in marks}) == 2


@pytest.mark.parametrize("value", [1, "yes", None])
def test_accept_new_key_is_a_bool(place: str, use: Use, value: object) -> None:
    with pytest.raises(ConfigurationError, match="accept_new_key must be True or False"):
        use(place, GatewayClient, api_key=KEY, options={"accept_new_key": value})
