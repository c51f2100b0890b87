"""Telling a message that comes again from one that comes first."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import MutableSet
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol, TypeAlias

from .._private_files import create
from .._sqlite_files import Guard
from ..errors import ConfigurationError
from .errors import WebhookFormatError
from .events import WebhookEvent

_LOCKED_SECONDS = 30.0
_TABLE = """
    CREATE TABLE IF NOT EXISTS subscribekit_webhooks (
        message_id TEXT PRIMARY KEY,
        first_seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) WITHOUT ROWID
"""
_INSERT = "INSERT OR IGNORE INTO subscribekit_webhooks (message_id) VALUES (?)"


def _refused(problem: str) -> ConfigurationError:
    return ConfigurationError(f"the file for repeated messages {problem}")


# It may be a database of the application, with tables and readers of its own, so any database will do.
_GUARD = Guard(refuse=_refused, foreign="is no SQLite database", is_private=False)


class _InMemory:
    """One lock for all mappings and sets: it is unknown which of them can look and note in one step."""

    lock = threading.RLock()

    @classmethod
    def begin(cls) -> None:
        """Give a forked process its own lock: a thread that held the old one is not in it."""
        cls.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_InMemory.begin)


class SeenMapping(Protocol):
    """A mutable mapping; `True` is put in under each `message_id`."""

    def __contains__(self, key: str, /) -> bool: ...
    def __setitem__(self, key: str, value: bool, /) -> None: ...


Seen: TypeAlias = SeenMapping | MutableSet[str] | str | os.PathLike[str]


def record_if_new(event: WebhookEvent, seen: Seen) -> bool:
    """Tell whether this is the first time that a message comes, and note it.

    Looking and noting are one step, so of two threads only one gets `True`, and with a file of two processes, too.

    Call it directly before the work that must not be done twice. A crash, or an exception of the work, after it means
    that the work is not done and that the message, when it comes again, counts as a repeated one: at most once. After
    an exception take the note back (`del seen[event.message_id]`, `seen.discard(event.message_id)`) to see the message
    again. Called after the work, it comes too late to keep anything from happening twice: at least once, which is
    right only for work that may be repeated. Where neither will do, note the message in the transaction of your own
    database that does the work.

    Args:
        event: The result of `unwrap`.
        seen: Where messages are noted. A mutable mapping or set, for this process and for as long as it lives: several
            threads may use it, and it grows by an entry a message unless it drops old ones. Or the path of a ledger
            file, an SQLite database with the table `subscribekit_webhooks (message_id, first_seen)`, which is made
            when it is not there: it is shared by all processes of this machine, and what is noted has reached the
            disk (full sync) when `record_if_new` returns. Old rows may be deleted at any time; file systems of a
            network are not for it.

    Returns:
        `True` for the first time, `False` for every other.

    Raises:
        WebhookFormatError: The event has no `message_id`, so a repetition cannot be detected.
        ConfigurationError: The file is no SQLite database, has a second name (a hard link), or is mounted as a single
            file.
        TypeError: `seen` is something else.
        OSError: The file cannot be made or opened.
        sqlite3.Error: The file cannot be written, or was locked for longer than 30 seconds.
    """
    if not hasattr(event, "message_id"):
        raise TypeError(
            f"record_if_new takes the event first, not {type(event).__name__}: "
            "write webhooks.record_if_new(event, 'webhooks.db')"
        )
    if event.message_id is None:
        raise WebhookFormatError("the event has no message_id, so a repetition cannot be detected")
    if isinstance(seen, str | os.PathLike):
        return _first_in_file(seen, event.message_id)
    if isinstance(seen, MutableSet):
        with _InMemory.lock:
            known = event.message_id in seen
            seen.add(event.message_id)
            return not known
    if not hasattr(seen, "keys") or not hasattr(seen, "__setitem__"):
        raise TypeError(f"seen must be a mutable mapping, a set or the path of a file, not {type(seen).__name__}")
    with _InMemory.lock:
        known = event.message_id in seen
        if not known:
            seen[event.message_id] = True
        return not known


def _first_in_file(path: str | os.PathLike[str], message_id: str) -> bool:
    import sqlite3

    # An absolute path is never one of the names that SQLite takes for a database in memory, which forgets.
    file = Path(path).resolve()
    # No thread has it open when the descriptor is closed, which drops the locks of this process.
    with _InMemory.lock, suppress(FileExistsError):
        os.close(create(file))
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    _GUARD.check(file)  # its head is left to SQLite: closing another descriptor would drop the locks of this process
    # Opened for each message: a connection must not be used by two threads, nor cross a fork.
    with closing(sqlite3.connect(file, timeout=_LOCKED_SECONDS, isolation_level=None)) as ledger:
        try:
            ledger.execute("PRAGMA synchronous=EXTRA")
            ledger.execute("BEGIN IMMEDIATE")
            ledger.execute(_TABLE)
            first = ledger.execute(_INSERT, (message_id,)).rowcount == 1
            ledger.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise _refused(_GUARD.foreign) from None
            raise
    return first
