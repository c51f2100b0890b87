"""Opens the ledger, the engine, and the threads of a run when they're first needed, and closes them."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from .._core.calls.settings import Settings
from .._core.config.process import this_process
from .._sealed import Sealed, Secret
from ..errors import BulkError
from ._ledger.database import Database
from ._ledger.ledger import Ledger
from ._ledger.money import Limit
from ._sending.background import Call
from ._sending.engine import Engine
from ._sending.runtime import Runtime, SystemRuntime
from ._sending.session import Session
from ._values import RateLimit

T = TypeVar("T")

LEFT = "the loop over run.send() was left"


class Opened:
    """The resources that a run opens and closes."""

    def __init__(
        self,
        place: Sealed[str | os.PathLike[str]],
        settings: Settings,
        rate_limit: RateLimit | None,
        concurrency: int,
        lease: float,
        limit: Limit | None,
        *,
        accept_new_key: bool,
        accept_moved: bool,
    ) -> None:
        self._place, self._settings, self._limit = place, settings, limit
        self._rate_limit, self._concurrency, self._lease = rate_limit, concurrency, lease
        self._accept_new_key, self._accept_moved = accept_new_key, accept_moved
        self._merchant: Secret | None = None
        self._process = this_process()
        self._runtime = self._make_runtime()
        # The main thread must not acquire this lock, because a signal handler in the main thread may wait for the lock
        # (H332).
        self._opening = self._runtime.lock()
        self._calls: set[Call[Any]] = set()
        self._closing: Call[None] | None = None
        self._ledger: Ledger | None = None
        self._engine: Engine | None = None
        self._session: Session | None = None
        self._is_closed = False

    def _make_runtime(self) -> Runtime:
        """Return the clock, the threads, and the queues of the run. Simulations override this method."""
        return SystemRuntime(self._settings.clock)

    def _call_in_thread(self, work: Callable[[], T]) -> "Call[T]":
        """Run a function that uses the ledger in a separate thread, where no signal handler can raise an exception."""
        return Call(self._runtime, work, self._calls)

    def _open(self) -> Ledger:
        """Open the ledger at the first call, and return it."""
        self._refuse_misuse()
        if self._ledger is not None:
            return self._ledger
        with self._opening:
            self._refuse_misuse()
            if self._ledger is None:
                credential = self._settings.credential
                merchant = self._merchant or credential.user
                if merchant is None and credential.scheme == "api_key":  # sessions and tokens don't identify a merchant
                    merchant = credential.obtain()
                database = Database(self._place, self._runtime, accept_moved=self._accept_moved)
                try:
                    self._ledger = Ledger(database, self._settings, merchant, accept_new_key=self._accept_new_key)
                except BaseException:
                    database.close()
                    raise
            return self._ledger

    def _refuse_misuse(self) -> None:
        if this_process() != self._process:
            raise BulkError(
                "a run can't be used in a process that was forked after the run was created; create a new run in this "
                "process"
            )
        if self._is_closed:
            raise BulkError("the run is closed; create a new run with the same ledger to resume")

    def _started(self) -> Engine:
        """Return the engine of the run, and start a new engine if none is running."""
        self._settings.refuse_write("bulk")
        ledger = self._open()
        with self._opening:
            self._refuse_misuse()
            if self._engine is None or not self._engine.is_alive():
                if self._limit is not None:
                    ledger.start_counting(self._limit)
                self._engine = Engine(
                    ledger, self._settings, self._runtime, self._rate_limit, self._lease, self._concurrency, self._limit
                )
            return self._engine

    def _start_closing(self) -> "Call[None] | None":
        """Start to close the run in a separate thread. In a forked child, close nothing and return `None`."""
        self._is_closed = True
        if this_process() != self._process:
            return None
        if self._closing is None:
            self._closing = Call(self._runtime, self._end, set())
        return self._closing

    def _close(self) -> None:
        """Write the remaining results, stop the engine, and close the ledger."""
        session, closing = self._session, self._start_closing()
        try:
            if closing is not None:
                closing.result()
        finally:
            if session is not None:
                session.release()

    def _end(self) -> None:
        session = self._session
        if session is not None:  # the loop over `send` won't read any more items
            session.stop(LEFT)
            session.wait_for_workers()
        with self._opening:
            engine, ledger = self._engine, self._ledger
        if engine is not None:
            engine.close()
        for call in list(self._calls):  # a call may still be running after its caller was interrupted
            call.join()
        if ledger is not None:
            with self._opening:
                ledger.database.close()
