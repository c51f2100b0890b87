"""The result of `send_once` for items with a recorded outcome, and the results that can be recorded (H210)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from subscribekit import RetryPolicy
from subscribekit.bulk import AsyncRun, Run
from subscribekit.errors import BulkError, InvalidArgumentError, OutcomeUnknownError
from subscribekit.models import Account, EntitlementCharge, EntitlementChargeReceipt
from subscribekit.models.subscription_changes import change_plan
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit

Use = Callable[[], Any]
ONCE = RetryPolicy(max_attempts=1)
CHARGE = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")
RECEIPT = EntitlementChargeReceipt(transaction_reference_id="ptx-0000000001")


class Lost:
    """An item whose response was lost, in a sync or async run."""

    def __init__(self, style: str, path: Path, client: str, prepare: Callable[[Any], Any], match: str) -> None:
        self.style, self.path, self.prepare, self.match, self.client = style, path, prepare, match, client

    def record(self, state: str, **arguments: Any) -> Any:
        """Lose the response, record the outcome, and return the result of `send_once`."""
        sandbox = Sandbox()
        sandbox.faults.add(self.match, drop_after_commit())
        if self.style == "async":
            return asyncio.run(self._tell_async(sandbox, state, arguments))
        client = getattr(sandbox, self.client)().with_options(retry=ONCE)
        with Run(self.path, client) as run:
            with pytest.raises(OutcomeUnknownError):
                run.send_once("order-1", self.prepare(client))
            (item,) = run.items("unknown")
            item.record_outcome(state, **arguments)
            assert (item.error, item.result) == (None, arguments.get("result"))
        with Run(self.path, client) as run:
            return run.send_once("order-1", self.prepare(client))

    async def _tell_async(self, sandbox: Sandbox, state: str, arguments: Any) -> Any:
        client = getattr(sandbox, f"async_{self.client}")().with_options(retry=ONCE)
        async with AsyncRun(self.path, client) as run:
            with pytest.raises(OutcomeUnknownError):
                await run.send_once("order-1", self.prepare(client))
            (item,) = [each async for each in run.items("unknown")]
            await item.record_outcome(state, **arguments)
            assert (item.error, item.result) == (None, arguments.get("result"))
        async with AsyncRun(self.path, client) as run:
            return await run.send_once("order-1", self.prepare(client))


@pytest.fixture(params=["blocking", "async"])
def lost(request: pytest.FixtureRequest, tmp_path: Path) -> Lost:
    def prepare(client: Any) -> Any:
        return client.prepare.entitlements.charge("psub-entitlement-0001", CHARGE)

    return Lost(request.param, tmp_path / "ledger.db", "gateway", prepare, "entitlements.charge")


def test_send_once_returns_a_recorded_result(lost: Lost) -> None:
    assert lost.record("applied", note="ticket 88", result=RECEIPT) == RECEIPT


def test_a_done_item_without_a_known_result_raises_an_error(lost: Lost) -> None:
    with pytest.raises(
        BulkError, match=r"is done \(recorded as applied: ticket 88\), and its result is not known"
    ) as caught:
        lost.record("applied", note="ticket 88")
    assert caught.value.outcome == "unknown"  # the charge was made


def test_an_item_recorded_as_rejected_is_no_longer_unknown(lost: Lost) -> None:
    with pytest.raises(BulkError, match="'order-1' was recorded as rejected; its note: ticket 88") as caught:
        lost.record("rejected", note="ticket 88")
    assert caught.value.outcome == "rejected"


def test_an_item_recorded_as_not_applied_is_sent_again(lost: Lost) -> None:
    assert lost.record("not_applied").transaction_reference_id == "ptx-0000000002"


@pytest.mark.parametrize(
    ("state", "result"), [("applied", Account(id="a")), ("applied", "ptx-1"), ("rejected", RECEIPT)]
)
def test_a_recorded_result_must_have_the_type_of_the_call(lost: Lost, state: str, result: object) -> None:
    with pytest.raises(
        InvalidArgumentError,
        match=r"result is allowed only with state='applied', and must be a result of entitlements\.charge",
    ):
        lost.record(state, result=result)


def test_an_unknown_dry_run_is_sent_again(tmp_path: Path) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("subscriptions.update", drop_after_commit())
    with sandbox.billing() as client, Run(tmp_path / "ledger.db", client) as run:
        change = change_plan("sub-basic-0001", "plan-annual")
        run.add([("a", client.prepare.subscriptions.update("sub-basic-0001", change, dryrun=True))])
        assert [item.state for item in run.send()] == ["unknown"]
        assert run.resolve().not_applied == 1
        assert [item.state for item in run.send()] == ["done"]


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_call_without_a_result_returns_none(style: str, tmp_path: Path) -> None:
    def prepare(client: Any) -> Any:
        return client.prepare.accounts.revoke_entitlement("acct-0001", "ent-basic")

    lost = Lost(style, tmp_path / "ledger.db", "billing", prepare, "accounts.revoke_entitlement")
    assert lost.record("applied") is None


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_an_item_whose_result_was_purged_is_not_called_unsent(style: str, tmp_path: Path) -> None:
    """After `not_sent`, a caller might send the charge again under another key."""
    sandbox = Sandbox()

    async def story() -> None:
        client = sandbox.async_gateway()
        async with AsyncRun(tmp_path / "ledger.db", client) as run:
            request = client.prepare.entitlements.charge("psub-entitlement-0001", CHARGE)
            await run.send_once("order-1", request)
            assert await run.purge_data() == 1
            await run.send_once("order-1", request)

    def recorded() -> None:
        with sandbox.gateway() as client, Run(tmp_path / "ledger.db", client) as run:
            request = client.prepare.entitlements.charge("psub-entitlement-0001", CHARGE)
            run.send_once("order-1", request)
            assert run.purge_data() == 1
            run.send_once("order-1", request)

    with pytest.raises(BulkError, match=r"is done, and purge_data\(\) removed its result") as caught:
        asyncio.run(story()) if style == "async" else recorded()
    assert caught.value.outcome == "unknown"
    assert len(sandbox.entitlement_charges) == 1
