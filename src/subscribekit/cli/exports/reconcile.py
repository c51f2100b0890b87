"""The command `subscribekit reconcile`, which compares a file with a list. Sends only reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, TypeAlias, cast

import typer

from ... import _json as json
from ..._core.lists.pager import Pager
from ..._private_files import reopen
from ...errors import ConfigurationError
from ...export._plain import plain
from ...export._spool import refused
from ...models import Model
from ...reconcile import Difference, ReconcileError, Reconciliation
from ...reconcile._report import HEAD
from ...reconcile._rows import Rows
from ..calls.arguments import values
from ..calls.call import method_of
from ..calls.catalogue import Entry
from ..clients import NamingConnection
from ..output.outcomes import Code, decide
from ..output.render import cell
from ..output.screen import progress_bar, say, show_table, write_json, write_line, writes_to_terminal
from .export import PersonalOption
from .lists import ask_for_large_pages, list_command
from .resuming import noting_how_to_resume
from .tables import opened_table

_SHOWN = 50
"""Maximum number of differences in a terminal."""
_Found: TypeAlias = Difference[Model]


def _reconcile(
    entry: Entry,
    *,
    key: Annotated[str, typer.Option(metavar="NAME", help="Match rows by this field and column, for example id.")],
    file: Annotated[Path, typer.Argument(help="Compare the table in this .csv or .parquet file.", metavar="FILE")],
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=COLUMN", help="Compare the field PATH with your column COLUMN. Repeatable."),
    ] = None,
    compare_scale: Annotated[bool, typer.Option("--compare-scale", help="Report 19.9 and 19.90 as different.")] = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the differences to this CSV file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with one difference per line.")] = False,
    include_personal: PersonalOption = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Read the whole list again, instead of resuming an interrupted command.")
    ] = False,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    of_resource, arguments, _ = values(entry, typed)
    fields = _fields(field or ())
    ask_for_large_pages(entry, arguments)
    with (
        opened_table(file, [key, *fields.values()]) as rows,
        closing(connection.client(entry.group, read_only=True)) as client,
    ):
        pager = cast("Pager[Model]", method_of(client, entry, of_resource)(**arguments))
        kept = file.with_name(f"{file.name}.reconcile")
        if restart:
            _remove(kept)
        elif _is_left(kept):
            say(f"Resuming with {kept}.")
        try:
            check = Reconciliation(kept, pager, key=key, fields=fields, compare_scale=compare_scale)
            code = _compare(check, kept, rows, report, as_json=as_json, include_personal=include_personal)
        except ReconcileError as error:
            if error.outcome == "not_sent":
                raise ConfigurationError(str(error)) from None
            raise
        _remove(kept)
        return code


command: Callable[[Entry], Callable[..., None]] = partial(list_command, _reconcile)


def _compare(
    check: Reconciliation[Model], kept: Path, rows: Rows, report: Path | None, *, as_json: bool, include_personal: bool
) -> Code:
    with check:
        with noting_how_to_resume(lambda: f"The pages so far are stored in {kept}"), progress_bar("read") as update:
            check.read(progress=update)
        check.compare(rows)
        with _showing(check.differences()) as differences:
            _show(differences, as_json=as_json, include_personal=include_personal)
        counts = asdict(check.counts())
        is_equal = not (counts["local_only"] or counts["remote_only"] or counts["differs"])
        code = decide(Code.DONE if is_equal else Code.DIFFERENCES)
        if report is not None:
            say(f"Wrote {check.report(report, include_personal=include_personal):,} differences to {report}.")
    say("; ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in counts.items()), "bold")
    return code


@contextmanager
def _showing(differences: Iterator[_Found]) -> Generator[Iterator[_Found]]:
    """If the output fails, keep the exit code that states whether differences were found."""
    first = list(islice(differences, 1))
    try:
        yield chain(first, differences)
    except OSError:
        decide(Code.DIFFERENCES if first else Code.DONE)
        raise


def _show(differences: Iterable[_Found], *, as_json: bool, include_personal: bool) -> None:
    if as_json:
        for each in differences:
            # Pass `include_personal=True`, because `_values` has already masked the personal values.
            shown = (plain(value, include_personal=True) for value in _values(each, include_personal))
            write_json(json.encode_stored(dict(zip(HEAD, shown, strict=True))))
        return
    if not writes_to_terminal():
        write_line("\t".join(HEAD))
        for each in differences:
            write_line("\t".join(_cells(each, include_personal)))
        return
    waiting = iter(differences)
    rows = [_cells(each, include_personal) for each in islice(waiting, _SHOWN)]
    more = sum(1 for _ in waiting)
    if rows:
        show_table(HEAD, rows)
    if more:
        say(f"{more:,} more differences. To write all to a CSV file, pass --report FILE.", "dim")


def _values(each: _Found, include_personal: bool) -> tuple[object, ...]:
    key, local, remote = (each.key, each.local, each.remote) if include_personal else each.masked()
    return key, each.kind, each.field, local, remote


def _cells(each: _Found, include_personal: bool) -> list[str]:
    return [
        ", ".join(map(cell, cast("list[object]", value))) if isinstance(value, list) else cell(value)
        for value in _values(each, include_personal)
    ]


def _fields(given: Sequence[str]) -> dict[str, str]:
    """Parse `--field PATH=COLUMN`. A value without `=` is both the path and the column."""
    found: dict[str, str] = {}
    for each in given:
        path, _, column = each.partition("=")
        if not path or path in found:
            raise typer.BadParameter(
                f"{each!r} must be PATH=COLUMN; each path can occur only once", param_hint="--field"
            )
        found[path] = column or path
    return found


def _is_left(kept: Path) -> bool:
    """Return whether an earlier command left a file from which this command can resume.

    Raises:
        ConfigurationError: The file is a link, belongs to another user, or can be read or changed by other users.
    """
    try:
        os.close(reopen(kept))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise refused(kept, error) from None
    return True


def _remove(kept: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        kept.with_name(kept.name + suffix).unlink(missing_ok=True)
