"""Interrupts keep their type, even if a library replaces Ctrl-C or the exception of a signal handler."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import FrameType
from typing import Any

import pytest
import typer

from looped import looped
from subscribekit.bulk._ledger.records import written_result
from subscribekit.cli.output.outcomes import Code, begin, ending
from subscribekit.errors import ConfigurationError
from subscribekit.models import Account, from_json, to_json
from subscribekit.models._limits import first_fault
from subscribekit.models._printing import shown
from subscribekit.sandbox import Sandbox

CREATED = datetime(2026, 1, 31, tzinfo=UTC)
ANN = Account(id="a", name="Ann", created=CREATED)


class SoftTimeLimitExceeded(Exception):  # noqa: N818  the name in Celery
    """An exception that a signal handler raises."""


class TooLateError(ValueError):
    """An exception of an application's signal handler, whose base class pydantic treats as an invalid value."""


class SlowTestError(AssertionError):
    """An exception of a test tool's signal handler."""


INTERRUPTS: list[type[BaseException]] = [KeyboardInterrupt, SystemExit, SoftTimeLimitExceeded, TooLateError]
OF_HANDLERS: list[type[BaseException]] = [KeyboardInterrupt, SoftTimeLimitExceeded, TooLateError, SlowTestError]


@contextmanager
def interrupted(kind: type[BaseException], function: str) -> Iterator[list[str]]:
    """Raise an exception in the first line of a function of the SDK, as a signal handler could."""
    before, reached = sys.gettrace(), list[str]()

    def handler(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_name != function or "/subscribekit/" not in frame.f_code.co_filename:
            return handler if event == "call" else None
        if event == "line":
            sys.settrace(before)
            reached.append(function)
            raise kind
        return handler

    sys.settrace(handler)
    try:
        yield reached
    finally:
        sys.settrace(before)


def assert_raised(kind: type[BaseException], function: str, use: Callable[[], object]) -> None:
    with pytest.raises(kind) as caught, interrupted(kind, function) as reached:
        use()
    assert (type(caught.value), reached) == (kind, [function])


@pytest.mark.hazard("H441")
@looped("kind", INTERRUPTS)
def test_an_interrupt_while_a_model_is_written_is_raised(kind: type[BaseException]) -> None:
    for use in (to_json, written_result):
        assert_raised(kind, "_write_given", lambda use=use: use(ANN))  # type: ignore[misc]  # a lambda in a loop


@pytest.mark.hazard("H441")
@looped("kind", OF_HANDLERS)
def test_an_interrupt_while_a_model_is_built_read_or_checked_is_raised(kind: type[BaseException]) -> None:
    assert_raised(kind, "build_timestamp", lambda: Account(created=CREATED))
    assert_raised(kind, "build_timestamp", lambda: setattr(Account(), "created", CREATED))
    assert_raised(kind, "build_timestamp", lambda: Account.model_validate({"created": CREATED}))
    assert_raised(kind, "build_timestamp", lambda: Account.model_validate_json('{"created": "2026-01-31T00:00:00Z"}'))
    assert_raised(kind, "read_timestamp", lambda: from_json(Account, '{"created": "2026-01-31T00:00:00Z"}'))
    assert_raised(kind, "build_timestamp", lambda: first_fault("account", ANN))


@pytest.mark.hazard("H441")
@looped("kind", OF_HANDLERS)
def test_an_interrupt_while_a_value_is_printed_is_raised(kind: type[BaseException]) -> None:
    assert_raised(kind, "__repr_str__", lambda: shown(ANN))


@pytest.mark.hazard("H441")
@looped("kind", OF_HANDLERS)
def test_an_interrupt_while_the_sandbox_reads_a_body_is_raised(kind: type[BaseException]) -> None:
    billing = Sandbox().billing()
    assert_raised(kind, "_inflated", lambda: billing.accounts.create(ANN))


@pytest.mark.hazard("H441")
def test_an_interrupt_that_a_receiver_of_webhooks_hides_is_raised() -> None:
    """The receiver dumps a model, and pydantic replaces Ctrl-C by a ValueError."""

    def receiver(body: bytes, signature: str) -> None:
        ANN.model_dump()

    sandbox = Sandbox()
    sandbox.webhooks.subscribe(receiver, key="k")
    with pytest.raises(KeyboardInterrupt), interrupted(KeyboardInterrupt, "_leave_out_unset") as reached:
        sandbox.billing().accounts.create(Account(id="b"))
    assert reached


@pytest.mark.hazard("H442")
def test_an_interrupt_that_a_library_hides_ends_a_command_as_an_interrupt(capsys: pytest.CaptureFixture[str]) -> None:
    def hidden() -> Code:
        error = AssertionError()  # as SQLAlchemy does
        error.__context__ = KeyboardInterrupt()
        raise error

    assert code_of(hidden) == 130
    assert capsys.readouterr().err.strip() == "Interrupted."


@pytest.mark.hazard("H442")
def test_other_errors_of_a_command_are_not_treated_as_interrupts() -> None:
    def refused() -> Code:
        raise ConfigurationError("no environment")

    def broken() -> Code:
        raise ValueError("a fault")

    assert code_of(refused) == Code.USAGE
    with pytest.raises(ValueError, match="a fault"):
        ending(broken)


def code_of(run: Callable[[], Code]) -> int:
    begin()
    with pytest.raises(typer.Exit) as caught:
        ending(run)
    return caught.value.exit_code
