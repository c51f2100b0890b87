"""`subscribekit export`: a list into a file, with progress, that goes on where it stopped when it is run again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ... import _json as json
from ..._core.config.retry_policy import RetryPolicy
from ..._core.lists.pager import Pager
from ...errors import ConfigurationError
from ...export._spool import Spool
from ...models import Model
from ..calls.arguments import values
from ..calls.call import method_of
from ..calls.catalogue import Entry
from ..clients import Client, NamingConnection
from ..output.outcomes import Code
from ..output.screen import progress_bar, say
from .lists import ask_for_large_pages, list_command
from .resuming import going_on
from .rows import Csv

if TYPE_CHECKING:
    from ...export._parquet import Parquet
    from ...export._workers import PartitionedExport

PersonalOption = Annotated[
    bool, typer.Option("--include-personal", help="Include personal data and card numbers, unmasked.")
]


def _export(
    entry: Entry,
    *,
    file: Annotated[Path, typer.Argument(help="Where to; .csv or .parquet.", metavar="FILE")],
    columns: Annotated[str | None, typer.Option(metavar="A,B,...", help="The fields to write, in this order.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Read partitions in parallel; FILE is a folder of Parquet files."),
    ] = None,
    items: Annotated[str | None, typer.Option("--limit", hidden=True)] = None,
    include_personal: PersonalOption = False,
    restart: Annotated[
        bool,
        typer.Option("--restart", help="Begin again, and replace FILE when the new one is whole: for a nightly job."),
    ] = False,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    if items is not None:
        raise typer.BadParameter(
            "an export is whole: --page-size says how many items a page has, and `subscribekit call "
            f"{entry.name} --limit` gives some items",
            param_hint="--limit",
        )
    made, arguments, kind = values(entry, typed)
    ask_for_large_pages(entry, arguments)
    with closing(connection.client(entry.group)) as client:
        what = _digest(
            [entry.name, client.environment, client.base_url, file.suffix.lower(), columns, include_personal], typed
        )
        if workers is not None:
            partitioned = _partitioned(
                client, entry, made, file, what, arguments, _names(columns), include_personal=include_personal
            )
            return _read_partitions(partitioned, workers, restart=restart)
        spool = Spool(file, what)
        pager = cast("Pager[Model]", method_of(client, entry, made)(**arguments))
        _format(
            file, pager, cast("type[Model]", kind), columns, include_personal=include_personal
        )  # refused before a file appears
        with spool.open(restart=restart):
            if spool.progress.checkpoint is not None:
                arguments["checkpoint"] = spool.progress.checkpoint
                say(f"Going on after {spool.progress.rows:,} rows of {spool.partial}.")
            pager = cast("Pager[Model]", method_of(client, entry, made)(**arguments))
            written = _format(file, pager, cast("type[Model]", kind), columns, include_personal=include_personal)
            if spool.progress.size == 0:
                spool.write(written.head())
            with going_on(lambda: f"{spool.progress.rows:,} rows are kept in {spool.partial}"):
                _read(written, pager, spool)
            spool.finish(written.whole(spool.partial))
    say(f"{spool.progress.rows:,} rows in {file}")
    return Code.DONE


command: Callable[[Entry], Callable[..., None]] = partial(list_command, _export)


def _partitioned(
    client: Client,
    entry: Entry,
    made: Mapping[str, object],
    folder: Path,
    what: str,
    arguments: Mapping[str, object],
    columns: list[str] | None,
    *,
    include_personal: bool,
) -> PartitionedExport:
    """Choose the export into a folder, which needs pyarrow."""
    with needing_arrow():
        from ...export._workers import PartitionedExport
    together = client.with_options(retry=RetryPolicy(share_retry_after=True))
    method = cast("Callable[..., Pager[Model]]", method_of(together, entry, made))
    return PartitionedExport(
        together, method, entry.group, entry.family, folder, what, arguments, columns,
        include_personal=include_personal,
    )  # fmt: skip


def _read_partitions(export: PartitionedExport, workers: int, *, restart: bool) -> Code:
    with export.open(restart=restart):
        if len(export.missing) < len(export.partitions):
            say(f"Going on: {export.there}.")
        total = sum(each.count for each in export.missing)
        with going_on(lambda: export.there), progress_bar("rows", total) as update:
            export.read(workers, lambda rows: update(rows, total))
        rows = export.rows
    say(f"{rows:,} rows in {len(export.partitions):,} files in {export.folder}")
    return Code.DONE


def _names(columns: str | None) -> list[str] | None:
    return None if columns is None else [name.strip() for name in columns.split(",")]


@contextmanager
def needing_arrow() -> Generator[None]:
    """Say which extra pyarrow belongs to when it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ConfigurationError("Parquet needs an extra: pip install 'subscribekit[arrow]'") from None


def _format(
    file: Path, pager: Pager[Model], kind: type[Model], columns: str | None, *, include_personal: bool
) -> Csv | Parquet:
    """Choose by the file's name.

    Raises:
        ConfigurationError: Neither CSV nor Parquet, or the extra for it is missing.
        InvalidArgumentError: A column is unknown, or personal and not asked for.
    """
    if file.suffix.lower() == ".csv":
        return Csv(pager, kind, columns, include_personal=include_personal)
    if file.suffix.lower() != ".parquet":
        raise ConfigurationError(f"{file.name}: the name must end in .csv or .parquet")
    with needing_arrow():
        from ...export._parquet import Parquet
    return Parquet(pager, _names(columns), include_personal=include_personal)


def _digest(parts: list[object], typed: Mapping[str, object]) -> str:
    """Tell one export from another; filters may be personal, so only a digest of them is kept."""
    filters = {name: str(value) for name, value in typed.items() if value}
    return sha256(json.encode([*parts, filters])).hexdigest()


def _read(written: Csv | Parquet, pager: Pager[Model], spool: Spool) -> None:
    with progress_bar("rows", completed=spool.progress.rows) as update:
        for data, rows, mark in written.pages():
            spool.write(data)
            spool.keep(rows, mark)
            # The first page has the number, so this sends nothing.
            update(spool.progress.rows, pager.total_count())
