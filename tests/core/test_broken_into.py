"""Ctrl-C, time limits, and failing log handlers don't lose the outcome of a charge (H248, H249, H250)."""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest

import subscribekit
from kit.calls import Always, Answer, Run, Sent, Service, answer
from kit.interrupts import InterruptAt
from samples import points
from subscribekit import RetryPolicy
from subscribekit._core.calls.outcomes.unknown_outcome import recorded
from subscribekit.errors import InvalidArgumentError, OutcomeUnknownError, RateLimitError, SubscribekitError
from subscribekit.hooks import Hooks
from subscribekit.models import EntitlementCharge

OWN = str(Path(subscribekit.__file__).parent / "_core")
CHARGE = EntitlementCharge(transaction_id="tx1", product_code="film", amount=Decimal("4.90"), currency="USD")


def charge(client: Any) -> Any:
    return client.entitlements.charge("ps1", CHARGE)


def receipt() -> httpx.Response:
    return answer({"transactionReferenceId": "r1"}, request_id="q1")


@contextmanager
def _no_collection() -> Iterator[None]:
    """Turn off garbage collection. It could end an earlier call here, and the interrupt would then hit that call."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def interrupted_at_lines(
    numbers: Iterable[int],
    run: Run,
    answers: Callable[[], Answer],
    check: Callable[[KeyboardInterrupt, Any], None],
    **options: Any,
) -> int:
    """Interrupt a charge at its n-th line after the request has arrived, for each n in `numbers`.

    Returns:
        The first n for which the call ends before it's interrupted.
    """
    for number in numbers:
        service = Service(answers())
        client = run.client("gateway", transport=service, **options)

        async def story(service: Service = service, client: Any = client, number: int = number) -> bool:
            try:
                with _no_collection(), InterruptAt(number, (OWN,), lambda: bool(service.sent)):
                    await run.now(charge(client))
            except KeyboardInterrupt as interrupt:
                check(interrupt, client)
            except SubscribekitError:
                return True
            else:
                return True
            return False

        if asyncio.run(story()):
            return number
    raise AssertionError("every number interrupted the call")


@pytest.mark.parametrize("hooks", [(), (Hooks(on_response=lambda _: None),)], ids=["plain", "hooks"])
@pytest.mark.parametrize("is_logged", [False, True], ids=["silent", "logged"])
@pytest.mark.parametrize(
    "ending",
    [lambda: answer({"error": "late"}, 504), lambda: httpx.ReadError("lost"), lambda: receipt()],
    ids=["504", "lost", "receipt"],
)
def test_an_interrupt_at_any_line_after_a_charge_was_sent_carries_its_record(
    ending: Callable[[], Answer], is_logged: bool, hooks: tuple[Hooks, ...], run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """H248."""
    caplog.set_level(logging.DEBUG if is_logged else logging.CRITICAL, "subscribekit")

    def check(interrupt: KeyboardInterrupt, client: Any) -> None:
        record = recorded(interrupt)
        assert record is not None
        assert record.operation == "entitlements.charge"
        assert record.reconcile_key == "tx1"
        assert record.sent_at is not None
        assert dict(record.record)["transaction_id"] == "tx1"

    assert interrupted_at_lines(points(), run, ending, check, observers=hooks) > 100


def test_a_charge_that_was_declined_and_then_interrupted_is_never_not_sent(run: Run) -> None:
    outcomes = list[str]()

    def check(interrupt: KeyboardInterrupt, client: Any) -> None:
        if recorded(interrupt) is not None:
            outcomes.append("unknown")
            return
        with pytest.raises(InvalidArgumentError) as refused:
            client.resolve(interrupt) if run.style == "blocking" else client.resolve(interrupt).send(None)
        outcomes.append(refused.value.outcome)

    def declined() -> httpx.Response:
        return answer({"message": "declined", "code": "payment-declined"}, 402)

    interrupted_at_lines(itertools.count(1), run, declined, check)
    assert "not_sent" not in outcomes
    first = outcomes.index("rejected")
    # No real signal is handled in the last three lines. An interrupt there has the call's error as its context.
    assert set(outcomes[first:-3]) == {"rejected"}, "a known outcome must stay known"
    assert len(outcomes) - first > 40


def test_a_charge_whose_receipt_was_lost_to_an_interrupt_is_likely_applied(run: Run) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(charge(client))
        record = recorded(caught.value)
        assert record is not None
        assert (record.likely_applied, record.status_code, record.request_id) == (True, 200, "q1")

    run("gateway", story, transport=Service(receipt()), observers=[Hooks(on_response=interrupt)])


@pytest.mark.parametrize("status", [402, 504])
def test_a_hook_that_interrupts_after_a_response_does_not_change_the_outcome(status: int, run: Run) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(charge(client))
        outcome = "rejected" if status == 402 else "unknown"
        assert f"outcome {outcome}" in caught.value.__notes__[0]
        assert (recorded(caught.value) is not None) == (status == 504)

    service = Service(answer({"error": "x"}, status))
    run("gateway", story, transport=service, observers=[Hooks(on_response=interrupt)])


def test_an_interrupt_does_not_keep_the_error_that_the_call_was_handling(run: Run) -> None:
    """A context would keep the request alive, with its credential and its card number."""

    def interrupt(_: object) -> Answer:
        try:
            return {}["an error that the call handles"]
        except KeyError as handled:
            raise KeyboardInterrupt from handled

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(charge(client))
        assert caught.value.__context__ is None

    run("gateway", story, transport=Always(interrupt))


def test_the_record_is_attached_before_anything_is_logged(run: Run) -> None:
    seen = list[object]()

    class RecordingHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(recorded(interrupt))

    interrupt, handler = KeyboardInterrupt(), RecordingHandler()

    def raising(_: Sent) -> httpx.Response:
        raise interrupt

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt):
            await run.now(charge(client))

    logger = logging.getLogger("subscribekit")
    logger.addHandler(handler)
    try:
        run("gateway", story, transport=Service(raising))
    finally:
        logger.removeHandler(handler)
    assert seen
    assert all(isinstance(each, OutcomeUnknownError) for each in seen)


def raised(error: BaseException, during: BaseException) -> BaseException:
    """Return an error as if it was raised while another one was handled."""
    error.__context__ = during
    return error


def test_an_interrupt_while_the_caller_handles_an_unknown_outcome_leads_to_it(run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(charge(client))
        unknown = caught.value
        assert recorded(raised(KeyboardInterrupt(), unknown)) is unknown
        assert recorded(raised(ValueError("of the application"), unknown)) is None

    run("gateway", story, transport=Service(answer({}, 504)))


def test_an_interrupt_with_a_known_outcome_does_not_lead_to_an_earlier_unknown_outcome(run: Run) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    async def story(client: Any) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(charge(client))
        other = run.client("gateway", transport=Service(), observers=[Hooks(on_request=interrupt)])
        other = other.with_options(deadline=None)
        with pytest.raises(KeyboardInterrupt) as second:
            await run.now(other.campaigns.activate("c1"))
        assert "outcome not_sent" in second.value.__notes__[0]
        assert recorded(raised(second.value, caught.value)) is None
        await run.close(other)

    run("gateway", story, transport=Service(answer({}, 504)))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("x"), asyncio.CancelledError(), TimeoutError()])
def test_resolve_of_an_error_without_a_record_does_not_say_that_nothing_was_sent(
    error: BaseException, run: Run
) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(InvalidArgumentError) as refused:
            await run.now(client.resolve(error))
        assert refused.value.outcome == "unknown"

    run("gateway", story, transport=Service())


# Real signals


class Limit(Exception):  # noqa: N818  task queues use such names
    """A soft time limit."""


def _limit(_: int, __: FrameType | None) -> None:
    raise Limit


@contextmanager
def alarm(handler: Callable[..., None] = _limit) -> Iterator[Callable[[], None]]:
    """Install a handler of SIGALRM, and yield a function that lets the signal arrive after 10 ms."""
    before = signal.signal(signal.SIGALRM, handler)
    try:
        yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.01) and None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def wait() -> None:
    for _ in range(2000):
        time.sleep(0.005)  # until the signal comes
    raise AssertionError("no signal came")


@pytest.mark.parametrize("place", ["log", "hook"])
def test_a_time_limit_that_comes_while_a_charge_is_reported_ends_the_call_with_the_record(place: str, run: Run) -> None:
    """H248."""
    with alarm() as ring:

        class Slow(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                if "Unknown" in record.getMessage():
                    ring()
                    wait()

        def slow(_: object) -> None:
            ring()
            wait()

        async def story(client: Any) -> None:
            with pytest.raises(Limit) as caught:
                await run.now(charge(client))
            assert isinstance(recorded(caught.value), OutcomeUnknownError)

        handler, logger = Slow(), logging.getLogger("subscribekit")
        options: dict[str, Any] = {"observers": [Hooks(on_response=slow)]} if place == "hook" else {}
        if place == "log":
            logger.addHandler(handler)
        try:
            run("gateway", story, transport=Service(answer({}, 504)), **options)
        finally:
            logger.removeHandler(handler)


@pytest.mark.parametrize("method", [False, True], ids=["function", "method"])
def test_a_timeout_of_the_application_ends_the_call(method: bool, run: Run) -> None:
    """H250: The call isn't retried, and sends nothing more."""

    class Watch:
        def ring(self, signum: int, frame: FrameType | None) -> None:
            raise TimeoutError("the application's own limit")

    def ring(*_: object) -> None:
        raise TimeoutError("the application's own limit")

    with alarm(Watch().ring if method else ring) as begin:

        def slow(_: Sent) -> httpx.Response:
            begin()
            wait()
            return receipt()

        async def story(client: Any) -> None:
            with pytest.raises(TimeoutError, match="own limit") as caught:
                await run.now(client.subscriptions.retrieve("s1"))
            assert recorded(caught.value) is None
            with pytest.raises(TimeoutError, match="own limit") as caught:
                await run.now(charge(client))
            assert isinstance(recorded(caught.value), OutcomeUnknownError)

        service = Service(slow, slow)
        run("gateway", story, transport=service, deadline=None)
    assert len(service.sent) == 2


