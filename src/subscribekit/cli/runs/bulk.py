"""The command `subscribekit bulk`, which inspects, resumes, and resolves bulk runs."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from ... import _json as json
from ...bulk import Counts, Item, RateLimit, RecordedOutcome, Run, StopPolicy
from ...errors import ConfigurationError, LedgerError, SubscribekitError
from ..calls.call import lines_of
from ..clients import Connection
from ..commands import command_of
from ..output.asking import refused
from ..output.outcomes import Code, decide
from ..output.screen import printable, progress_bar, say, show_table, write_json, write_line, writes_to_terminal
from .ledgers import opened

_SHOWN = 50
"""Maximum number of items in a terminal."""

LedgerArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="The ledger of the run: a file, or postgresql+psycopg://user@host/name.")
]
_JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
_YesOption = Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")]

commands: typer.Typer = typer.Typer(no_args_is_help=True)


@commands.command()
@command_of
def status(*, ledger: LedgerArgument, as_json: _JsonOption = False, connection: Connection) -> Code:
    """Show the number of items in each state."""
    with opened(ledger, connection) as (found, place):
        _show_counts(found.counts(), place, as_json=as_json)
    return Code.DONE


@commands.command()
@command_of
def resume(
    *,
    ledger: LedgerArgument,
    rate_limit: Annotated[int | None, typer.Option(help="Send at most this many requests per second.", min=1)] = None,
    concurrency: Annotated[int, typer.Option(help="Keep at most this many requests in flight.", min=1, max=256)] = 8,
    max_rejected: Annotated[int, typer.Option(help="Stop after this many rejected items.", min=1)] = 100,
    max_unknown: Annotated[int, typer.Option(help="Stop after this many unknown outcomes.", min=1)] = 20,
    max_items: Annotated[int | None, typer.Option(help="Stop after this many items.", min=1)] = None,
    max_amount: Annotated[
        str | None,
        typer.Option(help="Stop before the total amount sent exceeds this limit, for example 10000 or 99.90."),
    ] = None,
    currency: Annotated[str | None, typer.Option(help="The currency of --max-amount, for example USD.")] = None,
    accept_new_key: Annotated[
        bool, typer.Option("--accept-new-key", help="Resume with a new API key or API user of the same merchant.")
    ] = False,
    accept_moved: Annotated[
        bool,
        typer.Option(
            "--accept-moved",
            help="Accept a ledger file that wasn't closed and whose -wal file is missing or was replaced. Do not use "
            "this option if the ledger is incomplete, because items would be sent again.",
        ),
    ] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show the first requests, and send nothing.")] = False,
    yes: _YesOption = False,
    connection: Connection,
) -> Code:
    """Send the ready items. An item that was sent before is sent again only if it was not carried out.

    The exit code is 4 if the outcome of an item is unknown. If all outcomes are known, the exit code is 1 if an item
    was rejected, and 3 if no item was rejected but items are still ready.
    """
    stop = StopPolicy(
        max_rejected=max_rejected, max_unknown=max_unknown, max_items=max_items, max_amount=_amount(max_amount),
        currency=currency,
    )  # fmt: skip
    limit = None if rate_limit is None else RateLimit(rate_limit)
    with opened(
        ledger, connection, rate_limit=limit, concurrency=concurrency, stop=stop, accept_new_key=accept_new_key,
        accept_moved=accept_moved, is_sent=not preview,
    ) as (found, place):  # fmt: skip
        if preview:
            _show_preview(found)
            return Code.DONE
        ready = found.counts().ready
        shown = _first(found, place)
        question = f"Send {ready:,} items to {place}?"
        if ready and not yes and (code := refused("bulk resume", shown, question, check="--preview")):
            return code
        try:
            _send(found)
        except SubscribekitError:
            if (sent := _code_of_sent(found, ready)) is not None:
                decide(sent)
            raise
        counts = found.counts()
        code = decide(_code_of(counts))
        _show_counts(counts, place, as_json=False)
        if found.stopped:
            say(f"Stopped: {printable(found.stopped)}", "bold")
        return code


@commands.command()
@command_of
def resolve(*, ledger: LedgerArgument, as_json: _JsonOption = False, connection: Connection) -> Code:
    """Check whether the items with an unknown outcome were carried out. Sends only reads.

    Items that were carried out become `done`, and items that were not carried out become `ready`. The exit code is 4 if
    the outcome of some items stays unknown.
    """
    with opened(ledger, connection) as (found, _):
        verdicts = asdict(found.resolve())
        left = list(islice(found.items("unknown"), _SHOWN))
        code = decide(Code.UNKNOWN if left else Code.DONE)
        if as_json:
            write_json(json.encode(verdicts))
        else:
            _show_table(("verdict", "items"), ((name, f"{number:,}") for name, number in verdicts.items()))
        if left and not as_json:
            _show_items(left)
        return code


@commands.command("record-outcome")
@command_of
def record_outcome(
    *,
    ledger: LedgerArgument,
    key: Annotated[str, typer.Argument(help="The key of the item.")],
    state: Annotated[
        RecordedOutcome,
        typer.Argument(
            help="applied: the item was carried out. not_applied: the item wasn't carried out, and the next resume "
            "sends the item again. rejected: the item wasn't carried out, and resume doesn't send the item again."
        ),
    ],
    note: Annotated[str, typer.Option(help="Store a reason, which the command bulk report shows.")] = "",
    yes: _YesOption = False,
    connection: Connection,
) -> Code:
    """Record the outcome of an item after the operator confirmed the outcome."""
    with opened(ledger, connection) as (found, place):
        item = _item(found, key)
        question = f"Record {key!r} of {place} as {state}?"
        if state == "not_applied":
            question = f"{key!r} of {place} will be sent again by the next resume. Record it as not_applied?"
        if not yes and (code := refused("bulk record-outcome", _about(item), question)):
            return code
        item.record_outcome(state, note=note)
        decide(Code.DONE)
        say(f"The state of {printable(item.key)} is now {item.state}.")
    return Code.DONE


@commands.command()
@command_of
def report(
    *,
    ledger: LedgerArgument,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Write all items to this CSV file.")] = None,
    connection: Connection,
) -> Code:
    """List the items and their outcomes, without the requests.

    In a pipe, the command writes all items as CSV. In a terminal, the command shows the first items that aren't done.
    """
    with opened(ledger, connection) as (found, place):
        if to is not None:
            say(f"Wrote {found.report(to):,} items to {to}.")
        elif writes_to_terminal():
            _show_counts(found.counts(), place, as_json=False)
            _show_items(list(islice((item for item in found.items() if item.state != "done"), _SHOWN)))
            say("To write all items to a CSV file, pass --to FILE.", "dim")
        else:
            _write_report(found)
    return Code.DONE


def _write_report(run: Run) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.csv"
        run.report(file)
        with file.open(encoding="utf-8", newline="") as text:
            for line in text:
                sys.stdout.write(line.replace("\r\n", "\n"))


def _item(run: Run, key: str) -> Item:
    for state in ("unknown", "rejected", "ready", "sent", "done"):
        found = next((item for item in run.items(state) if item.key == key), None)
        if found is not None:
            return found
    raise ConfigurationError(f"the run has no item with the key {key!r}. List the keys with bulk report")


def _code_of(counts: Counts) -> Code:
    if counts.unknown or counts.sent:  # the outcome of a sent item isn't recorded yet
        return Code.UNKNOWN
    if counts.rejected:
        return Code.REJECTED
    return Code.NOT_SENT if counts.ready else Code.DONE


def _code_of_sent(run: Run, ready: int) -> Code | None:
    """Return the exit code of a run that ended with an error, or `None` if the run sent no item."""
    try:
        counts = run.counts()
    except LedgerError:
        return Code.UNKNOWN
    return _code_of(counts) if counts.ready < ready else None


def _send(run: Run) -> None:
    with progress_bar("items") as update:

        def show(counts: Counts) -> None:
            update(counts.done + counts.rejected + counts.unknown, counts.total)

        for _ in run.send(progress=show):
            """The ledger stores the outcome."""


def _first(run: Run, place: str) -> Iterator[str]:
    shown = run.preview(1)
    yield from map(str, shown.amounts)
    for each in shown:
        yield f"The first ready item, for {place}:"
        yield from lines_of(each)


def _amount(text: str | None) -> Decimal | None:
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,18}(\.\d{1,9})?", text):
        raise ConfigurationError("--max-amount must be a number in units of --currency, such as 10000 or 99.90")
    return Decimal(text)


def _show_preview(run: Run) -> None:
    shown = run.preview(10)
    for line in map(str, shown.amounts):
        write_line(line)
    for each in shown:
        for line in lines_of(each):
            write_line(line)
        write_line("")
    if not shown:
        say("No item is ready, so bulk resume would send nothing.")


def _show_counts(counts: Counts, place: str, *, as_json: bool) -> None:
    numbers = asdict(counts)
    if as_json:
        write_json(json.encode({**numbers, "place": place}))
        return
    _show_table(
        ("state", "items"),
        ((name, f"{number:,}" if writes_to_terminal() else str(number)) for name, number in numbers.items()),
    )
    say(place, "dim")


def _show_items(items: list[Item]) -> None:
    head = ("key", "operation", "state", "error", "request id", "note")
    _show_table(head, map(_cells, items))


def _cells(item: Item) -> tuple[str, ...]:
    error = "" if item.error is None else type(item.error).__name__
    return (item.key, item.operation, item.state, error, item.request_id or "", item.note or "")


def _about(item: Item) -> Iterator[str]:
    names = ("key", "operation", "state", "error", "request id", "note")
    for name, text in zip(names, _cells(item), strict=True):
        if text:
            yield f"{name}: {printable(text)}"


def _show_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    if not writes_to_terminal():
        write_line("\t".join(head))
        for row in rows:
            write_line("\t".join(printable(text) for text in row))
        return
    show_table(head, (map(printable, row) for row in rows))
