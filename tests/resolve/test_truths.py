"""Verdicts for writes in flight, of another caller, that were made twice, or whose effect a read doesn't show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from kit.calls import Run
from looped import looped
from subscribekit import Verdict
from subscribekit.models import Account, Campaign, Credit, CurrencyAmount, Entitlement, Payment, PaymentMethod, Refund
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit, drop_before_commit

from .kit import connected, unknown
from .writes import WRITES, Write

ANN = Account(id="a-own", name="Ann Example", email="ann@example.com", metadata={"tier": "gold"})
REFUND = Refund(amount=Decimal("1.50"))


def acting_while_one_waits(sandbox: Sandbox, act: Callable[[Any], object] | None) -> list[Any]:
    """Return a list. A client in this list acts in the next wait of a client that is created after this call."""
    somebody: list[Any] = []
    sleep = sandbox._clock.sleep

    def acting(seconds: float) -> None:
        sleep(seconds)
        if somebody and act is not None:
            act(somebody.pop())

    sandbox._clock.sleep = acting  # type: ignore[method-assign]  # the sandbox has no hook for waits
    return somebody


def tell(
    run: Run,
    use: Callable[[Any], Any],
    *,
    arrived: bool,
    before: Callable[[Any], object] | None = None,
    after: Callable[[Any], object] | None = None,
    later: Callable[[Any], object] | None = None,
    sandbox: Sandbox | None = None,
    **options: Any,
) -> Verdict:
    """Return the verdict for a billing call. Another caller acts `before` and `after` it, and `later` during a wait."""
    sandbox = Sandbox() if sandbox is None else sandbox
    waiting = acting_while_one_waits(sandbox, later)
    other = sandbox.billing()
    if before is not None:
        before(other)
        sandbox.advance(hours=1)

    async def story() -> Verdict:
        client = connected(sandbox, run, "billing")
        error = await unknown(sandbox, run, client, use, drop_after_commit() if arrived else drop_before_commit())
        if after is not None:
            after(other)
        waiting.append(other)
        found: Verdict = await run.now(client.resolve(error, **options))
        await run.close(client)
        return found

    return asyncio.run(story())


LANDS = [write for write in WRITES if write.group == "billing" and write.done != "undecided"]


@pytest.mark.hazard("H131")
@looped("write", LANDS)
def test_a_request_that_arrives_while_resolve_waits_is_detected(write: Write, run: Run) -> None:
    found = tell(run, write.use, arrived=False, later=write.use, before=write.before)
    assert found.state == write.done, found


def test_a_read_may_show_the_old_state_first(run: Run) -> None:
    """Eventual consistency: the first read shows the old state, and the second read the new one."""
    found = tell(run, lambda c: c.accounts.create(ANN), arrived=False, later=lambda c: c.accounts.create(ANN))
    assert found.state == "applied"
    assert isinstance(found.result, Account)
    assert found.result.name == "Ann Example"


@pytest.mark.hazard("H133")
def test_an_id_that_another_caller_used_is_no_evidence(run: Run) -> None:
    other = Account(id="a-own", name="Somebody Else")
    found = tell(run, lambda c: c.accounts.create(ANN), arrived=False, after=lambda c: c.accounts.create(other))
    assert found.state == "undecided"
    assert "other values (name)" in found.evidence
    assert "Somebody" not in found.evidence


def test_an_identical_older_resource_is_in_effect_and_never_applied(run: Run) -> None:
    found = tell(run, lambda c: c.accounts.create(ANN), arrived=False, before=lambda c: c.accounts.create(ANN))
    assert found.state == "in_effect"
    older = Account(id="a-own", name="An older one")
    found = tell(run, lambda c: c.accounts.create(ANN), arrived=False, before=lambda c: c.accounts.create(older))
    assert found.state == "undecided"


@pytest.mark.hazard("H133")
def test_a_refund_without_an_id_is_identified_by_amount_and_time(run: Run) -> None:
    def refund(client: Any) -> Any:
        return client.refunds.create("SBX00000001", REFUND)

    def another(client: Any) -> Any:
        return client.refunds.create("SBX00000001", Refund(amount=Decimal("1.40")))

    assert tell(run, refund, arrived=True).state == "in_effect"
    assert tell(run, refund, arrived=True, before=refund).state == "in_effect"
    assert tell(run, refund, arrived=False, before=refund).state == "undecided"
    assert tell(run, refund, arrived=True, after=another).state == "in_effect"
    assert tell(run, refund, arrived=False, after=another).state == "undecided"
    twice = tell(run, refund, arrived=True, after=refund)
    assert (twice.state, "2 candidates" in twice.evidence) == ("undecided", True)
    # Without the whole wait, another refund may still arrive.
    assert tell(run, refund, arrived=True, wait=False).state == "undecided"
    assert tell(run, refund, arrived=True, later=refund).state == "undecided"
    assert tell(run, refund, arrived=False).safe_to_retry is False


def test_a_credit_is_identified_by_amount_and_time(run: Run) -> None:
    def grant(client: Any, amount: str = "4.90") -> Any:
        credit = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal(amount))])
        return client.accounts.grant_credit("acct-0009", credit)

    assert tell(run, grant, arrived=True, before=grant).state == "in_effect"
    assert tell(run, grant, arrived=False, before=grant).state == "undecided"
    assert tell(run, grant, arrived=True, after=grant).state == "undecided"
    assert tell(run, grant, arrived=False, after=lambda c: grant(c, "5")).state == "undecided"
    assert tell(run, lambda c: grant(c, "4.9"), arrived=True).state == "in_effect"


def test_an_update_that_another_caller_changed_later_is_undecided(run: Run) -> None:
    """The update was carried out, and then another caller changed one of its values."""

    def update(client: Any) -> Any:
        return client.accounts.update("acct-0001", Account(name="Ours", company="Ours Ltd"))

    theirs = tell(run, update, arrived=True, after=lambda c: c.accounts.update("acct-0001", Account(name="Theirs")))
    assert theirs.state == "undecided"


@pytest.mark.hazard("H136")
def test_a_value_in_another_spelling_proves_nothing(run: Run) -> None:
    def update(client: Any) -> Any:
        return client.accounts.update("acct-0001", Account(email="Ann@Example.com "))

    lower = tell(
        run, update, arrived=True, after=lambda c: c.accounts.update("acct-0001", Account(email="ann@example.com"))
    )
    assert lower.state == "undecided"


def test_cleared_fields_numbers_and_the_order_of_lists_are_compared(run: Run) -> None:
    def prepare(client: Any) -> Any:
        return client.accounts.update("acct-0001", Account(company="Old Ltd", metadata={"gone": "1", "kept": "2"}))

    def clear(client: Any) -> Any:
        return client.accounts.update("acct-0001", Account(company=None, metadata={"gone": None, "count": 5}))

    assert tell(run, clear, arrived=True, before=prepare).state == "in_effect"
    assert tell(run, clear, arrived=False, before=prepare).state == "not_applied"

    def aliases(*texts: str) -> Callable[[Any], Any]:
        return lambda c: c.campaigns.update("camp-draft", Campaign(promotion_code_aliases=list(texts)))

    assert tell(run, aliases("b", "a"), arrived=True, after=aliases("a", "b")).state == "in_effect"
    # The sent aliases replace the existing ones, so a list with further aliases is no evidence.
    assert tell(run, aliases("a"), arrived=False, before=aliases("a", "b")).state == "undecided"
    assert tell(run, aliases("a"), arrived=False, before=aliases("c")).state == "not_applied"


def test_one_changed_value_of_a_complete_campaign_decides(run: Run) -> None:
    sandbox = Sandbox()
    campaign = sandbox.billing().campaigns.retrieve("camp-flat")
    campaign.name = "Another name"

    def update(client: Any) -> Any:
        return client.campaigns.update("camp-flat", campaign)

    assert tell(run, update, arrived=True, sandbox=sandbox).state == "in_effect"
    campaign.name = "A third name"
    assert tell(run, update, arrived=False, sandbox=sandbox).state == "not_applied"


def test_a_reversed_payment_is_in_effect_and_a_missing_one_is_undecided(run: Run) -> None:
    assert tell(run, lambda c: c.payments.reverse("pay-cash-0001"), arrived=False,
                after=lambda c: c.payments.reverse("pay-cash-0001")).state == "in_effect"  # fmt: skip
    gone = tell(run, lambda c: c.payments.reverse("no-such-one"), arrived=False)
    assert (gone.state, gone.safe_to_retry) == ("undecided", False)
    assert "no source documents this read" in gone.evidence


def test_a_payment_is_applied_only_if_it_did_not_exist_before(run: Run) -> None:
    payment = Payment(
        id="y1", subscription="sub-cash-0006", payment_method=PaymentMethod(id="pm-cash-0001"), amount=Decimal("3.5"),
        currency="USD",
    )  # fmt: skip
    assert tell(run, lambda c: c.payments.create(payment), arrived=True).state == "applied"
    found = tell(run, lambda c: c.payments.create(payment), arrived=False, before=lambda c: c.payments.create(payment))
    assert found.state == "in_effect"


def test_a_cancellation_by_another_caller_counts_only_with_the_same_reason(run: Run) -> None:
    def cancel(reason: str) -> Callable[[Any], Any]:
        return lambda c: c.subscriptions.cancel("sub-basic-0001", reason_code=reason)

    assert tell(run, cancel("106"), arrived=False, after=cancel("106")).state == "in_effect"
    assert tell(run, cancel("106"), arrived=False, after=cancel("107")).state == "undecided"


def test_an_update_with_a_further_effect_is_undecided(run: Run) -> None:
    def replaces(client: Any) -> Any:
        return client.accounts.update("acct-0001", Account(name="New"), replace_on_all_subscriptions=True)

    found = tell(run, replaces, arrived=True)
    assert (found.state, "replace_on_all_subscriptions" in found.evidence) == ("undecided", True)


def test_a_missing_entitlement_of_a_past_period_is_undecided(run: Run) -> None:
    def grant(client: Any) -> Any:
        past = Entitlement(id="vip", starts=datetime(2020, 1, 1, tzinfo=UTC), ends=datetime(2020, 2, 1, tzinfo=UTC))
        return client.accounts.grant_entitlement("acct-0009", past)

    assert tell(run, grant, arrived=True).state in ("in_effect", "undecided")
    assert tell(run, grant, arrived=False).state == "undecided"


def test_the_revocation_of_an_entitlement_that_was_also_bought_is_detected(run: Run) -> None:
    """Revoking ends the grant. The entitlement that the account bought continues, and has the same ID."""

    def grant(client: Any) -> Any:
        return client.accounts.grant_entitlement("acct-0001", Entitlement(id="ent-basic"))

    def revoke(client: Any) -> Any:
        return client.accounts.revoke_entitlement("acct-0001", "ent-basic")

    assert tell(run, revoke, arrived=True, before=grant).state == "in_effect"
    assert tell(run, revoke, arrived=False, before=grant).state == "not_applied"


def test_a_billing_day_that_a_time_zone_could_explain_is_undecided(run: Run) -> None:
    def change(client: Any, day: int = 20) -> Any:
        return client.subscriptions.change_billing_day("sub-basic-0001", to_date=date(2026, 3, day))

    found = tell(run, change, arrived=False, after=lambda c: change(c, 21))
    assert found.state == "undecided"
    assert tell(run, change, arrived=False, after=lambda c: change(c, 25)).state == "not_applied"
    gone = tell(run, change, arrived=True, after=lambda c: c.subscriptions.cancel("sub-basic-0001", disentitle=True))
    assert gone.state == "undecided"


def test_the_verdict_follows_a_restored_snapshot_of_the_sandbox(run: Run) -> None:
    def create(client: Any) -> Any:
        return client.accounts.create(ANN)

    sandbox = Sandbox()
    back = sandbox.snapshot()
    sandbox.advance(days=40)
    gone = tell(run, create, arrived=True, sandbox=sandbox, after=lambda _: sandbox.restore(back))
    assert (gone.state, sandbox.now) == ("not_applied", Sandbox().now)
    assert tell(run, create, arrived=True, after=lambda _: None, later=lambda _: None).state == "applied"
