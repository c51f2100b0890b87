"""Worker processes that tests can kill. They're forked from a process that has imported everything, so they start fast.

The first process reads one line of JSON for each worker, forks the worker, and prints its process ID. Each worker
prints the counts of its run.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import urllib.request
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

KEY = "gateway-key-4712"


def work(settings: dict[str, Any]) -> None:
    """Add all items, and send the ready ones."""
    from subscribekit import GatewayClient, RetryPolicy
    from subscribekit.bulk import RateLimit, Run, StopPolicy
    from subscribekit.bulk._sending import engine
    from subscribekit.hooks import Hooks
    from subscribekit.models import EntitlementCharge

    if settings.get("resolves"):
        _resolve(settings)
        return
    if "write_again" in settings:
        engine._WRITE_RETRY_SECONDS = settings["write_again"]
    numbers = itertools.count(1)

    def stop(_: Any) -> None:
        if next(numbers) == settings.get("stops"):
            signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)  # the thread may run on for a moment

    client = GatewayClient(
        base_url=settings["url"], api_key=KEY, allow_insecure_loopback=True, retry=RetryPolicy(max_attempts=2),
        observers=[Hooks(on_request=stop)] if "stops" in settings else [],
    )  # fmt: skip

    def jobs() -> Any:
        for each in range(settings["items"]):
            charge = EntitlementCharge(transaction_id=f"t{each}", amount=Decimal("1.50"), currency="USD")
            yield f"order-{each}", client.prepare.entitlements.charge(f"ps-{each}", charge)

    rate = RateLimit(settings["rate"]) if "rate" in settings else None
    with Run(
        settings["ledger"],
        client,
        concurrency=settings.get("workers", 8),
        lease=settings.get("lease", 5.0),
        rate_limit=rate,
        stop=StopPolicy(max_amount=Decimal(settings["limit"]), currency="USD") if "limit" in settings else None,
        max_attempts=100,
        accept_moved=settings.get("accepts", False),
    ) as run:
        if settings.get("records"):
            print("started", flush=True)
            _record_outcomes(run, settings["url"])
            return
        if settings.get("counts"):
            print(run.counts())
            return
        before = peak()
        run.add(jobs())
        if settings.get("adds"):
            print(json.dumps([run.counts().ready, peak() - before]))
            return
        print("started", flush=True)
        ended = 0
        for ended, _ in enumerate(run.send(), 1):
            if settings.get("forgets") and ended % settings["forgets"] == 0:
                run.purge_data()
        print(
            "counts",
            json.dumps([ended, *[getattr(run.counts(), name) for name in ("ready", "sent", "done")]]),
            flush=True,
        )


def peak() -> int:
    """Return the peak memory of this process in KB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _resolve(settings: dict[str, Any]) -> None:
    """Resolve accounts, with shorter waits between the reads than by default."""
    from subscribekit import BillingClient
    from subscribekit._core.resolving import resolve
    from subscribekit.bulk import Run
    from subscribekit.sandbox import Sandbox

    resolve._APART = 0.05
    environment = replace(Sandbox().environment, name="local", base_url=settings["url"])
    with (
        BillingClient(environment=environment, allow_insecure_loopback=True) as client,
        Run(settings["ledger"], client, concurrency=12, lease=settings["lease"]) as run,
    ):
        print("started", flush=True)
        run.resolve(not_applied_after=0.02)
    print("resolved", flush=True)


def _record_outcomes(run: Any, url: str) -> None:
    """Ask the operator about each item with an unknown outcome, and record the answer."""
    for item in run.items("unknown"):
        with urllib.request.urlopen(f"{url}/{item.key.replace('order-', 't')}") as answer:
            charged = int(answer.read())
        item.record_outcome("applied" if charged else "not_applied", note="the operator looked")
    print("recorded", flush=True)


def _serve() -> None:
    import subscribekit.bulk
    import subscribekit.gateway
    import subscribekit.sandbox  # noqa: F401

    for line in sys.stdin:
        settings = json.loads(line)
        number = os.fork()
        if number == 0:
            status = 1
            try:
                out = os.open(settings["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(out, 1)
                if "errors" in settings:
                    os.dup2(os.open(settings["errors"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
                work(settings)
                sys.stdout.flush()
                status = 0
            except SystemExit as end:
                status = int(end.code or 0)
            except KeyboardInterrupt:
                status = 130
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(status)
        print(number, flush=True)


class Nursery:
    """A context manager that starts workers."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bulk.workers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd=Path(__file__).parent.parent,
        )  # fmt: skip
        self._number = 0

    def start(self, folder: Path, **settings: Any) -> Worker:
        self._number += 1
        out = folder / f"out-{self._number}"
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"out": str(out), "errors": str(folder / "errors"), **settings}) + "\n")
        self._process.stdin.flush()
        return Worker(int(self._process.stdout.readline()), out)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


class Worker:
    """A worker process."""

    def __init__(self, number: int, out: Path) -> None:
        self.number, self._out = number, out

    @property
    def output(self) -> str:
        return self._out.read_text() if self._out.exists() else ""

    @property
    def state(self) -> str:
        """The kernel's letter for the state of the process: `T` if it's stopped, empty if it has ended."""
        try:
            with Path(f"/proc/{self.number}/stat").open() as file:
                return file.read().rpartition(")")[2].split()[0].replace("Z", "")
        except (FileNotFoundError, ProcessLookupError):
            return ""

    @property
    def is_running(self) -> bool:
        return self.state != ""

    def kill(self, how: signal.Signals = signal.SIGKILL) -> bool:
        """Send a signal, unless the process has ended."""
        try:
            if self.is_running:
                os.kill(self.number, how)
                return True
        except ProcessLookupError:
            pass
        return False


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _serve()
