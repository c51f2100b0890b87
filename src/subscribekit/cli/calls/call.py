"""`subscribekit call`: any operation by its SDK name, looked at before anything is written."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Annotated, cast

import typer

from ... import _json as json
from ..._core.calls.response import PlannedRequest
from ..._core.client.binding import driver_of
from ..._core.lists.pager import Pager
from ..._core.resolving.verdict import Verdict
from ...errors import OutcomeUnknownError, SubscribekitError
from ...models import Model, to_json
from ..clients import Client, Connection
from ..output.asking import refused
from ..output.nested import entries_of, items_of
from ..output.outcomes import Code, decide, ending, explain
from ..output.render import show_list, show_one
from ..output.screen import for_people, printable, say, write_json
from .arguments import options, values
from .catalogue import REQUEST, Entry

SHOWN = 50
"""Items of a list that a terminal shows by default."""
_LARGEST_PAGE = 100


@dataclass(frozen=True)
class CallOptions:
    """Options of a call other than its arguments."""

    connection: Connection
    as_json: bool
    plan_only: bool
    yes: bool
    columns: str | None
    limit: int | None
    is_stdin_taken: bool


def command(entry: Entry) -> Callable[..., None]:
    """Make the function behind the command of an operation."""
    parameters = [*options(entry), *parameters_of({**_own_options(entry), **CONNECTION})]
    return function_of(parameters, lambda given: _call(entry, given, _call_options(given)))


def function_of(
    parameters: list[inspect.Parameter], work: Callable[[Mapping[str, object]], Code]
) -> Callable[..., None]:
    """Make the function behind a command, which takes these parameters."""

    def run(**given: object) -> None:
        ending(lambda: work(given))

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def parameters_of(own: Mapping[str, tuple[object, object]]) -> list[inspect.Parameter]:
    """Turn names with annotations and defaults into parameters."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(name, kind, annotation=annotation, default=default)
        for name, (annotation, default) in own.items()
    ]


EnvironmentOption = Annotated[
    str | None,
    typer.Option(
        "--environment",
        metavar="NAME",
        help="Where the call goes: sandbox, staging, production or your own name; its addresses and credentials "
        "come from the variables SUBSCRIBEKIT_NAME_... only.  (default: SUBSCRIBEKIT_ENVIRONMENT)",
    ),
]
CaFileOption = Annotated[
    Path | None,
    typer.Option("--ca-file", metavar="FILE", help="Trust these certificate authorities (PEM) instead of the usual."),
]
WireNameOption = Annotated[
    list[str] | None,
    typer.Option(
        "--wire-name", metavar="NAME=WIRE", help="A name that the specification does not show; see WireNames."
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="JSON instead of a table, personal data in clear; a list one item a line.")
]
_PlanOption = Annotated[bool, typer.Option("--plan", help="Show the request and send nothing.")]
_YesOption = Annotated[bool, typer.Option("--yes", help="Send a write without asking.")]
_LimitOption = Annotated[
    str | None,
    typer.Option("--limit", metavar="NUMBER", help=f"Items in all (default: {SHOWN} in a terminal, else all)."),
]
_ColumnsOption = Annotated[
    str | None, typer.Option("--columns", metavar="A,B,...", help="The fields to show, in this order.")
]


CONNECTION: Mapping[str, tuple[object, object]] = {
    "cli_environment": (EnvironmentOption, None),
    "cli_ca_file": (CaFileOption, None),
    "cli_wire_name": (WireNameOption, None),
}


def _own_options(entry: Entry) -> dict[str, tuple[object, object]]:
    return {
        "cli_json": (JsonOption, False),
        "cli_plan": (_PlanOption, False),
        **({"cli_limit": (_LimitOption, None), "cli_columns": (_ColumnsOption, None)} if entry.is_list else {}),
        **({} if entry.is_list else {"cli_yes": (_YesOption, False)}),
    }


def _call_options(given: Mapping[str, object]) -> CallOptions:
    limit, columns = given.get("cli_limit"), given.get("cli_columns")
    return CallOptions(
        connection=connection_of(given),
        as_json=bool(given["cli_json"]),
        plan_only=bool(given["cli_plan"]),
        yes=bool(given.get("cli_yes")),
        columns=None if columns is None else str(columns),
        limit=None if limit is None else whole("--limit", str(limit)),
        is_stdin_taken="-" in given.values(),
    )


def connection_of(given: Mapping[str, object]) -> Connection:
    """Read the options that say where the calls go."""
    return Connection(
        cast("str | None", given["cli_environment"]),
        cast("Path | None", given["cli_ca_file"]),
        cast("list[str] | None", given["cli_wire_name"]) or (),
    )


