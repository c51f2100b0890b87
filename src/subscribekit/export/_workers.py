"""A list into a folder of Parquet files, read side by side: one file for each partition, whole or not there.

`partitions.json` in the folder holds the windows of time. An export that is begun again reads the partitions that
have no file.
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
"""Rows of one partition."""
_VERSION = 1
_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
_FILE = "partitions.json"


class PartitionedExport:
    """An export into a folder.

    Args:
        client: The reader.
        read: The client's list.
        group: The client's group.
        family: Name of the list.
        folder: Where to.
        what: Which export it is, as a digest.
        arguments: The filters, and the page size.
        columns: Python names of the fields to read; all when absent.
        include_personal: Whether personal fields are read.

    Raises:
        InvalidArgumentError: A column is unknown, or personal and not asked for.
    """

    def __init__(
        self,
        client: BlockingClient,
        read: Callable[..., Pager[Model]],
        group: Group,
        family: str,
        folder: Path,
        what: str,
        arguments: Mapping[str, object],
        columns: Sequence[str] | None,
        *,
        include_personal: bool,
    ) -> None:
        self._client, self._list, self._family = client, read, family
        self._group: Group = group
        self.folder: Path = folder
        self._what, self._arguments = what, arguments
        self._columns, self._include_personal = columns, include_personal
        self.partitions: list[Partition[Model]] = []
        self.missing: list[Partition[Model]] = []
        to_arrow(read(), columns=columns, include_personal=include_personal)  # refused before a folder appears

    @contextlib.contextmanager
    def open(self, *, restart: bool) -> Generator[None]:
        """Choose the partitions, or find those of an earlier export; no other process writes into the folder meanwhile.

        Raises:
            ConfigurationError: The folder can't be used, holds other files, or belongs to another export.
        """
        with self._alone():
            self.partitions = self._chosen(restart=restart)
            self.missing = [each for each in self.partitions if not self._file(each.name).exists()]
            yield

    @property
    def there(self) -> str:
        """How many partitions are there, as a sentence."""
        whole = sum(self._file(each.name).exists() for each in self.partitions)
        return f"{whole:,} of {len(self.partitions):,} partitions are in {self.folder}"

    @property
    def rows(self) -> int:
        """The number of rows in all partitions, of which none is missing."""
        return sum(rows_of(self._file(each.name)) for each in self.partitions)

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
            self._list, size=SIZE, since=_SINCE, **self._arguments
        )
        windows = [[each.name, each.since.isoformat(), each.until.isoformat(), each.count] for each in partitions]
        write_through(kept, json.encode([_VERSION, self._what, windows]))
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
        if (version, what) != (_VERSION, self._what) and not is_replaced:
            raise ConfigurationError(
                f"{self.folder} belongs to another export (other list, filters, columns or environment); choose "
                f"another folder, or {RESTART.text} to begin again"
            )
        return partitions

    def _partition(self, name: str, since: str, until: str, count: int) -> Partition[Model]:
        if Path(name).name != name:
            raise ValueError("the name of a partition contains a path")
        borders = datetime.fromisoformat(since), datetime.fromisoformat(until)
        return Partition(name, *borders, count, self._group, self._family, self._arguments)

    def read(self, workers: int, advanced: Callable[[int], object]) -> None:
        """Read the partitions that are missing.

        Args:
            workers: How many partitions are read at a time.
            advanced: Called with the number of rows that were read, by one thread at a time.
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
