"""How a command ends: one sentence of what happened and an exit code that says what became of the request."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from enum import IntEnum

import typer

from ...errors import APIError, BulkError, ConfigurationError, OutcomeUnknownError, RequestError, SubscribekitError
from .screen import is_terminal, printable, say


class Code(IntEnum):
    """Exit codes."""

    DONE = 0
    REJECTED = 1
    USAGE = 2
    NOT_SENT = 3
    UNKNOWN = 4
    FAULT = 70
    OUTPUT = 74
    INTERRUPTED = 130


def code_of(error: SubscribekitError) -> Code:
    """Give the exit code of an error."""
    if isinstance(error, ConfigurationError | RequestError | BulkError):
        return Code.USAGE
    return {"not_sent": Code.NOT_SENT, "rejected": Code.REJECTED, "unknown": Code.UNKNOWN}[error.outcome]


_OF_PROGRAMS = (
    (re.compile(r"give \w+ when the client is made, or set "), "set "),
    (re.compile(r" or give base_url"), ""),
    (re.compile(r" client\.resolve\(error\) looks what became of it, by reads only\."), ""),
    (re.compile(r"; client\.resolve\(error\)\.quote is what to tell"), ""),
    (re.compile(r"Environment\(ca_file='...'\), (the variable \S+), or ssl_context=\S+"), r"--ca-file FILE, or \1"),
)
"""What a sentence tells programs to do, and what it says in a shell."""


def for_a_shell(text: str) -> str:
    """Leave out of a sentence what only programs can do."""
    for pattern, instead in _OF_PROGRAMS:
        text = pattern.sub(instead, text)
    return text


def explain(error: SubscribekitError) -> None:
    """Tell what happened, what became of the request and what to quote to the operator."""
    say(printable(for_a_shell(str(error))), "bold red")
    for note in getattr(error, "__notes__", ()):
        say(printable(note))
    if isinstance(error, BulkError):
        return  # its text says it
    if isinstance(error, ConfigurationError | RequestError):
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
    quote = [*told, ("trace id", error.trace_id)]
    if any(value for _, value in quote):
        say("; ".join(f"{name} {printable(value)}" for name, value in quote if value))
    if error.checkpoint is not None:
        say(f"Go on with --checkpoint {error.checkpoint}")


def ending(run: Callable[[], Code]) -> None:
    """Run what a command does and end with its exit code, whatever happens.

    Raises:
        typer.Exit: Always.
    """
    raise typer.Exit(int(_ended(run)))


def _ended(run: Callable[[], Code]) -> Code:
    try:
        done = run()
        sys.stdout.flush()
    except SubscribekitError as error:
        explain(error)
        return code_of(error)
    except KeyboardInterrupt as interrupt:
        if is_terminal(sys.stderr):
            say("")  # below the ^C of the terminal
        notes = getattr(interrupt, "__notes__", ())
        # What it says to programs is of no use here.
        told = (note.removeprefix("subscribekit: ").partition("; client.resolve(")[0] for note in notes)
        say("\n".join(["Interrupted.", *map(printable, told)]))
        return Code.INTERRUPTED
    except BrokenPipeError:
        nobody_reads()
        return Code.DONE
    except OSError as error:  # exit code 1 would say that the service rejected it
        nobody_reads()
        say(f"A file or the output cannot be used: {error.strerror or type(error).__name__}", "bold red")
        for note in getattr(error, "__notes__", ()):
            say(printable(note))
        return Code.OUTPUT
    return done


def nobody_reads() -> None:
    """Go on quietly where nobody can read any more: what is still to be written goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
