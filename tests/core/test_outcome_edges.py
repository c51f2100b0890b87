"""Outcomes of writes in edge cases: interrupts, deadlines, nested calls, and the limits of status ranges."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.calls import Answer, Run, Sent, Service, answer
from subscribekit._core.calls.outcomes.unknown_outcome import mark, mark_known, recorded
from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.hooks import Hooks
from subscribekit.models import EntitlementCharge

CHARGE = EntitlementCharge(transaction_id="tx1", product_code="film", amount=Decimal("4.90"), currency="USD")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def charge(client: Any) -> Any:
    return client.entitlements.charge("ps1", CHARGE)


def renew(client: Any) -> Any:
    return client.payment_methods.update("a1", payment_method_id="pm1", primary=True)


def failed(run: Run, *answers: Answer, **options: Any) -> SubscribekitError:
    with pytest.raises(SubscribekitError) as caught:
        run("gateway", charge, transport=Service(*answers), **options)
    return caught.value


def test_a_write_interrupted_in_its_second_attempt_after_a_401_has_a_record(run: Run) -> None:
    """The 401 ended the first attempt and says nothing about the second one."""

    def interrupt(_: Sent) -> httpx.Response:
        raise KeyboardInterrupt

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(renew(client))
        record = recorded(caught.value)
        assert record is not None
        assert (record.attempts, record.operation) == (2, "payment_methods.update")
        assert "outcome unknown" in caught.value.__notes__[0]

    tokens = iter(["token-a", "token-b"])
    service = Service(answer({}, 401), interrupt)
    options = {"base_url": "https://storefront.test", "access_token": lambda: next(tokens)}
    run("storefront", story, transport=service, **options)
    assert len(service.sent) == 2


def test_a_write_interrupted_after_a_401_and_before_its_second_attempt_is_rejected(run: Run) -> None:
    token_calls = list[int]()

    def token() -> str:
        token_calls.append(1)
        if len(token_calls) == 2:
            raise KeyboardInterrupt
        return "token-a"

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(renew(client))
        assert recorded(caught.value) is None
        assert "outcome rejected" in caught.value.__notes__[0]

    options = {"base_url": "https://storefront.test", "access_token": token}
    run("storefront", story, transport=Service(answer({}, 401)), **options)


def test_the_deadline_error_with_a_transport_without_phases_does_not_say_that_nothing_was_sent(run: Run) -> None:
    """The transport reports no phase, so the request may have arrived."""

    class Slow(Service):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = super().handle_request(request)
            self.time.sleep(30)
            raise httpx.ReadTimeout("late") if response.status_code == 200 else AssertionError

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            super().handle_request(request)
            await asyncio.sleep(30)
            raise AssertionError("the deadline comes first")

    service = Slow(answer({}))
    deadline = 5.0 if run.style == "blocking" else 0.05
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=service, deadline=deadline)
    assert (caught.value.outcome, caught.value.phase) == ("unknown", "not_reported")
    assert "nothing was sent" not in str(caught.value)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("status", [504, 402])
def test_a_hook_that_ends_the_program_after_a_response_keeps_the_outcome(
    status: int, error: type[BaseException], run: Run
) -> None:
    """The outcome of the charge is unknown after a 504, and rejected after a 402."""

    def end(_: object) -> None:
        raise error

    async def story(client: Any) -> None:
        with pytest.raises(error) as caught:
            await run.now(charge(client))
        record = recorded(caught.value)
        assert (record and record.status_code) == (504 if status == 504 else None)
        assert f"outcome {'unknown' if status == 504 else 'rejected'}" in caught.value.__notes__[0]

    run("gateway", story, transport=Service(answer({}, status)), observers=[Hooks(on_response=end)])


@pytest.mark.parametrize("status", [300, 301, 304, 399])
def test_a_charge_with_a_3xx_response_has_an_unknown_outcome(status: int, run: Run) -> None:
    error = failed(run, answer(None, status, location="https://elsewhere.test/x"))
    assert isinstance(error, OutcomeUnknownError)
    assert error.status_code == status


@pytest.mark.parametrize(
    ("status", "outcome"), [(199, "unknown"), (400, "rejected"), (499, "rejected"), (500, "unknown")]
)
def test_the_outcome_at_the_limits_of_the_other_status_ranges(status: int, outcome: str, run: Run) -> None:
    assert failed(run, answer({"message": "x"}, status)).outcome == outcome


def record_of(operation: str, sent_at: datetime) -> OutcomeUnknownError:
    record = OutcomeUnknownError("x").during(operation)
    record.sent_at = sent_at
    return record


def test_the_record_of_an_outer_call_does_not_replace_that_of_the_inner_one() -> None:
    """If a transport makes a call itself, the inner call is sent later than the outer one, and is marked first."""
    interrupt = KeyboardInterrupt()
    outer, inner = record_of("outer", NOON), record_of("inner", NOON + timedelta(seconds=1))
    mark(interrupt, inner)
    mark(interrupt, outer)
    assert recorded(interrupt) is inner
    mark_known(interrupt, "rejected", NOON)
    assert recorded(interrupt) is inner


def test_the_record_of_a_later_call_replaces_that_of_an_earlier_one() -> None:
    interrupt = KeyboardInterrupt()  # one object that interrupts two calls, one after the other
    first, second = record_of("first", NOON), record_of("second", NOON + timedelta(seconds=1))
    mark(interrupt, first)
    mark(interrupt, second)
    assert recorded(interrupt) is second
    mark_known(interrupt, "rejected", NOON + timedelta(seconds=2))
    assert recorded(interrupt) is None


def test_an_interrupt_of_nested_calls_has_the_record_of_the_inner_call(run: Run) -> None:
    def interrupted(_: Sent) -> httpx.Response:
        raise KeyboardInterrupt

    inner = Run("blocking").client("billing", transport=Service(interrupted))

    def nested(_: Sent) -> httpx.Response:
        inner.payments.reverse("p1")
        raise AssertionError

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(charge(client))
        record = recorded(caught.value)
        assert record is not None
        assert record.operation == "payments.reverse"

    run("gateway", story, transport=Service(nested))


@pytest.mark.parametrize("status", [200, 500])
def test_a_charge_interrupted_while_its_response_is_read_is_not_called_likely_applied(run: Run, status: int) -> None:
    class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"{"
            raise KeyboardInterrupt

        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"{"
            raise KeyboardInterrupt

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(charge(client))
        record = recorded(caught.value)
        assert record is not None
        assert record.likely_applied is None

    run("gateway", story, transport=Service(lambda _: httpx.Response(status, stream=Body())))
