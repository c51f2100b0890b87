"""`subscribekit export`: a list into a file, with progress, that goes on where it stopped when it is run again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ... import _json as json
from ..._core.config.retry_policy import RetryPolicy
from ..._core.lists.pager import Pager
from ...errors import ConfigurationError, SubscribekitError
from ...models import Model
from ..calls.arguments import values
from ..calls.call import connection_of, method_of
from ..calls.catalogue import Entry
from ..clients import Client
from ..output.outcomes import Code
from ..output.screen import progress_bar, say
from .lists import ask_for_large_pages, list_command
from .rows import Csv, Format
from .spool import Spool

if TYPE_CHECKING:
    from .lanes import Lanes

_FileArgument = Annotated[Path, typer.Argument(help="Where to; .csv or .parquet.", metavar="FILE")]
PersonalOption = Annotated[
    bool, typer.Option("--personal", help="Also what models mask: personal data and card numbers, in clear.")
]
_RestartOption = Annotated[
    bool, typer.Option("--restart", help="Begin again, and replace FILE when the new one is whole: for a nightly job.")
]
_LanesOption = Annotated[
    int | None,
    typer.Option("--lanes", min=1, max=64, help="Read parts side by side; FILE is a folder of Parquet files."),
]
_LimitOption = Annotated[str | None, typer.Option("--limit", hidden=True)]
_ColumnsOption = Annotated[
    str | None, typer.Option("--columns", metavar="A,B,...", help="The fields to write, in this order.")
]


_OWN: Mapping[str, tuple[object, object]] = {
    "cli_file": (_FileArgument, inspect.Parameter.empty),
    "cli_columns": (_ColumnsOption, None),
    "cli_lanes": (_LanesOption, None),
    "cli_limit": (_LimitOption, None),
    "cli_personal": (PersonalOption, False),
    "cli_restart": (_RestartOption, False),
}


def command(entry: Entry) -> Callable[..., None]:
    """Make the function behind the command of a list."""
    return list_command(entry, _OWN, _export)


def _export(entry: Entry, given: Mapping[str, object]) -> Code:
    if given["cli_limit"] is not None:
        raise typer.BadParameter(
            "an export is whole: --page-size says how many items a page has, and `subscribekit call "
            f"{entry.name} --limit` gives some items",
            param_hint="--limit",
        )
    made, arguments, kind = values(entry, given)
    file, columns = cast("Path", given["cli_file"]), cast("str | None", given["cli_columns"])
    personal, restart = bool(given["cli_personal"]), bool(given["cli_restart"])
    ask_for_large_pages(entry, arguments)
    connection = connection_of(given)
    with closing(connection.client(entry.group)) as client:
        what = _digest([entry.name, client.environment, client.base_url, file.suffix.lower(), columns, personal], given)
        if given["cli_lanes"] is not None:
            lanes = _lanes(client, entry, made, file, what, arguments)
            return lanes.run(cast("int", given["cli_lanes"]), columns, personal=personal, restart=restart)
        spool = Spool(file, what)
        pager = cast("Pager[Model]", method_of(client, entry, made)(**arguments))
        _format(file, pager, cast("type[Model]", kind), columns, personal=personal)  # refused before a file appears
        with spool.open(restart=restart):
            if spool.progress.checkpoint is not None:
                arguments["checkpoint"] = spool.progress.checkpoint
                say(f"Going on after {spool.progress.rows:,} rows of {spool.partial}.")
            pager = cast("Pager[Model]", method_of(client, entry, made)(**arguments))
            written = _format(file, pager, cast("type[Model]", kind), columns, personal=personal)
            if spool.progress.size == 0:
                spool.write(written.head())
            try:
                _read(written, pager, spool)
            except BaseException as stopped:
                if isinstance(stopped, SubscribekitError):
                    stopped.checkpoint = None  # the file knows it
                stopped.add_note(
                    f"{spool.progress.rows:,} rows are kept in {spool.partial}; run the same command again to go on."
                )
                raise
            spool.finish(written.whole(spool.partial))
    say(f"{spool.progress.rows:,} rows in {file}")
    return Code.DONE


def _lanes(
    client: Client, entry: Entry, made: Mapping[str, object], folder: Path, what: str, arguments: Mapping[str, object]
) -> Lanes:
    """Choose the export into a folder, which needs pyarrow."""
    try:
        from .lanes import Lanes
    except ModuleNotFoundError as error:
        raise missing(error) from None
    together = client.with_options(retry=RetryPolicy(share_retry_after=True))
    method = cast("Callable[..., Pager[Model]]", method_of(together, entry, made))
    return Lanes(together, method, entry, folder, what, arguments)


def missing(error: ModuleNotFoundError) -> Exception:
    """Say which extra a missing module belongs to."""
    return (
        ConfigurationError("Parquet needs an extra: pip install 'subscribekit[arrow]'")
        if error.name == "pyarrow"
        else error
    )


def _format(file: Path, pager: Pager[Model], kind: type[Model], columns: str | None, *, personal: bool) -> Format:
    """Choose by the file's name.

    Raises:
        ConfigurationError: Neither CSV nor Parquet, or the extra for it is missing.
        RequestError: A column is unknown, or personal and not asked for.
    """
    if file.suffix.lower() == ".csv":
        return Csv(pager, kind, columns, personal=personal)
    if file.suffix.lower() != ".parquet":
        raise ConfigurationError(f"{file.name}: the name must end in .csv or .parquet")
    try:
        from .parquet import Parquet
    except ModuleNotFoundError as error:
        raise missing(error) from None
    return Parquet(pager, columns, personal=personal)


def _digest(parts: list[object], given: Mapping[str, object]) -> str:
    """Tell one export from another; filters may be personal, so only a digest of them is kept."""
    filters = {name: str(value) for name, value in given.items() if not name.startswith("cli_") and value}
    return sha256(json.encode([*parts, filters])).hexdigest()


def _read(written: Format, pager: Pager[Model], spool: Spool) -> None:
    with progress_bar("rows", completed=spool.progress.rows) as update:
        for data, rows, mark in written.pages():
            spool.write(data)
            spool.keep(rows, mark)
            # The first page has the number, so this sends nothing.
            update(spool.progress.rows, pager.total_count())
