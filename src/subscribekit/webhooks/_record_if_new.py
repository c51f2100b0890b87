"""Detects webhooks that your application has already received."""

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
    return ConfigurationError(f"the file of received webhooks {problem}")


# Accept any SQLite database, because an application can record webhooks in its own database beside its other tables.
_GUARD = Guard(refuse=_refused, foreign="isn't an SQLite database", is_private=False)


class _InMemory:
    """The lock for all mappings and sets. Most mappings and sets can't check and add a key atomically."""

    lock = threading.RLock()

    @classmethod
    def begin(cls) -> None:
        """Create a new lock in a forked process, because a thread that doesn't exist there may hold the old lock."""
        cls.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_InMemory.begin)


class SeenMapping(Protocol):
    """A mutable mapping from each received `message_id` to `True`."""

    def __contains__(self, key: str, /) -> bool: ...
    def __setitem__(self, key: str, value: bool, /) -> None: ...


Seen: TypeAlias = SeenMapping | MutableSet[str] | str | os.PathLike[str]


def record_if_new(event: WebhookEvent, seen: Seen) -> bool:
    """Record the ID of a webhook, and return whether the webhook is new.

    Checking and recording are one atomic step. If several threads receive the same webhook, the function returns `True`
    to only one thread. If `seen` is a file, the function also returns `True` to only one of several processes.

    Call this function immediately before work that must not be done twice, so that the work is done at most once. If
    the work crashes or raises an exception, and the service sends the webhook again, the function returns `False`. If
    the work raises an exception, you can remove the ID, so that the function returns `True` when the service sends the
    webhook again. To remove the ID from a mapping, run `del seen[event.message_id]`. To remove the ID from a set, run
    `seen.discard(event.message_id)`.

    If you call this function after the work, the work is done at least once, but can be done twice. If the work must be
    done exactly once, record the ID in your own database, in the transaction that does the work.

    Args:
        event: The result of `unwrap`.
        seen: A mutable mapping, a set, or the path of an SQLite file.

            With a mapping or a set, the function detects duplicates across threads, but only within one process. The
            mapping or set grows by one entry for each webhook, unless its class removes old entries.

            With a file, the function detects duplicates across all processes of the machine. If the file or the table
            `subscribekit_webhooks (message_id, first_seen)` doesn't exist, the function creates it. When the function
            returns, the ID is on the disk, because the function sets `synchronous=EXTRA`. You can delete old rows of
            the table at any time. Don't store the file on a network file system.

    Returns:
        `True` if the webhook is new, or `False` if the ID was already recorded.

    Raises:
        WebhookFormatError: The event has no `message_id`, so duplicates can't be detected.
        ConfigurationError: The file isn't an SQLite database, has a second name (a hard link), or is mounted as a
            single file.
        TypeError: An argument has the wrong type.
        OSError: The file can't be created or opened.
        sqlite3.Error: The file can't be written, or was locked for longer than 30 seconds.
    """
    if not hasattr(event, "message_id"):
        raise TypeError(
            f"event must be a WebhookEvent, not {type(event).__name__}. "
            "Write webhooks.record_if_new(event, 'webhooks.db')"
        )
    if event.message_id is None:
        raise WebhookFormatError("the event has no message_id, so duplicates can't be detected")
    if isinstance(seen, str | os.PathLike):
        return _first_in_file(seen, event.message_id)
    if isinstance(seen, MutableSet):
        with _InMemory.lock:
            known = event.message_id in seen
            seen.add(event.message_id)
            return not known
    if not hasattr(seen, "keys") or not hasattr(seen, "__setitem__"):
        raise TypeError(f"seen must be a mutable mapping, a set, or a file path, not {type(seen).__name__}")
    with _InMemory.lock:
        known = event.message_id in seen
        if not known:
            seen[event.message_id] = True
        return not known


def _first_in_file(path: str | os.PathLike[str], message_id: str) -> bool:
    import sqlite3

    # Use the absolute path, because SQLite treats some names, such as `:memory:`, as a database in memory.
    file = Path(path).resolve()
    # Hold the lock, because closing the descriptor releases the file locks of all threads of this process.
    with _InMemory.lock, suppress(FileExistsError):
        os.close(create(file))
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    # Don't let `check` read the start of the file, because closing the file would release this process's locks.
    _GUARD.check(file)
    # Open a new connection for each webhook, because threads must not share a connection, and a forked process must not
    # use its parent's connection.
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
