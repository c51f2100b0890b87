"""`subscribekit call`: any operation by its SDK name, looked at before anything is written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import Annotated, cast

import typer

from ... import _json as json
from ..._core.calls.prepared.prepared_request import PreparedRequest
from ..._core.client.resources import driver_of
from ..._core.lists.pager import Pager
from ..._core.resolving.verdict import Verdict
from ...errors import OutcomeUnknownError, SubscribekitError
from ...models import Model, to_json
from ..clients import Client, NamingConnection
from ..commands import command_of
from ..output.asking import refused
from ..output.nested import entries_of, items_of
from ..output.outcomes import Code, decide, explain
from ..output.render import show_list, show_one
from ..output.screen import for_people, printable, say, write_json
from .arguments import LARGEST_PAGE, options, page_size_of, values
from .catalogue import REQUEST, Entry

SHOWN = 50
"""Items of a list that a terminal shows by default."""


_COUNT = re.compile(r"[0-9]{1,18}")

JsonOption = Annotated[
    bool, typer.Option("--json", help="JSON instead of a table, personal data in clear; a list one item a line.")
]
_NoSendOption = Annotated[bool, typer.Option("--no-send", help="Show the request and send nothing.")]


def command(entry: Entry) -> Callable[..., None]:
    """Make the function behind the command of an operation."""
    return command_of(partial(_call_list if entry.is_list else _call, entry), options(entry))


def _call_list(
    entry: Entry,
    *,
    as_json: JsonOption = False,
    no_send: _NoSendOption = False,
    items: Annotated[
        str | None,
        typer.Option("--limit", metavar="NUMBER", help=f"Items in all (default: {SHOWN} in a terminal, else all)."),
    ] = None,
    columns: Annotated[str | None, typer.Option(metavar="A,B,...", help="The fields to show, in this order.")] = None,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    limit = _count(items) if items is not None else SHOWN if for_people() and not as_json else None
    made, arguments, kind = values(entry, typed)
    if limit is not None and "checkpoint" not in arguments:
        arguments.setdefault(page_size_of(entry), min(max(limit, 1), LARGEST_PAGE))
    with closing(connection.client(entry.group)) as client:
        if no_send:
            return _show_request(_prepared(client, entry, made, arguments), as_json=as_json)
        pager = cast("Pager[Model]", method_of(client, entry, made)(**arguments))
        _show_list(pager, cast("type[Model]", kind), columns, limit, as_json=as_json)
    return Code.DONE


def _call(
    entry: Entry,
    *,
    as_json: JsonOption = False,
    no_send: _NoSendOption = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send a write without asking.")] = False,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    made, arguments, _ = values(entry, typed)
    with closing(connection.client(entry.group)) as client:
        request = _prepared(client, entry, made, arguments)
        if no_send:
            return _show_request(request, as_json=as_json)
        if request.method != "GET":
            driver_of(client).settings.refuse_write(request.operation)  # before a question that leads nowhere
            code = None if yes else _ask(request, entry, client, is_stdin_taken="-" in typed.values())
            if code is not None:
                return code
        return _send(client, request, entry, as_json=as_json)


def _prepared(
    client: Client, entry: Entry, made: Mapping[str, object], arguments: Mapping[str, object]
) -> PreparedRequest[object]:
    return cast("PreparedRequest[object]", method_of(client.prepare, entry, made)(**arguments))


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise typer.BadParameter("a whole number is needed", param_hint="--limit")
    return int(text)


def _send(client: Client, request: PreparedRequest[object], entry: Entry, *, as_json: bool) -> Code:
    try:
        result = client.send(request)
    except OutcomeUnknownError as error:
        decide(Code.UNKNOWN)
        explain(error)
        say("Looking what became of it, by reads only; this takes up to half a minute.", "dim")
        try:
            _show_verdict(client.resolve(error))
        except SubscribekitError as failed:  # whatever ends the looking, the outcome of the write is unknown
            say(f"verdict: undecided. {printable(str(failed))}", "bold")
        return Code.UNKNOWN
    if request.method != "GET":
        decide(Code.DONE)
    try:
        _show_result(result, entry, as_json=as_json)
        sys.stdout.flush()
    except BaseException as error:
        if request.method != "GET":
            error.add_note("The request was carried out.")
        raise
    return Code.DONE


def _show_verdict(verdict: Verdict) -> None:
    told = {
        "applied": "This request was carried out; do not send it again.",
        "in_effect": "The request is in effect; nothing is left to do.",
        "not_applied": "It was not carried out; it may be sent again.",
        "undecided": "No read can tell. "
        + (
            "Sending it again does no harm."
            if verdict.safe_to_retry
            else "Do not send it again before the operator says."
        ),
    }
    say(f"verdict: {verdict.state}. {told[verdict.state]}", "bold")
    say(printable(verdict.evidence))
    say(f"For the operator: {printable(verdict.support_details)}")


def method_of(start: object, entry: Entry, made: Mapping[str, object]) -> Callable[..., object]:
    """Find the method of an operation, on a client or on its `prepare`."""
    family = start
    if entry.family:
        family = attrgetter(entry.family)(start)
        if entry.make is not None:
            family = cast("Callable[..., object]", family)(**made)
    method = cast("Callable[..., object]", attrgetter(entry.method)(family))
    unnamed = [each.name for each in entry.parameters if each.is_positional]
    if not unnamed:
        return method

    def by_place(**given: object) -> object:
        return method(*[given.pop(name) for name in unnamed if name in given], **given)

    return by_place


def _show_list(
    pager: Pager[Model], kind: type[Model], columns: str | None, limit: int | None, *, as_json: bool
) -> None:
    begun = list[bool]()
    items = _noticed(islice(pager, limit), begun)
    try:
        if as_json:
            for item in items:
                write_json(to_json(item))
            return
        count = show_list(items, kind, columns)
        if for_people():
            total = pager.total_count() if count else 0
            of = "" if total is None else f" of {total}"
            more = f"; go on with --checkpoint {pager.checkpoint}" if limit == count and total != count else ""
            say(f"{count}{of} shown{more}", "dim")
    except SubscribekitError as error:
        if not begun:
            error.checkpoint = None  # where this command itself began
        raise


def _noticed(items: Iterable[Model], begun: list[bool]) -> Iterator[Model]:
    for item in items:
        begun[:] = [True]
        yield item


def _show_result(result: object, entry: Entry, *, as_json: bool) -> None:
    if as_json:
        write_json(to_json(result) if isinstance(result, Model) else json.encode_stored(result))
    elif result is None or (isinstance(result, Model) and not result.model_fields_set):
        say("Done; the service shows nothing of it.")
    else:
        show_one(result, type(result).__name__ if isinstance(result, Model) else entry.name)


def _ask(request: PreparedRequest[object], entry: Entry, client: Client, *, is_stdin_taken: bool) -> Code | None:
    """Show a write with its effect and ask; give the exit code when it is not to be sent."""
    effect = "unknown to the SDK; the request says all that is known." if entry.method == REQUEST else entry.summary
    question = f"Send this to the environment {client.environment}?"
    shown = [*lines_of(request), "", f"Effect: {effect.replace('`', '')}"]
    return refused(request.operation, shown, question, check="--no-send", is_stdin_taken=is_stdin_taken)


def _show_request(request: PreparedRequest[object], *, as_json: bool) -> Code:
    if as_json:
        shown = {name: getattr(request, name) for name in ("operation", "method", "url")}
        body = None if request.body is None else json.decode(request.body)
        write_json(json.encode_stored({**shown, "headers": dict(request.headers), "body": body}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines_of(request))
    return Code.DONE


def lines_of(request: PreparedRequest[object]) -> Iterator[str]:
    """Show a request as it would be sent, the credential masked."""
    yield f"{request.method} {request.url}"
    for name, value in request.headers.items():
        yield f"{name}: {printable(value)}"
    if request.body is not None:
        yield ""
        yield from _indented(json.decode(request.body))


def _indented(value: object, depth: int = 0, *, lead: str = "", tail: str = "") -> Iterator[str]:
    """Write JSON over several lines, numbers exact."""
    margin = "  " * depth
    parts: Sequence[tuple[str, object]]
    if entries := entries_of(value):
        parts, brackets = [(f"{_text(name)}: ", each) for name, each in entries.items()], "{}"
    elif items := items_of(value):
        parts, brackets = [("", each) for each in items], "[]"
    else:
        yield f"{margin}{lead}{_text(value)}{tail}"
        return
    yield f"{margin}{lead}{brackets[0]}"
    for at, (name, each) in enumerate(parts, 1):
        yield from _indented(each, depth + 1, lead=name, tail="," if at < len(parts) else "")
    yield f"{margin}{brackets[1]}{tail}"


def _text(value: object) -> str:
    return printable(json.encode_stored(value).decode())