def test_a_timeout_of_the_application_before_anything_was_sent_is_not_retried(run: Run) -> None:
    """H250: An HTTP library converts the exception to a connect timeout."""

    def ring(*_: object) -> None:
        raise TimeoutError

    with alarm(ring) as begin:

        def slow(_: Sent) -> httpx.Response:
            begin()
            try:
                wait()
            except TimeoutError as error:
                raise httpx.ConnectTimeout("as httpcore maps it") from error
            return receipt()

        async def story(client: Any) -> None:
            with pytest.raises(TimeoutError):
                await run.now(charge(client))

        service = Service(slow)
        run("gateway", story, transport=service)
    assert len(service.sent) == 1


def test_a_timeout_of_the_system_is_retried(run: Run) -> None:
    service = Service(TimeoutError("timed out"), httpx.ConnectTimeout("no connection"), answer({"id": "s1"}))
    assert run("gateway", lambda client: client.subscriptions.retrieve("s1"), transport=service).id == "s1"


def test_the_error_of_a_nested_call_is_not_the_outcome_of_the_outer_call(run: Run) -> None:
    """H248: A signal handler can make such a call."""
    inner = RateLimitError("another call was refused", outcome="rejected").during("accounts.retrieve")

    def fail(_: Sent) -> httpx.Response:
        raise inner

    async def story(client: Any) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(charge(client))
        assert caught.value.operation == "entitlements.charge"
        assert "the nested call accounts.retrieve failed and ended this call" in str(caught.value)
        with pytest.raises(SubscribekitError) as read:
            await run.now(client.subscriptions.retrieve("s1"))
        assert (read.value.operation, read.value.outcome) == ("subscriptions.retrieve", "rejected")

    service = Service(fail, fail)
    run("gateway", story, transport=service)


