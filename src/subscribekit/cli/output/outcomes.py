"""How a command ends: one sentence of what happened and an exit code that says what became of the request."""

from __future__ import annotations

import os
import re
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
    """Give the exit code of an error."""
    if isinstance(error, ConfigurationError | InvalidArgumentError | BulkError) and error.outcome != "unknown":
        return Code.USAGE
    return {"not_sent": Code.NOT_SENT, "rejected": Code.REJECTED, "unknown": Code.UNKNOWN}[error.outcome]


_OF_PROGRAMS = (
    (re.compile(r"give \w+ when the client is made, or set "), "set "),
    (re.compile(r" or give base_url"), ""),
    (re.compile(r" client\.resolve\(error\) looks what became of it, by reads only\."), ""),
    (re.compile(r"; client\.resolve\(error\)\.support_details is what to tell"), ""),
    (re.compile(r"\bpass restart=True\b"), "give --restart"),
    (re.compile(r"Environment\(ca_file='...'\), (the variable \S+), or ssl_context=\S+"), r"--ca-file FILE, or \1"),
)
"""Advice for programs, and the same advice for a shell."""


def for_a_shell(text: str) -> str:
    """Leave out of a sentence what only programs can do."""
    for pattern, instead in _OF_PROGRAMS:
        text = pattern.sub(instead, text)
    return text


def explain(error: SubscribekitError) -> None:
    """Tell what happened, what became of the request and what to quote to the operator."""
    _say_problem(error)
    if isinstance(error, BulkError):
        return  # its text says it
    if isinstance(error, ConfigurationError | InvalidArgumentError) and error.outcome != "unknown":
        say("Nothing was sent.")
        return
    said = {"not_sent": "Nothing was sent.", "rejected": "Nothing was changed by this request."}
    say(said.get(error.outcome, "It is not known whether the request was carried out: look before you repeat it."))
    if isinstance(error, APIError):
        told = [("status", str(error.status_code)), ("code", error.code), ("request id", error.request_id)]
    elif isinstance(error, OutcomeUnknownError):
        sent = None if error.sent_at is None else error.sent_at.isoformat()
        told = [("request id", error.request_id), ("sent at", sent), ("reconcile by", error.reconcile_key)]
    else:
        told = []
    details = [*told, ("trace id", error.trace_id)]
    if any(value for _, value in details):
        say("; ".join(f"{name} {printable(value)}" for name, value in details if value))
    if error.checkpoint is not None:
        say(f"Go on with --checkpoint {error.checkpoint}")


def _say_problem(error: SubscribekitError) -> None:
    say(printable(for_a_shell(str(error))), "bold red")
    _say_notes(error)


def _say_notes(error: BaseException) -> None:
    for note in getattr(error, "__notes__", ()):
        say(printable(note))


_decided: ContextVar[Code | None] = ContextVar("decided", default=None)


def begin() -> None:
    """Forget the exit code of an earlier command in this process."""
    _decided.set(None)


def decide(code: Code) -> Code:
    """Fix the exit code of the command: no output that fails, and no other error, replaces it (H240, H444)."""
    _decided.set(code)
    return code


def decided_or(code: int) -> int:
    """Return the exit code that is fixed, or another one if none is."""
    decided = _decided.get()
    return code if decided is None else decided


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, which end a command as Ctrl-C does: it says what became of the request."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number: int = number


def _terminate(number: int, _: FrameType | None) -> None:
    raise Terminated(number)


@contextmanager
def terminated_as_interrupted() -> Generator[None]:
    """Let signals that would end the process without a word end the command, if no other handler does."""
    before: list[int] = []
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):  # Windows has the first only
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
    """Run what a command does and end with its exit code, whatever happens.

    Raises:
        typer.Exit: Always.
    """
    raise typer.Exit(int(_ended(run)))


def _ended(run: Callable[[], Code]) -> int:
    try:
        done = _run(run)
        sys.stdout.flush()
    except SubscribekitError as error:
        tell = explain if _decided.get() is None else _say_problem
        return told(decided_or(code_of(error)), partial(tell, error))
    except KeyboardInterrupt as interrupt:
        number = interrupt.number if isinstance(interrupt, Terminated) else signal.SIGINT
        return told(decided_or(128 + number), partial(_say_interrupted, interrupt))
    except OSError as error:
        return unwritten(error)
    return done


def _run(run: Callable[[], Code]) -> Code:
    """Run what a command does; an interrupt that a library hides in an error of its own comes out as itself (H442)."""
    try:
        return run()
    except SubscribekitError:
        raise
    except (ValueError, AssertionError) as error:
        if (interrupt := interrupt_behind(error)) is None:
            raise
        raise interrupt from None


def unwritten(error: OSError) -> int:
    """Return the exit code of a command whose output or file failed, and tell so on standard error.

    A reader that left early is no failure. It hears only of a write that was carried out.
    """
    if isinstance(error, BrokenPipeError):
        return told(decided_or(Code.DONE), partial(_say_notes, error))
    return told(decided_or(Code.OUTPUT), partial(_say_unusable, error))  # 1 would say that the service rejected it


def told(code: int, tell: Callable[[], object]) -> int:
    """Give a code that is decided, and say why where that can be written."""
    try:
        tell()
        sys.stderr.flush()
    except OSError:
        nobody_reads()
    return code


def _say_interrupted(interrupt: KeyboardInterrupt) -> None:
    if is_terminal(sys.stderr):
        say("")  # below the ^C of the terminal
    notes = getattr(interrupt, "__notes__", ())
    # The advice for programs does not apply here.
    said = (note.removeprefix("subscribekit: ").partition("; client.resolve(")[0] for note in notes)
    word = "Terminated." if isinstance(interrupt, Terminated) else "Interrupted."
    say("\n".join([word, *map(printable, said)]))


def _say_unusable(error: OSError) -> None:
    say(f"A file or the output cannot be used: {error.strerror or type(error).__name__}", "bold red")
    _say_notes(error)


def nobody_reads() -> None:
    """Let what a closed or full stream cannot take go nowhere, so that the process ends with its own code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
