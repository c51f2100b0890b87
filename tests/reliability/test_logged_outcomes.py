"""Without any logging setup, an unknown outcome is logged as a warning with its reconcile key (H183)."""

from __future__ import annotations

import asyncio
import logging
from decimal import Decimal

import pytest

from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import connection_refused, drop_after_commit

CHARGE = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")


def ends(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    found = [(each.levelname, each.getMessage()) for each in caplog.records if " -> " in each.getMessage()]
    caplog.clear()
    return found


def test_a_charge_with_an_unknown_outcome_is_logged_as_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "subscribekit")
    sandbox = Sandbox()
    sandbox.faults.add("entitlements.charge", drop_after_commit(), times=2)

    with sandbox.gateway() as gateway:
        with pytest.raises(OutcomeUnknownError):
            gateway.entitlements.charge("psub-entitlement-0001", CHARGE)
        ((level, text),) = ends(caplog)
    assert level == "WARNING"
    assert "OutcomeUnknownError (unknown), reconcile by 'order-1'" in text
    assert "psub-entitlement-0001" not in text

    async def story() -> None:
        async with sandbox.async_gateway() as client:
            with pytest.raises(OutcomeUnknownError):
                await client.entitlements.charge("psub-entitlement-0001", CHARGE)

    asyncio.run(story())
    assert [level for level, _ in ends(caplog)] == ["WARNING"]


def test_only_failed_calls_are_logged_as_warnings(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "subscribekit")
    sandbox = Sandbox()
    with sandbox.gateway() as gateway:
        gateway.entitlements.charge("psub-entitlement-0001", CHARGE)
        assert [level for level, _ in ends(caplog)] == ["INFO"]
        sandbox.faults.add("entitlements.charge", connection_refused(), times=None)
        for psub in ("psub-entitlement-0001", "psub-billing-0001"):
            with pytest.raises(SubscribekitError):
                gateway.entitlements.charge(psub, CHARGE)
    assert {level for level, _ in ends(caplog)} == {"WARNING"}
