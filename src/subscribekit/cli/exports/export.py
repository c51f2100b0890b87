"""The command `subscribekit export`, which writes a list to a file, and can resume a stopped export."""

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
from .resuming import noting_how_to_resume
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
    file: Annotated[Path, typer.Argument(help="Write the list to this .csv or .parquet file.", metavar="FILE")],
    columns: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Write only these fields, in this order.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=64, help="Read this many partitions in parallel, and write Parquet files to the folder FILE."
        ),
    ] = None,
    items: Annotated[str | None, typer.Option("--limit", hidden=True)] = None,
    include_personal: PersonalOption = False,
    restart: Annotated[
        bool,
        typer.Option("--restart", help="Start over, and replace FILE when the export is complete."),
    ] = False,
    connection: NamingConnection,
    **typed: object,
) -> Code:
    if items is not None:
        raise typer.BadParameter(
            "an export always contains the whole list. To set the page size, use --page-size. To show only some items, "
            f"run: subscribekit call {entry.name} --limit NUMBER",
            param_hint="--limit",
        )
    of_resource, arguments, kind = values(entry, typed)
    ask_for_large_pages(entry, arguments)
    with closing(connection.client(entry.group)) as client:
        export_id = _digest(
            [entry.name, client.environment, client.base_url, file.suffix.lower(), columns, include_personal], typed
        )
        if workers is not None:
            partitioned = _partitioned(
                client, entry, of_resource, file, export_id, arguments, _names(columns),
                include_personal=include_personal,
            )  # fmt: skip
            return _read_partitions(partitioned, workers, restart=restart)
        spool = Spool(file, export_id)
        pager = cast("Pager[Model]", method_of(client, entry, of_resource)(**arguments))
        # Check the columns before a file is created.
        _format(file, pager, cast("type[Model]", kind), columns, include_personal=include_personal)
        with spool.open(restart=restart):
            if spool.progress.checkpoint is not None:
                arguments["checkpoint"] = spool.progress.checkpoint
                say(f"Resuming after {spool.progress.rows:,} rows in {spool.partial}.")
            pager = cast("Pager[Model]", method_of(client, entry, of_resource)(**arguments))
            output = _format(file, pager, cast("type[Model]", kind), columns, include_personal=include_personal)
            if spool.progress.size == 0:
                spool.write(output.head())
            with noting_how_to_resume(lambda: f"{spool.progress.rows:,} rows are stored in {spool.partial}"):
                _read(output, pager, spool)
            spool.finish(output.complete(spool.partial))
    say(f"Wrote {spool.progress.rows:,} rows to {file}.")
    return Code.DONE


command: Callable[[Entry], Callable[..., None]] = partial(list_command, _export)


def _partitioned(
    client: Client,
    entry: Entry,
    of_resource: Mapping[str, object],
    folder: Path,
    export_id: str,
    arguments: Mapping[str, object],
    columns: list[str] | None,
    *,
    include_personal: bool,
) -> PartitionedExport:
    """Create an export to a folder. All threads share one client, so that all threads obey a `Retry-After` header."""
    with requiring_arrow():
        from ...export._workers import PartitionedExport
    shared = client.with_options(retry=RetryPolicy(share_retry_after=True))
    method = cast("Callable[..., Pager[Model]]", method_of(shared, entry, of_resource))
    return PartitionedExport(
        shared, method, entry.group, entry.resource, folder, export_id, arguments, columns,
        include_personal=include_personal,
    )  # fmt: skip


def _read_partitions(export: PartitionedExport, workers: int, *, restart: bool) -> Code:
    with export.open(restart=restart):
        if len(export.missing) < len(export.partitions):
            say(f"Resuming. {export.summary()}.")
        total = sum(each.count for each in export.missing)
        with noting_how_to_resume(export.summary), progress_bar("rows", total) as update:
            export.read(workers, lambda rows: update(rows, total))
        rows = export.rows
    say(f"Wrote {rows:,} rows to {len(export.partitions):,} files in {export.folder}.")
    return Code.DONE


def _names(columns: str | None) -> list[str] | None:
    return None if columns is None else [name.strip() for name in columns.split(",")]


@contextmanager
def requiring_arrow() -> Generator[None]:
    """If pyarrow is missing, raise an error that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ConfigurationError("Parquet requires the 'arrow' extra; run: pip install 'subscribekit[arrow]'") from None


def _format(
    file: Path, pager: Pager[Model], kind: type[Model], columns: str | None, *, include_personal: bool
) -> Csv | Parquet:
    """Return the output format for the suffix of the file.

    Raises:
        ConfigurationError: The suffix is neither .csv nor .parquet, or the extra for Parquet isn't installed.
        InvalidArgumentError: A column is unknown, or a column is personal and `include_personal` isn't set.
    """
    if file.suffix.lower() == ".csv":
        return Csv(pager, kind, columns, include_personal=include_personal)
    if file.suffix.lower() != ".parquet":
        raise ConfigurationError(f"the file name must end in .csv or .parquet: {file.name}")
    with requiring_arrow():
        from ...export._parquet import Parquet
    return Parquet(pager, _names(columns), include_personal=include_personal)


def _digest(parts: list[object], typed: Mapping[str, object]) -> str:
    """Return a digest that identifies an export. Filters aren't stored, because a filter can contain personal data."""
    filters = {name: str(value) for name, value in typed.items() if value}
    return sha256(json.encode([*parts, filters])).hexdigest()


def _read(output: Csv | Parquet, pager: Pager[Model], spool: Spool) -> None:
    with progress_bar("rows", completed=spool.progress.rows) as update:
        for data, rows, checkpoint in output.pages():
            spool.write(data)
            spool.commit(rows, checkpoint)
            # `total_count` sends nothing here, because the first page contained the total number of items.
            update(spool.progress.rows, pager.total_count())
