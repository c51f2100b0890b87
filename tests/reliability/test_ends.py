"""If a response without a length is cut after its headers, its empty body isn't a success (H263)."""

from __future__ import annotations

import contextlib
import ssl
from typing import Any

import certifi
import httpx
import httpx2
import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.wire import How
from reliability.kit import Run, hazard
from reliability.operations import E1
from subscribekit import RetryPolicy, transports
from subscribekit._core.http.wire import tls

ONCE = RetryPolicy(max_attempts=1)


def given(run: Run, srv: FaultServer, backend: str) -> dict[str, Any]:
    """Return the arguments of a client over an HTTP backend."""
    context = srv.client_context() if srv.url.startswith("https") else None
    if backend == "default":
        return {}
    if backend == "direct":
        run.opened.append(own := transports.direct(ssl_context=context))
        return {"transport": own, "ssl_context": None}
    if backend == "pooled":
        kind: Any = httpx.Client if run.style == "blocking" else httpx.AsyncClient
        pooled: Any = transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport
        run.opened.append(given := kind(transport=pooled(ssl_context=context)))
        return {"http_client": given, "ssl_context": None}
    library: Any = {"httpx": httpx, "httpx2": httpx2}[backend]
    kind = library.HTTPTransport if run.style == "blocking" else library.AsyncHTTPTransport
    run.opened.append(transport := kind(**({} if context is None else {"verify": context})))
    return {"transport": transport, "ssl_context": None}


OWN = ("default", "direct", "pooled")
FOREIGN = ("httpx", "httpx2")


def outcome(run: Run, srv: FaultServer, backend: str) -> str:
    client = run.client("billing", srv, timed=False, retry=ONCE, **given(run, srv, backend))
    with contextlib.suppress(AssertionError):
        return run.fails(client, E1.use).outcome
    return "made"


@hazard("H263")
@pytest.mark.parametrize("backend", [*OWN, *FOREIGN])
def test_an_empty_body_without_a_marked_end_is_unknown(run: Run, srv: FaultServer, backend: str) -> None:
    srv.script(f.until_close(0))
    assert outcome(run, srv, backend) == "unknown"


@hazard("H263")
@pytest.mark.parametrize("backend", [*OWN, *FOREIGN])
@pytest.mark.parametrize(("how", "expected"), [("fin", "made"), ("cut", "unknown"), ("rst", "unknown")])
def test_over_tls_an_empty_body_is_a_success_only_after_close_notify(
    run: Run, secure: FaultServer, backend: str, how: How, expected: str
) -> None:
    """Only the SDK's own connections detect `close_notify`."""
    secure.script(f.until_close(0, how=how))
    assert outcome(run, secure, backend) == (expected if backend in OWN else "unknown")


IGNORED = getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)


@hazard("H420")
@pytest.mark.skipif(not IGNORED, reason="this OpenSSL has no option that ignores a cut")
@pytest.mark.parametrize("backend", OWN)
def test_a_cut_is_detected_even_if_the_given_context_ignores_it(
    run: Run, secure: FaultServer, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Python of Debian 12 sets this option in every TLS context."""
    context = secure.client_context()
    context.options |= IGNORED
    monkeypatch.setattr(secure, "client_context", lambda: context)
    secure.script(f.until_close(0, how="cut"))
    assert outcome(run, secure, backend) == "unknown"
    assert not context.options & IGNORED


@hazard("H420")
@pytest.mark.skipif(not IGNORED, reason="this OpenSSL has no option that ignores a cut")
def test_no_context_of_the_sdk_ignores_a_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ignoring(tls.ORIGINAL):  # type: ignore[name-defined, misc]  # like the contexts of Debian 12's Python
        def __init__(self, *_: object) -> None:
            self.options |= IGNORED

    monkeypatch.setattr(tls, "ORIGINAL", Ignoring)
    monkeypatch.setattr(tls, "_contexts", [])
    made = [tls.shared_ssl_context(), tls.ssl_context_of(certifi.where())]
    assert [each.options & IGNORED for each in made] == [0, 0]


@hazard("H263")
@pytest.mark.parametrize("backend", [*OWN, *FOREIGN])
def test_an_empty_body_with_a_length_is_a_success(run: Run, srv: FaultServer, backend: str) -> None:
    srv.script(f.ok(b""))
    assert outcome(run, srv, backend) == "made"
