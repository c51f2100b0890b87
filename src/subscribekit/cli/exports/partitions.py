"""A list into a folder of Parquet files, read side by side: one file for each partition, whole or not there.

`partitions.json` in the folder holds the windows of time. A command that is run again reads the partitions that have no
file.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from ... import _json as json
from ..._core.client.base import BlockingClient
from ..._core.lists.pager import Pager
from ..._private_files import reopen, write_through
from ...errors import ConfigurationError
from ...export import Partition, partition, to_arrow
from ...models import Model
from ..calls.catalogue import Entry
from ..output.outcomes import Code
from ..output.screen import progress_bar, say
from .parquet import rows_of, write_partition
from .spool import going_on, lock

SIZE = 10_000
"""Rows of one partition."""
_VERSION = 1
_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
_FILE = "partitions.json"


@dataclass(frozen=True)
class PartitionedExport:
    """An export into a folder.

    Attributes:
        client: The reader.
        read: The client's list.
        entry: The name of the list.
        folder: Where to.
        what: Which export it is, as a digest.
        arguments: The filters, and the page size.
    """

    client: BlockingClient
    read: Callable[..., Pager[Model]]
    entry: Entry
    folder: Path
    what: str
    arguments: Mapping[str, object]

    def run(self, workers: int, columns: str | None, *, include_personal: bool, restart: bool) -> Code:
        """Read what is not there yet."""
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        to_arrow(self.read(), columns=names, include_personal=include_personal)  # refused before a folder appears
        with self._alone():
            partitions = self._chosen(restart=restart)
            missing = [each for each in partitions if not self._file(each.name).exists()]
            if len(missing) < len(partitions):
                say(f"Going on: {self._there(partitions)}.")
            with going_on(lambda: self._there(partitions)):
                self._read(missing, workers, names, include_personal=include_personal)
            rows = sum(rows_of(self._file(each.name)) for each in partitions)
        say(f"{rows:,} rows in {len(partitions):,} files in {self.folder}")
        return Code.DONE

    @contextlib.contextmanager
    def _alone(self) -> Generator[None]:
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            # Windows opens no folder, and replaces no file that another process has open.
            descriptor = None if sys.platform == "win32" else os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise ConfigurationError(f"{self.folder} cannot be a folder of files: {error.strerror}") from None
        try:
            if descriptor is not None:
                lock(descriptor, self.folder)
            yield
        finally:
            if descriptor is not None:
                os.close(descriptor)
            with contextlib.suppress(OSError):
                self.folder.rmdir()  # if nothing was written to it

    def _there(self, partitions: Sequence[Partition[Model]]) -> str:
        whole = sum(self._file(each.name).exists() for each in partitions)
        return f"{whole:,} of {len(partitions):,} partitions are in {self.folder}"

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    def _chosen(self, *, restart: bool) -> list[Partition[Model]]:
        kept = self.folder / _FILE
        if kept.exists():
            partitions = self._kept(kept, is_replaced=restart)
            if not restart:
                return partitions
            for each in partitions:
                self._file(each.name).unlink(missing_ok=True)
            kept.unlink()
        elif any(self.folder.glob("*.parquet")):
            raise ConfigurationError(f"{self.folder} holds other files; choose an empty folder")
        partitions = cast("Callable[..., list[Partition[Model]]]", partition)(
            self.read, size=SIZE, since=_SINCE, **self.arguments
        )
        windows = [[each.name, each.since.isoformat(), each.until.isoformat(), each.count] for each in partitions]
        write_through(kept, json.encode([_VERSION, self.what, windows]))
        return partitions

    def _kept(self, path: Path, *, is_replaced: bool) -> list[Partition[Model]]:
        try:
            with os.fdopen(reopen(path), "rb") as file:
                version, what, windows = cast("list[object]", json.decode(file.read()))
            partitions = [self._partition(*each) for each in cast("list[tuple[str, str, str, int]]", windows)]
        except (json.DamagedJSONError, ValueError, TypeError):
            raise ConfigurationError(f"{path} cannot be read; choose another folder") from None
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be used: {error.strerror}; choose another folder") from None
        if (version, what) != (_VERSION, self.what) and not is_replaced:
            raise ConfigurationError(
                f"{self.folder} belongs to another export (other list, filters, columns or environment); choose "
                "another folder, or give --restart to begin again"
            )
        return partitions

    def _partition(self, name: str, since: str, until: str, count: int) -> Partition[Model]:
        if Path(name).name != name:
            raise ValueError("the name of a partition leads elsewhere")
        borders = datetime.fromisoformat(since), datetime.fromisoformat(until)
        return Partition(name, *borders, count, self.entry.group, self.entry.family, self.arguments)

    def _read(
        self,
        partitions: Sequence[Partition[Model]],
        workers: int,
        columns: Sequence[str] | None,
        *,
        include_personal: bool,
    ) -> None:
        def read(one: Partition[Model]) -> None:
            pager = one.read(self.client)
            for rows in write_partition(self._file(one.name), pager, columns, include_personal=include_personal):
                if stopped.is_set():
                    return
                advance(rows)

        total, read_so_far = sum(each.count for each in partitions), 0
        counting, stopped = threading.Lock(), threading.Event()

        def advance(rows: int) -> None:
            nonlocal read_so_far
            with counting:
                read_so_far += rows
                update(read_so_far, total)

        with progress_bar("rows", total) as update, ThreadPoolExecutor(workers) as threads:
            try:
                reads = [threads.submit(read, each) for each in partitions]
                done, _ = wait(reads, return_when=FIRST_EXCEPTION)
                for each in done:
                    each.result()
            except BaseException:
                stopped.set()
                threads.shutdown(wait=False, cancel_futures=True)
                raise
