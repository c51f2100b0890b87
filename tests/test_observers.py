"""Observers: their events, the order of the events, and calls that no observer can change."""

import asyncio
import logging
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.calls import Group, Run, Service, answer, page
from subscribekit import BillingClient
from subscribekit.errors import ConfigurationError, NotFoundError, OutcomeUnknownError
from subscribekit.hooks import CallInfo, CallObserver, Hooks, Observer, RequestEvent, ResponseEvent, RetryEvent
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit, server_error

Use = Callable[[Any], Any]
CHARGE = EntitlementCharge(transaction_id="order-4711", amount=Decimal("4.90"), currency="USD")


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest, sandbox: Sandbox) -> Callable[..., Any]:
    """Return a function that makes one call with observers, with a sync or an async client."""
    transport = sandbox.transport if request.param == "blocking" else sandbox.async_transport

    def call(group: Group, use: Use, *observers: Observer, **options: Any) -> Any:
        options = {"environment": sandbox.environment, "transport": transport, "observers": observers, **options}
        return Run(request.param)(group, use, **options)

    return call


class Recorder:
    """Stores the events of hooks."""

    def __init__(self) -> None:
        self.events: list[RequestEvent | ResponseEvent | RetryEvent] = []
        self.hooks = Hooks(on_request=self.events.append, on_response=self.events.append, on_retry=self.events.append)

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def reverse(client: Any) -> Any:
    return client.payments.reverse("pay-cash-0001")


def test_hooks_receive_the_events_of_a_call(run: Callable[..., Any], sandbox: Sandbox) -> None:
    recorder = Recorder()
    run("billing", reverse, recorder.hooks)
    asked, answered = recorder.events
    assert isinstance(asked, RequestEvent)
    assert isinstance(answered, ResponseEvent)
    assert asked.call == CallInfo(
        operation="payments.reverse",
        method="POST",
        path_template="/payments/{payment}/actions/reverse",
        origin="https://billing.sandbox.invalid",
        group="billing",
        environment="sandbox",
    )
    assert asked.attempt == 1
    assert asked.trace_id == sandbox.requests[-1].headers["x-b3-traceid"]
    assert (answered.request, answered.status_code, answered.error) == (asked, 200, None)
    assert answered.request_id is not None


def test_hooks_receive_an_event_for_each_retry(run: Callable[..., Any], sandbox: Sandbox) -> None:
    sandbox.faults.add("/submgmt/v2/subscriptions/{id}", server_error(), times=2)
    recorder = Recorder()
    run("gateway", lambda client: client.subscriptions.retrieve("sub-basic-0001"), recorder.hooks)
    assert recorder.kinds == ["RequestEvent", "ResponseEvent", "RetryEvent"] * 2 + ["RequestEvent", "ResponseEvent"]
    retries = [event for event in recorder.events if isinstance(event, RetryEvent)]
    assert [event.request.attempt for event in retries] == [1, 2]
    assert all(event.wait >= 0 for event in retries)
    statuses = [event.status_code for event in recorder.events if isinstance(event, ResponseEvent)]
    assert statuses == [500, 500, 200]


def test_a_lost_response_has_no_status(run: Callable[..., Any], sandbox: Sandbox) -> None:
    sandbox.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    recorder = Recorder()
    with pytest.raises(OutcomeUnknownError):
        run("gateway", lambda client: client.entitlements.charge("psub-entitlement-0001", CHARGE), recorder.hooks)
    answered = recorder.events[-1]
    assert isinstance(answered, ResponseEvent)
    assert answered.status_code is None
    assert answered.error is not None
    assert "order-4711" not in repr(recorder.events[0])


