"""The command `subscribekit call`, which calls an operation and asks for confirmation before a write."""

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
from ..output.screen import printable, say, write_json, writes_to_terminal
from .arguments import LARGEST_PAGE, options, page_size_of, values
from .catalogue import REQUEST, Entry

SHOWN = 50
"""Default number of list items in a terminal."""


_COUNT = re.compile(r"[0-9]{1,18}")

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON with unmasked personal data. A list has one line per item.")
]
_NoSendOption = Annotated[bool, typer.Option("--no-send", help="Show the request, and send nothing.")]


def command(entry: Entry) -> Callable[..., None]:
    """Return the function that runs `subscribekit call` for an operation."""
    return command_of(partial(_call_list if entry.is_list else _call, entry), options(entry))


def _call_list(
    entry: Entry,
    *,
    as_json: JsonOption = False,
    no_send: _NoSendOption = False,
    items: Annotated[
        str | None,
        typer.Option(
            "--limit",
            metavar="NUMBER",
            help=f"Show at most this many items. By default, a table in a terminal shows {SHOWN} items, and other "
            "output contains all items.",
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Show only these fields, in this order.")
    ] = None,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    limit = _count(items) if items is not None else SHOWN if writes_to_terminal() and not as_json else None
    of_resource, arguments, kind = values(entry, typed)
    if limit is not None and "checkpoint" not in arguments:
        arguments.setdefault(page_size_of(entry), min(max(limit, 1), LARGEST_PAGE))
    with closing(connection.client(entry.group)) as client:
        if no_send:
            return _show_request(_prepared(client, entry, of_resource, arguments), as_json=as_json)
        pager = cast("Pager[Model]", method_of(client, entry, of_resource)(**arguments))
        _show_list(pager, cast("type[Model]", kind), columns, limit, as_json=as_json)
    return Code.DONE


def _call(
    entry: Entry,
    *,
    as_json: JsonOption = False,
    no_send: _NoSendOption = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send a write without asking for confirmation.")] = False,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    of_resource, arguments, _ = values(entry, typed)
    with closing(connection.client(entry.group)) as client:
        request = _prepared(client, entry, of_resource, arguments)
        if no_send:
            return _show_request(request, as_json=as_json)
        if request.method != "GET":
            # If the client is read-only, refuse the write before asking the user for confirmation.
            driver_of(client).settings.refuse_write(request.operation)
            code = None if yes else _ask(request, entry, client, is_stdin_taken="-" in typed.values())
            if code is not None:
                return code
        return _send(client, request, entry, as_json=as_json)


def _prepared(
    client: Client, entry: Entry, of_resource: Mapping[str, object], arguments: Mapping[str, object]
) -> PreparedRequest[object]:
    return cast("PreparedRequest[object]", method_of(client.prepare, entry, of_resource)(**arguments))


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise typer.BadParameter("the value must be a whole number, such as 50", param_hint="--limit")
    return int(text)


def _send(client: Client, request: PreparedRequest[object], entry: Entry, *, as_json: bool) -> Code:
    try:
        result = client.send(request)
    except OutcomeUnknownError as error:
        decide(Code.UNKNOWN)
        explain(error)
        say("Checking whether it was carried out. This sends only reads, and takes up to 30 seconds.", "dim")
        try:
            _show_verdict(client.resolve(error))
        except SubscribekitError as failed:  # if the reads fail, the outcome of the write stays unknown
            say(f"Verdict: undecided. {printable(str(failed))}", "bold")
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
    advice = {
        "applied": "The request was carried out. Do not send it again.",
        "in_effect": "The service already has the requested state, so there's nothing left to do.",
        "not_applied": "The request wasn't carried out. You can send it again.",
        "undecided": "The reads can't show whether it was carried out. "
        + (
            "You can safely send it again."
            if verdict.safe_to_retry
            else "Do not send it again before the operator confirms that it wasn't carried out."
        ),
    }
    say(f"Verdict: {verdict.state}. {advice[verdict.state]}", "bold")
    say(printable(verdict.evidence))
    say(f"For the operator: {printable(verdict.support_details)}")


def method_of(start: object, entry: Entry, of_resource: Mapping[str, object]) -> Callable[..., object]:
    """Return the method of an operation, bound to a client or to `client.prepare`.

    Args:
        start: The client, or `client.prepare`.
        entry: The operation.
        of_resource: The arguments of the client method that creates the resource.
    """
    resource = start
    if entry.resource:
        resource = attrgetter(entry.resource)(start)
        if entry.factory is not None:
            resource = cast("Callable[..., object]", resource)(**of_resource)
    method = cast("Callable[..., object]", attrgetter(entry.method)(resource))
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
    items = _recording_start(islice(pager, limit), begun)
    try:
        if as_json:
            for item in items:
                write_json(to_json(item))
            return
        count = show_list(items, kind, columns)
        if writes_to_terminal():
            total = pager.total_count() if count else 0
            of = "" if total is None else f" of {total}"
            say(f"{count}{of} items shown.", "dim")
            if limit == count and total != count:
                say(f"For more, run the command again with --checkpoint {pager.checkpoint}", "dim")
    except SubscribekitError as error:
        if not begun:
            # If the first item can't be read, remove the checkpoint, which is only the position at which this command
            # started.
            error.checkpoint = None
        raise


def _recording_start(items: Iterable[Model], begun: list[bool]) -> Iterator[Model]:
    for item in items:
        begun[:] = [True]
        yield item


def _show_result(result: object, entry: Entry, *, as_json: bool) -> None:
    if as_json:
        write_json(to_json(result) if isinstance(result, Model) else json.encode_stored(result))
    elif result is None or (isinstance(result, Model) and not result.model_fields_set):
        say("Done. The service returned no details.")
    else:
        show_one(result, type(result).__name__ if isinstance(result, Model) else entry.name)


def _ask(request: PreparedRequest[object], entry: Entry, client: Client, *, is_stdin_taken: bool) -> Code | None:
    """Show a write and its effect, and ask for confirmation. If the user doesn't confirm, return an exit code."""
    effect = "unknown to the SDK, because it's a generic request." if entry.method == REQUEST else entry.summary
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
    """Yield the lines of a request, with the credential masked."""
    yield f"{request.method} {request.url}"
    for name, value in request.headers.items():
        yield f"{name}: {printable(value)}"
    if request.body is not None:
        yield ""
        yield from _indented(json.decode(request.body))


def _indented(value: object, depth: int = 0, *, lead: str = "", tail: str = "") -> Iterator[str]:
    """Yield the lines of indented JSON, with exact numbers."""
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
