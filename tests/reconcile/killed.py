"""A process that reads a list, compares it, and is killed just before a given SQL statement."""

from __future__ import annotations

import functools
import os
import signal
import sqlite3
import traceback
from pathlib import Path
from typing import Any

import httpx

from kit.calls import Always, Run, Sent, answer, page
from subscribekit.reconcile import Reconciliation

COUNT, PAGE = 400, 20
FIELDS = {"default_currency": "currency"}


class Mortal(sqlite3.Connection):
    """A connection that counts its statements, and kills the process just before one of them."""

    ran, fatal = 0, 0

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        return super().execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        return super().executemany(*arguments)

    def _count(self) -> None:
        Mortal.ran += 1
        if Mortal.ran == Mortal.fatal:
            os.kill(os.getpid(), signal.SIGKILL)


def _service(log: int) -> Always:
    """Return a service that pages accounts by cursor, and writes a line to the file `log` for each page."""
    items = [{"object": "Account", "id": f"a{n:07d}", "default_currency": "EUR"} for n in range(COUNT)]

    def respond(sent: Sent) -> httpx.Response:
        identity = sent.path.rpartition("/")[2]
        if identity != "accounts":
            return answer(items[int(identity.removeprefix("a"))])
        after = dict(sent.query).get("starting_after") if "?" in sent.url else None
        begin = 0 if after is None else int(after.removeprefix("a")) + 1
        os.write(log, f"{begin}\n".encode())
        found = items[begin : begin + PAGE]
        return page(*found, next_link=f"/accounts?starting_after={found[-1]['id']}" if found else None)

    return Always(respond)


def compared(file: Path, log: Path, out: Path, fatal: int) -> int:
    """Compare in a forked process, and return its exit status.

    Args:
        file: The file of the comparison.
        log: The file to which the process appends a line for each page that it requests.
        out: The file to which the process writes the differences, their counts, and its number of statements.
        fatal: The number of the statement before which the process is killed; 0 for none.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            _compare(file, os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), out, fatal)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _compare(file: Path, log: int, out: Path, fatal: int) -> None:
    Mortal.fatal = fatal
    sqlite3.connect = functools.partial(sqlite3.connect, factory=Mortal)  # only in this process, which ends soon
    billing = Run("blocking").client("billing", transport=_service(log))
    rows = ({"id": f"a{n:07d}", "currency": "USD" if n % 40 == 39 else "EUR"} for n in range(10, COUNT))
    with Reconciliation(file, billing.accounts.list(limit=PAGE), key="id", fields=FIELDS) as check:
        check.read()
        check.compare(rows)
        found = sorted((each.kind, each.key) for each in check.differences())
        out.write_text(f"{len(found)} {check.counts()}\n{found}\n{Mortal.ran}", "utf-8")
