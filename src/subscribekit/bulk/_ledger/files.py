"""Keeps the SQLite files of this process open, so that the process keeps its locks on them.

The locks on a file belong to a process. If a process closes any descriptor of a file, the process loses all its locks
on the file, even the locks of another run (H140). A forked child inherits connections that seem to hold locks, but the
child doesn't hold the locks (H141). SQLite in other processes can't detect that a process without locks uses the file.
When the last process with locks closes the file, SQLite therefore deletes the `-wal`, and the record of sent items is
lost.
"""

import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

from ..._core.config.clock import SYSTEM
from ..._private_files import create, look_into
from ..._sqlite_files import HEAD, Identity, identity_of
from ...errors import LedgerError
from .._sending.runtime import SystemThread

_LONGEST_WAIT = 10.0
"""Maximum number of seconds that a fork waits for open transactions."""
_POLL_INTERVAL = 0.001
"""Seconds between two checks for open transactions.

A `Condition` isn't used here, because it stays locked if a signal handler raises an exception inside its methods.
"""


class _Pool(Protocol):
    def dispose(self) -> None: ...


@dataclass(slots=True)
class OpenFile:
    """A file that the SDK keeps open with its own descriptor. SQLite's descriptors of the file are closed first."""

    descriptor: int
    users: int = 0
    is_foreign: bool = False

    def head(self) -> bytes:
        """Return the first bytes of the file."""
        with _files.lock:  # two threads must not share a file position, and Windows has no `pread`
            os.lseek(self.descriptor, 0, os.SEEK_SET)
            return os.read(self.descriptor, HEAD)

    @property
    def identity(self) -> Identity:
        """The device and inode of the file. While the file is open, no other file can have the same identity."""
        return identity_of(os.fstat(self.descriptor))


class _Transaction:
    """An entry for an open transaction.

    If an interrupt skips the end of the function `transaction`, garbage collection removes the entry (H167).
    """


class _Files:
    """The open files and the open transactions of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: dict[Identity, OpenFile] = {}
        self.pools: WeakSet[_Pool] = WeakSet()
        self.transactions: WeakSet[_Transaction] = WeakSet()
        self.forking_until = 0.0
        self.is_ready_to_fork = False

    def begin(self, transaction: _Transaction) -> bool:
        """Add a transaction, or return `False` while a fork waits for the open transactions."""
        with self.lock:
            if SYSTEM.monotonic() < self.forking_until:
                return False
            self.transactions.add(transaction)
            return True


_files = _Files()


def hold(path: Path) -> OpenFile:
    """Open a file, or create a file that only its owner can read. Call `release` to close the file.

    Raises:
        OSError: The file can't be opened.
    """
    with _files.lock:
        file = _open_already(path)
        if file is None:
            try:
                descriptor = create(path)
            except FileExistsError:
                descriptor = look_into(path)
            file = _files.open.setdefault(identity_of(os.fstat(descriptor)), OpenFile(descriptor))
        file.users += 1
        return file


def _open_already(path: Path) -> OpenFile | None:
    try:
        return _files.open.get(identity_of(path.stat()))
    except FileNotFoundError:
        return None


def release(file: OpenFile) -> None:
    """Close the SDK's own descriptor of a file, unless another run uses the file.

    Call this function only after SQLite has closed the file.
    """
    with _files.lock:
        file.users -= 1
        if not file.users:
            _files.open = {inode: each for inode, each in _files.open.items() if each is not file}
            os.close(file.descriptor)


def share(pool: _Pool) -> None:
    """Register a connection pool. The idle connections of the pool are closed before each fork."""
    with _files.lock:
        _files.pools.add(pool)


@contextmanager
def transaction() -> Generator[None]:
    """Delay forks until the end of this block."""
    current, own = _files, _Transaction()
    while not current.begin(own):
        time.sleep(_POLL_INTERVAL)
    try:
        yield
    finally:
        with current.lock:
            current.transactions.discard(own)


def _before_fork() -> None:
    if not _files.open:
        return
    deadline = SYSTEM.monotonic() + _LONGEST_WAIT
    with _files.lock:
        # Set a deadline, so that new transactions don't wait forever if a signal handler raises an exception before
        # `_in_parent` resets `forking_until`.
        _files.forking_until = deadline
    while _files.transactions and SYSTEM.monotonic() < deadline:
        time.sleep(_POLL_INTERVAL)
    if not _files.transactions:
        disposing = SystemThread(_dispose, "subscribekit-fork")
        disposing.join(_LONGEST_WAIT)


def _dispose() -> None:
    """Close the idle connections.

    A separate thread calls this function, because signal handlers run in the main thread, and an exception of a handler
    could leave the lock of a pool locked.
    """
    for pool in list(_files.pools):
        pool.dispose()
    _files.is_ready_to_fork = True


def _in_parent() -> None:
    _files.forking_until = 0.0
    _files.is_ready_to_fork = False


def _in_child() -> None:
    global _files
    # Replace the object, because a thread that doesn't exist in the child may hold the lock of the old object.
    before, _files = _files, _Files()
    _files.open = before.open  # the child never closes these files, because no run in the child owns them
    for file in _files.open.values():
        file.users, file.is_foreign = 1, not before.is_ready_to_fork


def refuse_foreign(file: OpenFile, name: str) -> None:
    """Refuse a file that a transaction of the parent process was using when this process was forked.

    Raises:
        LedgerError: The file was in use when this process was forked.
    """
    if file.is_foreign:
        raise LedgerError(
            f"{name} was in use when this process was forked, so SQLite can't use it here; fork before you open a run, "
            f"or start processes with 'spawn'"
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)