def whole(option: str, text: str) -> int:
    """Read a count.

    Raises:
        typer.BadParameter: It is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(sys.maxsize)) - 1):
        raise typer.BadParameter("a whole number is needed", param_hint=option)
    return int(text)


def _call(entry: Entry, given: Mapping[str, object], own: CallOptions) -> Code:
    made, arguments, kind = values(entry, given)
    limit = _limit(entry, arguments, own)
    client = own.connection.client(entry.group)
    try:
        if entry.is_list and not own.plan_only:
            pager = cast("Pager[Model]", method_of(client, entry, made)(**arguments))
            return _show_list(pager, cast("type[Model]", kind), own, limit)
        plan = cast("PlannedRequest[object]", method_of(client.plan, entry, made)(**arguments))
        if own.plan_only:
            _show_plan(plan, as_json=own.as_json)
            return Code.DONE
        if plan.method != "GET":
            driver_of(client).settings.refuse_write(plan.operation)  # before a question that leads nowhere
        if plan.method != "GET" and not own.yes:
            code = _ask(plan, entry, client, own)
            if code is not None:
                return code
        return _send(client, plan, entry, as_json=own.as_json)
    finally:
        client.close()


def _send(client: Client, plan: PlannedRequest[object], entry: Entry, *, as_json: bool) -> Code:
    try:
        result = client.send(plan)
    except OutcomeUnknownError as error:
        decide(Code.UNKNOWN)
        explain(error)
        say("Looking what became of it, by reads only; this takes up to half a minute.", "dim")
        try:
            _show_verdict(client.resolve(error))
        except SubscribekitError as failed:  # whatever ends the looking, the outcome of the write is unknown
            say(f"verdict: undecided. {printable(str(failed))}", "bold")
        return Code.UNKNOWN
    try:
        _show_result(result, entry, as_json=as_json)
        sys.stdout.flush()
    except BaseException as error:
        if plan.method != "GET":
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
            "Sending it again does no harm." if verdict.repeatable else "Do not send it again before the operator says."
        ),
    }
    say(f"verdict: {verdict.state}. {told[verdict.state]}", "bold")
    say(printable(verdict.evidence))
    say(f"For the operator: {printable(verdict.quote)}")


def method_of(start: object, entry: Entry, made: Mapping[str, object]) -> Callable[..., object]:
    """Find the method of an operation, on a client or on its plans."""
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


def _limit(entry: Entry, arguments: dict[str, object], own: CallOptions) -> int | None:
    """Tell how many items are shown, and ask for no larger page than that."""
    if not entry.is_list:
        return None
    limit = SHOWN if own.limit is None and for_people() and not own.as_json else own.limit
    size = "limit" if any(each.name == "limit" for each in entry.parameters) else "size"
    if limit is not None and size not in arguments and "checkpoint" not in arguments:
        arguments[size] = min(max(limit, 1), _LARGEST_PAGE)
    return limit


def _show_list(pager: Pager[Model], kind: type[Model], own: CallOptions, limit: int | None) -> Code:
    begun = list[bool]()
    try:
        return _show_items(_noticed(islice(pager, limit), begun), pager, kind, own, limit)
    except SubscribekitError as error:
        if not begun:
            error.checkpoint = None  # where this command itself began
        raise


def _noticed(items: Iterable[Model], begun: list[bool]) -> Iterator[Model]:
    for item in items:
        begun[:] = [True]
        yield item


def _show_items(
    items: Iterable[Model], pager: Pager[Model], kind: type[Model], own: CallOptions, limit: int | None
) -> Code:
    if own.as_json:
        for item in items:
            write_json(to_json(item))
        return Code.DONE
    count = show_list(items, kind, own.columns)
    if for_people():
        total = pager.total_count() if count else 0
        of = "" if total is None else f" of {total}"
        more = f"; go on with --checkpoint {pager.checkpoint}" if limit == count and total != count else ""
        say(f"{count}{of} shown{more}", "dim")
    return Code.DONE


def _show_result(result: object, entry: Entry, *, as_json: bool) -> None:
    if as_json:
        write_json(to_json(result) if isinstance(result, Model) else json.encode_stored(result))
    elif result is None or (isinstance(result, Model) and not result.model_fields_set):
        say("Done; the service shows nothing of it.")
    else:
        show_one(result, type(result).__name__ if isinstance(result, Model) else entry.name)


def _ask(plan: PlannedRequest[object], entry: Entry, client: Client, own: CallOptions) -> Code | None:
    """Show a write with its effect and ask; give the exit code when it is not to be sent."""
    effect = "unknown to the SDK; the request says all that is known." if entry.method == REQUEST else entry.summary
    question = f"Send this to the environment {client.environment}?"
    shown = [*lines_of(plan), "", f"Effect: {effect.replace('`', '')}"]
    return refused(plan.operation, shown, question, is_stdin_taken=own.is_stdin_taken)


def _show_plan(plan: PlannedRequest[object], *, as_json: bool) -> None:
    if as_json:
        body = None if plan.body is None else _readable(plan)
        write_json(
            json.encode_stored(
                {
                    "operation": plan.operation,
                    "method": plan.method,
                    "url": plan.url,
                    "headers": dict(plan.headers),
                    "body": body,
                }
            )
        )
        return
    for line in lines_of(plan):
        sys.stdout.write(f"{line}\n")


def _readable(plan: PlannedRequest[object]) -> object:
    return json.decode(plan.body or b"null")


def lines_of(plan: PlannedRequest[object]) -> Iterator[str]:
    """Show a request as it would be sent, the credential masked."""
    yield f"{plan.method} {plan.url}"
    for name, value in plan.headers.items():
        yield f"{name}: {printable(value)}"
    if plan.body is not None:
        yield ""
        yield from _indented(_readable(plan))


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
