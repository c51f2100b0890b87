"""Exports a list to a folder of Parquet files, with parallel reads and one file for each partition.

`partitions.json` in the folder contains the time range of each partition. A resumed export reads the partitions that
have no file, because a partition's file exists only if the file is complete.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from .. import _json as json
from .._core.client.sync_client import BlockingClient
from .._core.config.environments import Group
from .._core.lists.pager import Pager
from .._hints.python_advice import RESTART
from .._private_files import reopen, write_through
from ..errors import ConfigurationError
from ..models import Model
from . import Partition, partition, to_arrow
from ._parquet import rows_of, write_partition
from ._spool import lock

SIZE = 10_000
"""Maximum number of rows in a partition."""
_VERSION = 1
_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
_FILE = "partitions.json"


class PartitionedExport:
    """An export to a folder.

    Args:
        client: The client that reads the list.
        read: The list method of the client.
        group: The API of the client.
        resource: The resource that is listed, such as `accounts`.
        folder: The folder for the files.
        export_id: A digest of the list, the filters, the columns, and the environment.
        arguments: The filters, and the page size.
        columns: Python names of the fields to read. The default is all columns.
        include_personal: Whether to read personal fields.

    Raises:
        InvalidArgumentError: A column is unknown, or a column is personal and `include_personal` isn't set.
    """

    def __init__(
        self,
        client: BlockingClient,
        read: Callable[..., Pager[Model]],
        group: Group,
        resource: str,
        folder: Path,
        export_id: str,
        arguments: Mapping[str, object],
        columns: Sequence[str] | None,
        *,
        include_personal: bool,
    ) -> None:
        self._client, self._list, self._resource = client, read, resource
        self._group: Group = group
        self.folder: Path = folder
        self._export_id, self._arguments = export_id, arguments
        self._columns, self._include_personal = columns, include_personal
        self.partitions: list[Partition[Model]] = []
        self.missing: list[Partition[Model]] = []
        # Check the columns before the folder is created.
        to_arrow(read(), columns=columns, include_personal=include_personal)

    @contextlib.contextmanager
    def open(self, *, restart: bool) -> Generator[None]:
        """Lock the folder, and load the partitions of an earlier export or create new partitions.

        Raises:
            ConfigurationError: The folder can't be used, contains other Parquet files, or belongs to another export.
        """
        with self._locked():
            self.partitions = self._load_or_create(restart=restart)
            self.missing = [each for each in self.partitions if not self._file(each.name).exists()]
            yield

    def summary(self) -> str:
        """Return a sentence, without a period, that states the number of complete partitions."""
        complete = sum(self._file(each.name).exists() for each in self.partitions)
        return f"{complete:,} of {len(self.partitions):,} partitions are in {self.folder}"

    @property
    def rows(self) -> int:
        """The number of rows in all partitions. Read this property only if the files of all partitions exist."""
        return sum(rows_of(self._file(each.name)) for each in self.partitions)

    @contextlib.contextmanager
    def _locked(self) -> Generator[None]:
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            # Windows can't open a folder. On Windows, the lock isn't necessary, because an open file can't be replaced.
            descriptor = None if sys.platform == "win32" else os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise ConfigurationError(
                f"{self.folder} can't be used as the folder for the files: {error.strerror}; choose another folder"
            ) from None
        try:
            if descriptor is not None:
                lock(descriptor, self.folder)
            yield
        finally:
            if descriptor is not None:
                os.close(descriptor)
            with contextlib.suppress(OSError):
                self.folder.rmdir()  # this call removes the folder only if it's empty

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    def _load_or_create(self, *, restart: bool) -> list[Partition[Model]]:
        stored = self.folder / _FILE
        if stored.exists():
            partitions = self._load(stored, is_replaced=restart)
            if not restart:
                return partitions
            for each in partitions:
                self._file(each.name).unlink(missing_ok=True)
            stored.unlink()
        elif any(self.folder.glob("*.parquet")):
            raise ConfigurationError(f"{self.folder} contains other Parquet files; choose an empty folder")
        partitions = cast("Callable[..., list[Partition[Model]]]", partition)(
            self._list, size=SIZE, since=_SINCE, **self._arguments
        )
        windows = [[each.name, each.since.isoformat(), each.until.isoformat(), each.count] for each in partitions]
        write_through(stored, json.encode([_VERSION, self._export_id, windows]))
        return partitions

    def _load(self, path: Path, *, is_replaced: bool) -> list[Partition[Model]]:
        try:
            with os.fdopen(reopen(path), "rb") as file:
                version, export_id, windows = cast("list[object]", json.decode(file.read()))
            partitions = [self._partition(*each) for each in cast("list[tuple[str, str, str, int]]", windows)]
        except (json.DamagedJSONError, ValueError, TypeError):
            raise ConfigurationError(f"{path} is damaged; choose another folder") from None
        except OSError as error:
            raise ConfigurationError(f"{path} can't be used: {error.strerror}; choose another folder") from None
        if (version, export_id) != (_VERSION, self._export_id) and not is_replaced:
            raise ConfigurationError(
                f"{self.folder} belongs to another export, with a different list, filters, columns, or environment; "
                f"choose another folder, or {RESTART.text} to start over"
            )
        return partitions

    def _partition(self, name: str, since: str, until: str, count: int) -> Partition[Model]:
        if Path(name).name != name:
            raise ValueError("the name of a partition must be a plain file name, without a path")
        borders = datetime.fromisoformat(since), datetime.fromisoformat(until)
        return Partition(name, *borders, count, self._group, self._resource, self._arguments)

    def read(self, workers: int, advanced: Callable[[int], object]) -> None:
        """Read the partitions that have no file.

        Args:
            workers: The number of partitions to read in parallel.
            advanced: A function that is called with the number of rows read so far, by one thread at a time.
        """
        read_so_far = 0
        counting, stopped = threading.Lock(), threading.Event()

        def advance(rows: int) -> None:
            nonlocal read_so_far
            with counting:
                read_so_far += rows
                advanced(read_so_far)

        def read(one: Partition[Model]) -> None:
            pager, file = one.read(self._client), self._file(one.name)
            for rows in write_partition(file, pager, self._columns, include_personal=self._include_personal):
                if stopped.is_set():
                    return
                advance(rows)

        with ThreadPoolExecutor(workers) as threads:
            try:
                reads = [threads.submit(read, each) for each in self.missing]
                done, _ = wait(reads, return_when=FIRST_EXCEPTION)
                for each in done:
                    each.result()
            except BaseException:
                stopped.set()
                threads.shutdown(wait=False, cancel_futures=True)
                raise