# Log handlers and filters that fail


class Failing(logging.Handler):
    def handle(self, record: logging.LogRecord) -> bool:
        raise KeyError("a field that the formatter needs")


class FailingFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        raise KeyError("a field that the filter needs")


@pytest.fixture(params=["handler", "filter"])
def failing_logs(request: pytest.FixtureRequest) -> Iterator[None]:
    logger, handler, part = logging.getLogger("subscribekit"), Failing(), FailingFilter()
    before = logger.level
    logger.setLevel(logging.DEBUG)
    if request.param == "handler":
        logger.addHandler(handler)
    else:
        logger.addFilter(part)
    yield
    logger.removeHandler(handler)
    logger.removeFilter(part)
    logger.setLevel(before)


@pytest.mark.usefixtures("failing_logs")
def test_a_failing_log_loses_no_receipt_and_no_outcome(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """H249."""

    def fail(_: object) -> None:
        raise ValueError("a hook")

    async def story(client: Any) -> None:
        assert (await run.now(charge(client))).transaction_reference_id == "r1"
        with pytest.raises(OutcomeUnknownError):
            await run.now(charge(client))
        assert (await run.now(client.subscriptions.retrieve("s1"))).id == "s1"  # by a retry
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(charge(client))
        assert isinstance(recorded(caught.value), OutcomeUnknownError)

    def interrupt(_: Sent) -> httpx.Response:
        raise KeyboardInterrupt

    answers = [receipt(), answer({}, 504), answer({}, 503), answer({"id": "s1"}), interrupt]
    observers = [Hooks(on_request=fail)]
    run("gateway", story, transport=Service(*answers), observers=observers, retry=RetryPolicy(max_attempts=2))
    assert "KeyError: 'a field that the" in capsys.readouterr().err  # the standard library prints such errors
