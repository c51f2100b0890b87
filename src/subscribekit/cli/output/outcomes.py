"""Exit codes of commands, and the messages that explain the exit codes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from functools import partial
from pathlib import Path
from types import FrameType

import typer

from ..._core.calls.outcomes.unknown_outcome import BY_RECORD
from ..._hints import python_advice
from ..._interrupts import interrupt_behind
from ...errors import (
    APIError,
    BulkError,
    ConfigurationError,
    InvalidArgumentError,
    OutcomeUnknownError,
    SubscribekitError,
)
from .screen import is_terminal, printable, say


class Code(IntEnum):
    """Exit codes."""

    DONE = 0
    REJECTED = 1
    USAGE = 2
    NOT_SENT = 3
    UNKNOWN = 4
    DIFFERENCES = 5
    FAULT = 70
    OUTPUT = 74
    INTERRUPTED = 130


def code_of(error: SubscribekitError) -> Code:
    """Return the exit code of an error."""
    if isinstance(error, ConfigurationError | InvalidArgumentError | BulkError) and error.outcome != "unknown":
        return Code.USAGE
    return {"not_sent": Code.NOT_SENT, "rejected": Code.REJECTED, "unknown": Code.UNKNOWN}[error.outcome]


def terminal_text(error: SubscribekitError) -> str:
    """Return the message of an error, with a fix for the command line instead of a fix for Python."""
    text = str(error)
    for advice in python_advice.ALL:
        text = text.replace(advice.text, advice.in_terminal)
    return text.rstrip()


def explain(error: SubscribekitError) -> None:
    """Show the error, whether the request was carried out, and the identifiers that the operator needs."""
    _say_problem(error)
    if isinstance(error, BulkError):
        return  # the error message already states the outcome
    if isinstance(error, ConfigurationError | InvalidArgumentError) and error.outcome != "unknown":
        say("Nothing was sent.")
        return
    outcomes = {"not_sent": "Nothing was sent.", "rejected": "This request changed nothing."}
    say(outcomes.get(error.outcome, "The request may have been carried out. Do not send it again before you check."))
    if isinstance(error, APIError):
        identifiers = [
            ("status", str(error.status_code)),
            ("error code", error.code),
            ("request ID", error.request_id),
        ]
    elif isinstance(error, OutcomeUnknownError):
        sent = None if error.sent_at is None else error.sent_at.isoformat()
        identifiers = [("request ID", error.request_id), ("sent at", sent), ("reconcile by", error.reconcile_key)]
    else:
        identifiers = []
    details = [*identifiers, ("trace ID", error.trace_id)]
    if any(value for _, value in details):
        say("; ".join(f"{name} {printable(value)}" for name, value in details if value))
    if error.checkpoint is not None:
        say(f"To resume, run the command again with --checkpoint {error.checkpoint}")


def _say_problem(error: SubscribekitError) -> None:
    say(printable(terminal_text(error)), "bold red")
    _say_notes(error)


def _say_notes(error: BaseException) -> None:
    for note in getattr(error, "__notes__", ()):
        say(printable(note))


_decided: ContextVar[Code | None] = ContextVar("decided", default=None)


def begin() -> None:
    """Forget the exit code of an earlier command in this process."""
    _decided.set(None)


def decide(code: Code) -> Code:
    """Make the exit code final, so that later errors and failed output don't replace the exit code (H240, H444)."""
    _decided.set(code)
    return code


def decided_or(code: int) -> int:
    """Return the final exit code if `decide` was called; otherwise, return `code`."""
    decided = _decided.get()
    return code if decided is None else decided


class Terminated(KeyboardInterrupt):
    """Raised for SIGTERM and SIGHUP, so that these signals end a command like Ctrl-C and show the request's outcome."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number: int = number


def _terminate(number: int, _: FrameType | None) -> None:
    raise Terminated(number)


@contextmanager
def terminated_as_interrupted() -> Generator[None]:
    """Raise `Terminated` for SIGTERM and SIGHUP, unless the process already handles these signals."""
    before: list[int] = []
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _terminate)
                before.append(number)
    try:
        yield
    finally:
        for number in before:
            signal.signal(number, signal.SIG_DFL)


def ending(run: Callable[[], Code]) -> None:
    """Run the function of a command, and exit with the exit code that the function returns.

    Raises:
        typer.Exit: Always.
    """
    raise typer.Exit(int(_ended(run)))


def _ended(run: Callable[[], Code]) -> int:
    try:
        done = _run(run)
        sys.stdout.flush()
    except SubscribekitError as error:
        show = explain if _decided.get() is None else _say_problem
        return end_with(decided_or(code_of(error)), partial(show, error))
    except KeyboardInterrupt as interrupt:
        number = interrupt.number if isinstance(interrupt, Terminated) else signal.SIGINT
        return end_with(decided_or(128 + number), partial(_say_interrupted, interrupt))
    except OSError as error:
        return report_output_error(error)
    return done


def _run(run: Callable[[], Code]) -> Code:
    """Run the function of a command. If a library wrapped an interrupt in its own error, raise the interrupt (H442)."""
    try:
        return run()
    except SubscribekitError:
        raise
    except (ValueError, AssertionError) as error:
        if (interrupt := interrupt_behind(error)) is None:
            raise
        raise interrupt from None


def report_output_error(error: OSError) -> int:
    """Report on standard error that input or output failed, and return the exit code.

    A closed pipe isn't a failure, so for a closed pipe, the function shows only the notes of the error, for example
    that a write was carried out.
    """
    if isinstance(error, BrokenPipeError):
        return end_with(decided_or(Code.DONE), partial(_say_notes, error))
    # Don't use exit code 1, because that is the exit code for a request that the service rejected.
    return end_with(decided_or(Code.OUTPUT), partial(_say_unusable, error))


def end_with(code: int, show: Callable[[], object]) -> int:
    """Show a message on standard error if possible, and return the exit code."""
    try:
        show()
        sys.stderr.flush()
    except OSError:
        discard_unwritten()
    return code


def _say_interrupted(interrupt: KeyboardInterrupt) -> None:
    if is_terminal(sys.stderr):
        # Start a new line, because the terminal has printed ^C.
        say("")
    # Remove the advice to call `client.resolve`, because only Python code can follow it.
    notes = (
        note.removeprefix("subscribekit: ").removesuffix(BY_RECORD) for note in getattr(interrupt, "__notes__", ())
    )
    word = "Terminated." if isinstance(interrupt, Terminated) else "Interrupted."
    say("\n".join([word, *map(printable, notes)]))


def _say_unusable(error: OSError) -> None:
    say(f"Input or output failed: {error.strerror or type(error).__name__}", "bold red")
    _say_notes(error)


def discard_unwritten() -> None:
    """Discard unwritten output, because a failed flush at exit would change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
