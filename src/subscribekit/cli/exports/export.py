"""`subscribekit export`: a list into a file, with progress, that goes on where it stopped when it is run again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ... import _json as json
from ..._core.config.retry_policy import RetryPolicy
from ..._core.lists.pager import Pager
from ...errors import ConfigurationError, SubscribekitError
from ...models import Model
from ..calls.arguments import options, values
from ..calls.call import CaFileOption, EnvironmentOption, WireNameOption, connection_of, method_of
from ..calls.catalogue import Entry
from ..clients import Client
from ..output.outcomes import Code, ending
from ..output.screen import progress_console, say
from .rows import Csv, Format
from .spool import Spool

if TYPE_CHECKING:
    from .lanes import Lanes

_MOVES = ("checkpoint", "ending_before", "max_pages", "offset", "starting_after")
"""Arguments that choose a part of a list: an export is whole."""
_LARGEST_PAGE = 100

_FileArgument = Annotated[Path, typer.Argument(help="Where to; .csv or .parquet.", metavar="FILE")]
_PersonalOption = Annotated[
    bool, typer.Option("--personal", help="Also what models mask: personal data and card numbers, in clear.")
]
_RestartOption = Annotated[
    bool, typer.Option("--restart", help="Begin anew, and replace FILE when the new one is whole: for a nightly job.")
]
_LanesOption = Annotated[
    int | None,
    typer.Option("--lanes", min=1, max=64, help="Read parts side by side; FILE is a folder of Parquet files."),
]
_LimitOption = Annotated[str | None, typer.Option("--limit", hidden=True)]
_ColumnsOption = Annotated[
    str | None, typer.Option("--columns", metavar="A,B,...", help="The fields to write, in this order.")
]


def command(entry: Entry) -> Callable[..., None]:
    """Make the function behind the command of a list."""

    def run(**given: object) -> None:
        ending(lambda: _export(entry, given))

    filters = [each for each in options(entry) if each.name not in _MOVES]
    parameters = sorted([*filters, *_own_options()], key=lambda each: _ORDER.index(_rank(each)))
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


_ORDER = ("required", "file", "optional")


def _rank(each: inspect.Parameter) -> str:
    """The file is the last of the arguments."""
    if each.name == "cli_file":
        return "file"
    return "required" if each.default is inspect.Parameter.empty else "optional"


def _own_options() -> Iterator[inspect.Parameter]:
    own: dict[str, tuple[object, object]] = {
        "cli_file": (_FileArgument, inspect.Parameter.empty),
        "cli_columns": (_ColumnsOption, None),
        "cli_lanes": (_LanesOption, None),
        "cli_limit": (_LimitOption, None),
        "cli_personal": (_PersonalOption, False),
        "cli_restart": (_RestartOption, False),
        "cli_environment": (EnvironmentOption, None),
        "cli_ca_file": (CaFileOption, None),
        "cli_wire_name": (WireNameOption, None),
    }
    for name, (annotation, default) in own.items():
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


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
    size = "limit" if any(each.name == "limit" for each in entry.parameters) else "size"
    arguments.setdefault(size, _LARGEST_PAGE)
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
            whole = written.whole(spool.partial)
        spool.finish(whole)
    say(f"{spool.progress.rows:,} rows in {file}")
    return Code.DONE


def _lanes(
    client: Client, entry: Entry, made: Mapping[str, object], folder: Path, what: str, arguments: Mapping[str, object]
) -> Lanes:
    """Choose the export into a folder, which needs pyarrow."""
    try:
        from .lanes import Lanes
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    together = client.with_options(retry=RetryPolicy(share_retry_after=True))
    method = cast("Callable[..., Pager[Model]]", method_of(together, entry, made))
    return Lanes(together, method, entry, folder, what, arguments)


def _missing(error: ModuleNotFoundError) -> Exception:
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
        raise _missing(error) from None
    return Parquet(pager, columns, personal=personal)


def _digest(parts: list[object], given: Mapping[str, object]) -> str:
    """Tell one export from another; filters may be personal, so only a digest of them is kept."""
    filters = {name: str(value) for name, value in given.items() if not name.startswith("cli_") and value}
    return sha256(json.encode([*parts, filters])).hexdigest()


def _read(written: Format, pager: Pager[Model], spool: Spool) -> None:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=progress_console(),
        transient=True,
    )
    with bar:
        task = bar.add_task("rows", total=None, completed=spool.progress.rows)
        for data, rows, mark in written.pages():
            spool.write(data)
            spool.keep(rows, mark)
            # The first page has told it, so this asks nobody.
            bar.update(task, completed=spool.progress.rows, total=pager.total_count())