def test_an_exception_in_a_hook_changes_no_call(run: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    def broken(event: object) -> None:
        raise RuntimeError("a bug of the application")

    with caplog.at_level(logging.ERROR, "subscribekit"):
        payment = run("billing", reverse, Hooks(on_request=broken, on_response=broken))
    assert payment.status == "Failure"
    assert [record.getMessage() for record in caplog.records] == ["an observer failed; the call continues"] * 2


def test_a_prepared_request_causes_no_event(sandbox: Sandbox) -> None:
    recorder = Recorder()
    client = BillingClient(environment=sandbox.environment, transport=sandbox.transport, observers=[recorder.hooks])
    client.prepare.payments.reverse("pay-cash-0001")
    assert recorder.events == []


def test_an_observer_may_follow_only_some_calls(run: Callable[..., Any]) -> None:
    ends: list[BaseException | None] = []

    class Ends(CallObserver):
        def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
            ends.append(error)

    class OnlyReverse(Observer):
        def call_started(self, call: CallInfo) -> CallObserver | None:
            return Ends() if call.operation == "payments.reverse" else None

    run("billing", reverse, OnlyReverse())
    run("billing", lambda client: client.accounts.list().first(), OnlyReverse())
    with pytest.raises(NotFoundError) as caught:
        run("billing", lambda client: client.payments.reverse("none"), OnlyReverse())
    assert ends == [None, caught.value]


def test_a_retry_event_contains_the_result_of_the_failed_request(run: Callable[..., Any]) -> None:
    service = Service(answer({}, 503, Request_Id="req-1"), httpx.ConnectError("x"), page("a1"))
    recorder = Recorder()
    options = {"base_url": "https://billing.test", "api_user": "u", "api_key": "k", "environment": None}
    run("billing", lambda client: client.accounts.list(), recorder.hooks, transport=service, **options)
    retries = [event for event in recorder.events if isinstance(event, RetryEvent)]
    answers = [event for event in recorder.events if isinstance(event, ResponseEvent)]
    assert [(retry.status_code, retry.request_id) for retry in retries] == [(503, "req-1"), (None, None)]
    assert [retry.elapsed for retry in retries] == [answer.elapsed for answer in answers[:2]]
    assert retries[0].elapsed < retries[1].elapsed


def test_a_retry_event_can_be_created_without_the_newer_fields() -> None:
    call = CallInfo("accounts.list", "GET", "/accounts", "https://billing.test", "billing", "custom")
    event = RetryEvent(RequestEvent(call, 1, None), NotFoundError(), 0.5)
    assert (event.status_code, event.request_id, event.elapsed) == (None, None, 0.0)


@pytest.mark.parametrize(
    "given",
    [5, b"a1b2c3d4e5f60718", "0" * 16, "A1B2C3D4E5F60718", "a1b2c3d4e5f6071", "a1b2c3d4e5f607181", "a1b2c3d4e5f60\r\nX",
     "a1b2c3d4e5f60718\n", "", True, object()],
    ids=lambda given: repr(given).partition(" at ")[0],
)  # fmt: skip
def test_an_invalid_span_id_is_replaced_and_logged_once(
    given: object, run: Callable[..., Any], sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    class Odd(CallObserver):
        def request_started(self, event: RequestEvent) -> Any:
            return given

    class Follows(Observer):
        def call_started(self, call: CallInfo) -> CallObserver:
            return Odd()

    with caplog.at_level(logging.WARNING, "subscribekit"):
        run("billing", reverse, Follows())
        run("billing", reverse, Follows())
    for request in sandbox.requests[-2:]:
        span = request.headers["x-b3-spanid"]
        assert re.fullmatch(r"[0-9a-f]{16}", span)
        assert span != "0" * 16
    (record,) = caplog.records
    assert "Odd" in record.getMessage()
    assert "span ID" in record.getMessage()


def test_a_wrong_span_id_does_not_hide_a_good_one(run: Callable[..., Any], sandbox: Sandbox) -> None:
    class ReturnsSpan(CallObserver):
        def __init__(self, span: str | None) -> None:
            self.span = span

        def request_started(self, event: RequestEvent) -> str | None:
            return self.span

    class Follows(Observer):
        def __init__(self, span: str | None) -> None:
            self.span = span

        def call_started(self, call: CallInfo) -> CallObserver:
            return ReturnsSpan(self.span)

    run("billing", reverse, Follows(None), Follows("no span"), Follows("a1b2c3d4e5f60718"), Follows("b" * 16))
    assert sandbox.requests[-1].headers["x-b3-spanid"] == "a1b2c3d4e5f60718"


class Ends(CallObserver):
    """Stores the error of each call, or `None`."""

    def __init__(self, ends: list[BaseException | None]) -> None:
        self.ends = ends

    def call_ended(self, error: BaseException | None, attempts: int, elapsed: float) -> None:
        self.ends.append(error)


class FollowsWith(Observer):
    """Follows every call with the object that a function returns."""

    def __init__(self, create: Callable[[], Any]) -> None:
        self.create = create

    def call_started(self, call: CallInfo) -> Any:
        return self.create()


def interrupt(*_: object) -> Any:
    raise KeyboardInterrupt


class InterruptedEnd(CallObserver):
    call_ended = interrupt


def test_an_object_that_is_not_a_call_observer_is_ignored_and_logged(
    run: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "subscribekit"):
        assert run("billing", reverse, FollowsWith(lambda: 5)).status == "Failure"
    (record,) = caplog.records
    assert "CallObserver" in record.getMessage()
    assert "int" in record.getMessage()


def test_an_interrupt_in_one_observer_ends_the_call_for_the_others(run: Callable[..., Any]) -> None:
    ends: list[BaseException | None] = []
    with pytest.raises(KeyboardInterrupt) as caught:
        run("billing", reverse, FollowsWith(lambda: Ends(ends)), FollowsWith(interrupt))
    assert ends == [caught.value]


@pytest.mark.parametrize("payment", ["pay-cash-0001", "none"])
def test_an_interrupt_at_the_end_of_a_call_ends_it_once_for_the_other_observers(
    payment: str, run: Callable[..., Any]
) -> None:
    ends: list[BaseException | None] = []
    others = FollowsWith(lambda: Ends(ends)), FollowsWith(InterruptedEnd), FollowsWith(lambda: Ends(ends))
    with pytest.raises(KeyboardInterrupt):
        run("billing", lambda client: client.payments.reverse(payment), *others)
    assert len(ends) == 2


def test_a_cancellation_that_a_hook_raises_does_not_cancel_the_call(run: Callable[..., Any]) -> None:
    def broken(event: object) -> None:
        raise asyncio.CancelledError  # as `result()` of a cancelled future does

    assert run("billing", reverse, Hooks(on_request=broken, on_response=broken)).status == "Failure"


def test_a_coroutine_function_is_refused_as_a_hook() -> None:
    async def waits(event: object) -> None: ...

    class Waits:
        async def __call__(self, event: object) -> None: ...

    for hook in (waits, Waits()):
        with pytest.raises(ConfigurationError, match=r"on_request.*await"):
            Hooks(on_request=hook)  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize("wrong", [{"on_request": 5}, {"on_response": "x"}, {"on_retry": []}])
def test_a_hook_that_is_not_callable_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        Hooks(**wrong)


def test_an_observer_of_another_type_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="observers"):
        BillingClient(environment="sandbox", observers=[print])  # type: ignore[list-item]  # the mistake
