"""Observes the guarantees in the table of `docs/guides/connections.md`, with one observation for each row.

An observation returns `yes`, `no`, `works`, or `refused`, depending on its row.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import ssl
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import httpx2
import httpx_aiohttp
import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.server import FaultServer, unused_port
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange
from reliability.kit import Backend, Run
from reliability.operations import E1, E6, E8, E9
from reliability.test_http_backends import in_child
from reliability.test_surplus import traced, with_trace
from subscribekit import Limits, RetryPolicy, Timeouts, transports
from subscribekit.errors import ConfigurationError, DeadlineExceededError, OutcomeUnknownError, SubscribekitError

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "connections.md"
HEADING = "### Guarantees of each HTTP backend"
COLUMNS: dict[str, Backend] = {
    "default": "default", "`direct()`": "direct", "`httpx.HTTPTransport`": "httpx", "httpx2": "httpx2",
    "httpx-aiohttp": "httpx-aiohttp",
}  # fmt: skip
WORDS = {"yes", "no", "async only", "sync only", "works", "refused"}
ONCE = RetryPolicy(max_attempts=1)
PATIENT = Timeouts(connect=30, read=30, write=30, pool=30)

Observation = Callable[[Run], str]
Table = dict[str, dict[Backend, str]]
PROMISES: dict[str, Observation] = {}
ASYNC_ONLY = {"A second event loop"}


def read_table(text: str) -> Table:
    """Read the cells of the table. A cell that is missing, empty, or contains an unknown word raises `ValueError`."""
    _, heading, section = text.partition(f"\n{HEADING}\n")
    if not heading:
        raise ValueError(f"no section {HEADING!r}")
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if head[1:] != list(COLUMNS):
        raise ValueError(f"columns {head[1:]}")
    table: Table = {}
    for name, *cells in rows:
        if len(cells) != len(COLUMNS) or not WORDS.issuperset(cells) or name in table:
            raise ValueError(f"the row {name!r} has the cells {cells}")
        table[name] = dict(zip(COLUMNS.values(), cells, strict=True))
    return table


def promise(name: str) -> Callable[[Observation], Observation]:
    """Register a function as the observation of a row."""

    def keep(observation: Observation) -> Observation:
        PROMISES[name] = observation
        return observation

    return keep


def yes(holds: bool) -> str:
    return "yes" if holds else "no"


def backend(run: Run, *, context: ssl.SSLContext | None = None, most: int | None = None, quiet: float = 0) -> Any:
    """Return the arguments of a client over the HTTP backend of the run.

    Args:
        run: The run whose backend and style are used.
        context: The TLS context of the connections.
        most: The maximum number of connections, if it differs from the default.
        quiet: `Limits.min_idle_before_charge`, if the backend supports it.
    """
    blocking, trust = run.style == "blocking", {} if context is None else {"verify": context}
    own = (
        Limits(min_idle_before_charge=quiet)
        if most is None
        else Limits(max_connections=most, min_idle_before_charge=quiet)
    )
    if run.http_backend == "default":
        return {"limits": own, "ssl_context": context}
    if run.http_backend == "pooled":
        pooled: Any = transports.PooledTransport if blocking else transports.AsyncPooledTransport
        kind: Any = httpx.Client if blocking else httpx.AsyncClient
        run.opened.append(given := kind(transport=pooled(limits=own, ssl_context=context)))
        return {"http_client": given, "ssl_context": None}
    if run.http_backend == "direct":
        run.opened.append(made := transports.direct(limits=own, ssl_context=context))
        return {"transport": made, "ssl_context": None}
    made: Any
    if run.http_backend == "httpx":
        kind = httpx.HTTPTransport if blocking else httpx.AsyncHTTPTransport
        made = kind(**trust, limits=httpx.Limits(max_connections=most))
    elif run.http_backend == "httpx2":
        kind = httpx2.Client if blocking else httpx2.AsyncClient
        made = kind(**trust, limits=httpx2.Limits(max_connections=most))
    else:
        made = httpx_aiohttp.AiohttpTransport(**trust, limits=httpx.Limits(max_connections=most))
    run.opened.append(made)
    return {"http_client" if run.http_backend == "httpx2" else "transport": made, "ssl_context": None}


def client(run: Run, srv: FaultServer | str, group: Any = "gateway", **options: Any) -> Any:
    given = {name: options.pop(name) for name in ("most", "quiet") if name in options}
    secure = isinstance(srv, FaultServer) and srv.url.startswith("https")
    context = srv.client_context() if secure else None  # type: ignore[union-attr]  # `secure` implies a server
    return run.client(group, srv, timed=False, **{"retry": ONCE, **backend(run, context=context, **given), **options})


def outcome(run: Run, made: Any, op: Any) -> str:
    try:
        run(made, op.use)
    except SubscribekitError as error:
        return error.outcome
    return "success"


@promise("If a call fails before the first byte of its request is sent, the outcome is `not_sent`")
def _(run: Run) -> str:
    seen = {outcome(run, client(run, f"http://127.0.0.1:{unused_port()}"), E8)}
    for broken in (f.tls_eof(), f.tls_abort(), f.tls_plaintext()):
        with FaultServer(broken, tls=True) as srv:
            seen.add(outcome(run, client(run, srv), E8))
            assert srv.requests == []
    assert seen <= {"not_sent", "unknown"}
    return yes(seen == {"not_sent"})


@promise("If the response to a write is lost, the outcome is `unknown`, and the SDK doesn't send the write again")
def _(run: Run) -> str:
    seen: set[tuple[str, int]] = set()
    for lost in (f.close_after_request(), f.close_after_request("rst"), f.truncate()):
        for op, good in ((E8, f.ok()), (E9, f.no_content())):
            with FaultServer(good, lost, good) as srv:
                made = client(run, srv, op.group, retry=RetryPolicy())
                run(made, op.use)  # so that the next request reuses the connection
                seen.add((outcome(run, made, op), len(srv.requests)))
    return yes(seen == {("unknown", 2)})


@step("request")
def slow_head() -> Act:
    def act(exchange: Exchange) -> None:
        whole = exchange.framed(200, encode(THING))
        exchange.drip(whole[:60], 0.005)
        exchange.send(whole[60:])

    return act


def is_cut_at_deadline(run: Run, slow: Any) -> bool:
    with FaultServer(slow) as srv:
        made = client(run, srv, timeouts=PATIENT, deadline=0.15)
        try:
            run(made, E8.use)
        except OutcomeUnknownError as error:
            return isinstance(error.__cause__, DeadlineExceededError)
    return False


@promise("The deadline ends a response whose body arrives slowly")
def _(run: Run) -> str:
    return yes(is_cut_at_deadline(run, f.drip()))


@promise("The deadline ends a response whose headers arrive slowly")
def _(run: Run) -> str:
    return yes(is_cut_at_deadline(run, slow_head()))


@promise("The deadline also limits a DNS lookup")
def _(run: Run) -> str:
    released, ended, real = threading.Event(), threading.Event(), socket.getaddrinfo

    def look_up(host: Any, *args: Any, **options: Any) -> Any:
        if host not in ("slow.invalid", b"slow.invalid"):
            return real(host, *args, **options)
        if options.get("flags", 0) & socket.AI_NUMERICHOST:
            raise socket.gaierror(socket.EAI_NONAME, "not an address")
        released.wait(0.3)
        ended.set()
        raise socket.gaierror(socket.EAI_NONAME, "no address")

    made = client(run, "https://slow.invalid", timeouts=PATIENT, deadline=0.05)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", look_up)
        seen = outcome(run, made, E8)
        in_time = not ended.is_set()
        released.set()
    assert seen in ("not_sent", "unknown")
    return yes(in_time)


def fail_to_get_connection(run: Run) -> SubscribekitError:
    """Return the error of a charge whose deadline passes while another call uses the only connection."""
    with FaultServer(f.stall_before_headers()) as srv:
        made = client(run, srv, most=1, timeouts=PATIENT)
        first = run.begin(made, E6.use)
        run.arrived(srv, 1)
        error = run.fails(made.with_options(deadline=0.1), E8.use)
        srv.release()
        run.end(first)
        assert len(srv.requests) == 1
        return error


@promise("The deadline also limits the wait for a free connection")
def _(run: Run) -> str:
    error = fail_to_get_connection(run)
    return yes(isinstance(error if error.outcome == "not_sent" else error.__cause__, DeadlineExceededError))


@promise("If a charge has no free connection within the timeout, the outcome is `not_sent`")
def _(run: Run) -> str:
    seen = fail_to_get_connection(run).outcome
    assert seen in ("not_sent", "unknown")
    return yes(seen == "not_sent")


@promise("If a connection ended while it was idle, the SDK opens a new connection before it sends a write")
def _(run: Run) -> str:
    with FaultServer(f.close_when_idle(), f.ok()) as srv:
        made = client(run, srv)
        run(made, E6.use)
        run.disconnected(srv)
        return yes((outcome(run, made, E8), len(srv.requests), srv.connections) == ("success", 2, 2))


@promise("Unrequested bytes on an idle connection aren't mistaken for a receipt")
def _(run: Run) -> str:
    with FaultServer(f.smuggle(), f.status(402)) as srv:
        made = client(run, srv)
        run(made, E6.use)
        if run.style == "async":
            run.wait(asyncio.sleep(0))
        return yes(outcome(run, made, E8) == "rejected")


@promise("A response with the trace ID of an earlier request isn't mistaken for a receipt")
def _(run: Run) -> str:
    @step("request")
    def earlier() -> Act:
        return lambda exchange: exchange.send(traced(exchange, srv.requests[0].header("X-B3-TraceId") or ""))

    with FaultServer(with_trace(), earlier()) as srv:
        made = client(run, srv)
        run(made, E6.use)
        return yes(outcome(run, made, E8) == "unknown")


@promise("A charge never uses a connection that was idle for less than `min_idle_before_charge`")
def _(run: Run) -> str:
    with FaultServer() as srv:
        run(client(run, srv, quiet=0.9), E6.use, E8.use)
        return yes(srv.connections == 2)


def empty(run: Run, how: Any) -> str:
    with FaultServer(f.until_close(0, how=how), tls=True) as srv:
        return outcome(run, client(run, srv, "billing"), E1)


@promise("If an empty response has no `Content-Length`, and the connection is cut, the outcome of a write is `unknown`")
def _(run: Run) -> str:
    return yes({empty(run, "cut"), empty(run, "rst")} == {"unknown"})


@promise("If an empty response has no `Content-Length`, and the service sends `close_notify`, the SDK reports success")
def _(run: Run) -> str:
    seen = empty(run, "fin")
    assert seen in ("success", "unknown")
    return yes(seen == "success")


@promise("The SDK doesn't follow redirects")
def _(run: Run) -> str:
    with FaultServer(f.redirect("{sink}/elsewhere")) as srv:
        seen = outcome(run, client(run, srv), E8)
        return yes((seen, len(srv.requests), srv.sink.requests) == ("unknown", 1, []))


@promise("Certificates are always verified")
def _(run: Run) -> str:
    with FaultServer(tls=True, bad_cert="other_host") as srv:
        assert outcome(run, client(run, srv), E8) == "not_sent"
        context = srv.client_context()
        context.check_hostname = False
        try:
            given = backend(run, context=context)
            seen = outcome(run, run.client("gateway", srv, timed=False, retry=ONCE, **given), E8)
        except ConfigurationError as error:
            seen = error.outcome
        return yes((seen, srv.requests) == ("not_sent", []))


def result_of(act: Callable[[], Any]) -> str:
    try:
        act()
    except ConfigurationError as error:
        return "refused" if error.outcome == "not_sent" else str(error)
    return "works"


@promise("A forked child")
def _(run: Run) -> str:
    with FaultServer() as srv, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
        made = client(run, srv)
        run(made, E6.use)
        seen = in_child(lambda: result_of(lambda: E8.use(made) if run.style == "blocking" else run(made, E8.use)))
        run(made, E6.use)
        assert [each.connection for each in srv.requests] == ([1, 2, 1] if seen == "works" else [1, 1])
        return seen


@promise("A second event loop")
def _(run: Run) -> str:
    with FaultServer() as srv:
        made = client(run, srv)
        run(made, E6.use)
        seen = result_of(lambda: asyncio.run(E8.use(made)))
        run(made, E6.use)
        assert [each.connection for each in srv.requests] == ([1, 2, 1] if seen == "works" else [1, 1])
        return seen


@step("request")
def interrupt() -> Act:
    def act(exchange: Exchange) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        exchange.stall()

    return act


@promise("The exception of a canceled or interrupted charge has a note with the outcome")
def _(run: Run) -> str:
    blocking = run.style == "blocking"
    with FaultServer(interrupt() if blocking else f.stall_before_headers()) as srv:
        made = client(run, srv)

        def stopped() -> None:
            if blocking:
                run(made, E8.use)
            begun = run.begin(made, E8.use)
            run.arrived(srv, 1)
            begun.cancel()
            run.end(begun)

        with pytest.raises(KeyboardInterrupt if blocking else asyncio.CancelledError) as caught:
            stopped()
        assert len(srv.requests) == 1
        return yes("outcome unknown, reconcile by 'tx-1'" in "".join(getattr(caught.value, "__notes__", [])))
