"""The SQLite files that this process has open, kept so that it loses none of its locks on them.

Locks on a file belong to a process. Closing any descriptor of the file drops them all, also those of another run
(H140); and a forked child inherits connections that believe to hold locks which the child has not (H141). A process
without its locks is invisible to the others: the last of them removes the log of writes, and with it what was sent.
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
"""Seconds that a fork waits for transactions to end."""
_POLL_INTERVAL = 0.001
"""Seconds between two looks at them; a `Condition` stays locked if the handler of a signal raises inside it."""


class _Pool(Protocol):
    def dispose(self) -> None: ...


@dataclass(slots=True)
class OpenFile:
    """A file with the one descriptor that this process has of it beside SQLite's; it is closed after all of those."""

    descriptor: int
    users: int = 0
    is_foreign: bool = False

    def head(self) -> bytes:
        """Read its first bytes."""
        with _files.lock:  # of two threads neither moves the other's place; Windows has no `pread`
            os.lseek(self.descriptor, 0, os.SEEK_SET)
            return os.read(self.descriptor, HEAD)

    @property
    def identity(self) -> Identity:
        """Its device and inode, which no other file gets while it is open."""
        return identity_of(os.fstat(self.descriptor))


class _Transaction:
    """Lives as long as a transaction, however that ends: also by an interrupt on its way out (H167)."""


class _Files:
    """All of them, and the transactions that are open."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: dict[Identity, OpenFile] = {}
        self.pools: WeakSet[_Pool] = WeakSet()
        self.transactions: WeakSet[_Transaction] = WeakSet()
        self.forking_until = 0.0
        self.is_ready_to_fork = False

    def begin(self, transaction: _Transaction) -> bool:
        """Note a transaction; return `False` while a fork waits for the others to end."""
        with self.lock:
            if SYSTEM.monotonic() < self.forking_until:
                return False
            self.transactions.add(transaction)
            return True


_files = _Files()


def hold(path: Path) -> OpenFile:
    """Open a file, or make it for its owner alone; `release` lets it go.

    Raises:
        OSError: It cannot be opened.
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
    """Let a file go, after SQLite has."""
    with _files.lock:
        file.users -= 1
        if not file.users:
            _files.open = {inode: each for inode, each in _files.open.items() if each is not file}
            os.close(file.descriptor)


def share(pool: _Pool) -> None:
    """Close the idle connections of a pool before each fork."""
    with _files.lock:
        _files.pools.add(pool)


@contextmanager
def transaction() -> Generator[None]:
    """Let no fork happen in this block."""
    mine, me = _files, _Transaction()
    while not mine.begin(me):
        time.sleep(_POLL_INTERVAL)
    try:
        yield
    finally:
        with mine.lock:
            mine.transactions.discard(me)


def _before_fork() -> None:
    if not _files.open:
        return
    end = SYSTEM.monotonic() + _LONGEST_WAIT
    with _files.lock:
        # A limit, because the handler of a signal can raise before the first line of `_in_parent`.
        _files.forking_until = end
    while _files.transactions and SYSTEM.monotonic() < end:
        time.sleep(_POLL_INTERVAL)
    if not _files.transactions:
        disposing = SystemThread(_dispose, "subscribekit-fork")
        disposing.join(_LONGEST_WAIT)


def _dispose() -> None:
    """Close the idle connections, in a thread where no handler of a signal can leave a lock of theirs taken."""
    for pool in list(_files.pools):
        pool.dispose()
    _files.is_ready_to_fork = True


def _in_parent() -> None:
    _files.forking_until = 0.0
    _files.is_ready_to_fork = False


def _in_child() -> None:
    global _files
    # Its lock may be held by a thread that is not here.
    before, _files = _files, _Files()
    _files.open = before.open  # never closed here: the descriptors have no owner now
    for file in _files.open.values():
        file.users, file.is_foreign = 1, not before.is_ready_to_fork


def refuse_foreign(file: OpenFile, name: str) -> None:
    """Refuse a file that a transaction of the parent was open on when this process was forked.

    Raises:
        LedgerError: It is one.
    """
    if file.is_foreign:
        raise LedgerError(
            f"{name} was in use while this process was forked, and SQLite cannot be used in it: fork before a run is "
            f"opened, or start processes by 'spawn'"
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)
