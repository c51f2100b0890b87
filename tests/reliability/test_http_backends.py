"""HTTP backends: an httpx client with the SDK's own connections, the caller's own client, and `direct()`."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import ssl
from collections.abc import Callable
from typing import Any
from unittest import mock

import httpx
import httpx2
import httpx_aiohttp
import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E6, E8
from reliability.test_proxies import OPEN, Proxy, proxies
from subscribekit import AsyncGatewayClient, GatewayClient, Limits, RetryPolicy, transports
from subscribekit.errors import ConfigurationError, InvalidArgumentError, OutcomeUnknownError, SubscribekitError

__all__ = ["proxies"]

ONCE = RetryPolicy(max_attempts=1)
LIBRARIES = {"httpx": httpx, "httpx2": httpx2}
libraries = pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
URL = "https://gateway.test"


def caller(run: Run, library: Any, **options: Any) -> Any:
    """Create the caller's own client, sync or async like the run."""
    run.opened.append(made := (library.Client if run.style == "blocking" else library.AsyncClient)(**options))
    return made


def mocked(run: Run, library: Any, answer: Callable[[Any], Any], **options: Any) -> Any:
    return caller(run, library, transport=library.MockTransport(answer), **options)


def ours(run: Run, **options: Any) -> Any:
    kind = GatewayClient if run.style == "blocking" else AsyncGatewayClient
    run.opened.append(made := kind(**{"base_url": URL, "api_key": "k", "retry": ONCE, **options}))
    return made


def refused(run: Run, **options: Any) -> str:
    with pytest.raises(ConfigurationError) as caught:
        ours(run, **options)
    return str(caught.value)


# The default


@hazard("H256")
@pytest.mark.parametrize(
    "place", ["Client.send", "Client._send_single_request", "HTTPTransport.handle_request", "Client._transport_for_url"]
)
def test_a_default_client_uses_replaced_methods_of_httpx(run: Run, srv: FaultServer, place: str) -> None:
    """Before and after the replacement, calls reach the network. Meanwhile, no call bypasses the replacement."""
    client = run.client("gateway", srv, timed=False)
    assert run(client, E6.use).id == "a1"
    if run.style == "async":
        place = "Async" + place.replace("handle_request", "handle_async_request")
    replaced: list[object] = []

    def replacement(*given: object, **_: object) -> None:
        replaced.append(given)
        raise httpx.ConnectError("replaced")

    kind, method = place.split(".")
    with mock.patch.object(getattr(httpx, kind), method, replacement):
        assert run.fails(client, E6.use).outcome == "not_sent"
    assert replaced
    assert len(srv.requests) == 1
    assert run(client, E6.use).id == "a1"


@hazard("H256")
def test_a_header_that_a_tool_adds_is_sent_with_the_sdk_s_headers(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv, timed=False)
    kind = httpx.Client if run.style == "blocking" else httpx.AsyncClient
    send = kind.send

    def adding(own: Any, request: httpx.Request, **options: Any) -> Any:
        request.headers["sentry-trace"] = "added"
        return send(own, request, **options)

    with mock.patch.object(kind, "send", adding):
        run(client, E6.use)
    names = [name.lower() for name, _ in srv.requests[0].headers]
    assert names.count(b"sentry-trace") == 1
    assert len(names) == len(set(names))


@hazard("H256")
def test_a_default_client_names_its_http_backend(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv, timed=False)
    assert client.http_backend == f"httpx {httpx.__version__}, own connections"
    run(client, E6.use, E6.use)
    assert srv.connections == 1


def test_a_proxy_is_named_without_its_password(run: Run) -> None:
    client = ours(run, proxy="http://user:secret@proxy.test:3128")
    assert client.http_backend.endswith(", own connections, proxy proxy.test:3128")


@hazard("H262")
@libraries
def test_the_log_record_of_httpx_shows_only_the_template_of_a_call_of_the_sdk(
    run: Run, library: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=library.__name__)
    given = mocked(
        run, library, lambda _: library.Response(200, json={"object": "Subscription", "id": "very-personal"})
    )
    client = ours(run, http_client=given)
    run(client, lambda c: c.subscriptions.retrieve("very-personal"))
    run.finish(given.get("https://other.test/of-the-caller"))
    shown = [record.getMessage() for record in caplog.records if record.name == library.__name__]
    assert len(shown) == 2
    assert "/submgmt/v2/subscriptions/{subscription}" in shown[0]
    assert "very-personal" not in shown[0]
    assert "https://other.test/of-the-caller" in shown[1]


# Connections without an httpx client


def test_direct_serves_both_styles_and_belongs_to_the_caller(run: Run, srv: FaultServer) -> None:
    backend = transports.direct(limits=Limits(max_connections=3))
    run.opened.append(backend)
    for _ in range(2):
        with mock.patch.object(httpx.Client, "send"), mock.patch.object(httpx.AsyncClient, "send"):
            client = run.client("gateway", srv, timed=False, transport=backend)
            assert run(client, E6.use).id == "a1"
        run.close_client(client)
    assert client.http_backend == "own connections, direct"
    assert srv.connections == 1


def test_direct_is_refused_as_a_transport_of_httpx() -> None:
    with pytest.raises(TypeError, match="PooledTransport"):
        httpx.Client(transport=transports.direct()).get(URL)  # type: ignore[arg-type]  # refused


# PooledTransport in the caller's own client


def pooled(run: Run, **options: Any) -> Any:
    return (transports.PooledTransport if run.style == "blocking" else transports.AsyncPooledTransport)(**options)


@hazard("H257")
def test_own_connections_serve_a_client_of_httpx(run: Run) -> None:
    """The application's own requests to two origins, with and without a body, reuse the connections."""
    with FaultServer(f.ok({"n": 1}), tls=True) as first, FaultServer(f.ok({"n": 2})) as second:
        given = caller(run, httpx, transport=pooled(run, ssl_context=first.client_context()))
        for _ in range(2):
            assert run.finish(given.get(first.url)).json() == {"n": 1}
            assert run.finish(given.post(second.url, json={"a": 1})).json() == {"n": 2}
        assert (first.connections, second.connections) == (1, 1)
        assert second.requests[0].body == b'{"a":1}'


@hazard("H257")
def test_own_connections_raise_the_exceptions_of_httpx(run: Run, srv: FaultServer) -> None:
    given = caller(run, httpx, transport=pooled(run), timeout=0.2)
    srv.script(f.close_after_request("rst"))
    with pytest.raises((httpx.NetworkError, httpx.RemoteProtocolError)):
        run.finish(given.get(srv.url))
    with pytest.raises(httpx.ConnectError):
        run.finish(given.get("http://127.0.0.1:1"))
    with pytest.raises(httpx.UnsupportedProtocol):
        run.finish(given.get("ftp://x.test"))


@hazard("H257")
def test_own_connections_in_the_callers_client_report_unknown_outcomes_and_add_no_headers(
    run: Run, srv: FaultServer
) -> None:
    given = caller(run, httpx, transport=pooled(run), headers={"X-Own": "1"})
    client = run.client("gateway", srv, timed=False, http_client=given, retry=ONCE)
    srv.script(f.ok(), f.close_after_request("rst"))
    run(client, E6.use)
    assert run.fails(client, E8.use).outcome == "unknown"
    assert all(b"x-own" not in {name.lower() for name, _ in each.headers} for each in srv.requests)


def test_own_connections_are_refused_in_httpx2(run: Run) -> None:
    given = caller(run, httpx2, transport=pooled(run))
    with pytest.raises(TypeError, match=r"works only in httpx\.Client and httpx\.AsyncClient"):
        run.finish(given.get(URL))
    assert "httpx2" in refused(run, http_client=given)


# http_client


@hazard("H258")
@libraries
def test_settings_of_the_callers_client_do_not_change_requests_of_the_sdk(run: Run, library: Any) -> None:
    seen: list[Any] = []

    def answer(request: Any) -> Any:
        seen.append(request)
        return library.Response(200, json={"object": "Subscription", "id": "s1"}, headers={"Set-Cookie": "a=b"})

    given = mocked(
        run, library, answer, headers={"X-Own": "1", "User-Agent": "own"}, params={"q": "1"}, cookies={"c": "1"},
        auth=("user", "password"), base_url="https://elsewhere.test/x", timeout=0.001, follow_redirects=True,
    )  # fmt: skip
    plain = ours(run, transport=library.MockTransport(answer))
    client = ours(run, http_client=given)
    assert client.http_backend == f"{library.__name__}, the caller's client"
    assert plain.http_backend == f"{library.__name__}.MockTransport"
    for each in (client, plain):
        run(each, E6.use)
    with_client, alone = seen
    ids = re.compile("^(x-b3-|traceparent)")

    def wire(request: Any) -> Any:
        headers = {name: value for name, value in request.headers.items() if not ids.match(name)}
        return request.method, str(request.url), headers, request.extensions["timeout"]

    assert wire(with_client) == wire(alone)
    run.close_client(client)
    assert not given.is_closed


@hazard("H258")
def test_redirects_are_not_followed_whatever_the_callers_client_does(run: Run) -> None:
    for location in ("https://elsewhere.test/", "https://[bad/"):

        def answer(_: httpx.Request, location: str = location) -> httpx.Response:
            return httpx.Response(302, headers={"Location": location})

        client = ours(run, http_client=mocked(run, httpx, answer, follow_redirects=True))
        error = run.fails(client, E8.use)
        assert (type(error).__name__, error.outcome) == ("RedirectOutcomeUnknownError", "unknown")


@hazard("H259")
@libraries
def test_an_exception_of_a_request_hook_means_not_sent(run: Run, library: Any) -> None:
    sent_requests: list[object] = []

    def hook(_: object) -> None:
        raise KeyError("no")

    async def hook_async(_: object) -> None:
        raise KeyError("no")

    hooks = {"request": [hook if run.style == "blocking" else hook_async]}
    client = ours(run, http_client=mocked(run, library, lambda sent: sent_requests.append(sent), event_hooks=hooks))
    error = run.fails(client, E8.use)
    assert isinstance(error, InvalidArgumentError)
    assert (error.outcome, isinstance(error.__cause__, KeyError), sent_requests) == ("not_sent", True, [])


@hazard("H259")
@libraries
@pytest.mark.parametrize(("status", "outcome"), [(402, "rejected"), (500, "unknown"), (302, "unknown")])
def test_raise_for_status_in_a_response_hook_counts_by_the_status(
    run: Run, library: Any, status: int, outcome: str
) -> None:
    def hook(response: Any) -> None:
        response.raise_for_status()

    async def hook_async(response: Any) -> None:
        response.raise_for_status()

    hooks = {"response": [hook if run.style == "blocking" else hook_async]}
    answer = library.Response(status, json={"code": 1}, headers={"Location": "/x"} if status == 302 else {})
    client = ours(run, http_client=mocked(run, library, lambda _: answer, event_hooks=hooks))
    assert run.fails(client, E8.use).outcome == outcome


@hazard("H259")
@libraries
def test_another_exception_of_a_response_hook_makes_the_outcome_unknown(run: Run, library: Any) -> None:
    def hook(response: Any) -> None:
        raise KeyError("no")

    async def hook_async(response: Any) -> None:
        raise KeyError("no")

    hooks = {"response": [hook if run.style == "blocking" else hook_async]}
    given = mocked(run, library, lambda _: library.Response(200, json={}), event_hooks=hooks)
    error = run.fails(ours(run, http_client=given), E8.use)
    assert isinstance(error, OutcomeUnknownError)
    assert "a response hook of http_client raised KeyError" in str(error)


@hazard("H259")
@libraries
def test_a_hook_can_read_the_response(run: Run, library: Any) -> None:
    def hook(response: Any) -> None:
        response.read()

    async def hook_async(response: Any) -> None:
        await response.aread()

    hooks = {"response": [hook if run.style == "blocking" else hook_async]}
    receipt = {"object": "Subscription", "id": "s1", "transactionReferenceId": "ref-1"}
    given = mocked(run, library, lambda _: library.Response(200, json=receipt), event_hooks=hooks)
    assert run(ours(run, http_client=given), E8.use).transaction_reference_id == "ref-1"


@hazard("H258")
def test_mounts_and_proxies_of_the_callers_client_are_used(run: Run, secure: FaultServer, proxies: list[Proxy]) -> None:
    proxies.append(proxy := Proxy(OPEN))
    context = secure.client_context()
    kind = httpx.HTTPTransport if run.style == "blocking" else httpx.AsyncHTTPTransport
    mounted = kind(verify=context, proxy=f"http://127.0.0.1:{proxy.port}")
    given = caller(run, httpx, verify=context, mounts={"https://": mounted})
    client = ours(run, http_client=given, base_url=secure.url)
    run(client, E6.use, E8.use)
    assert (len(proxy.heads), secure.connections) == (1, 1)


@hazard("H258")
def test_calls_work_over_httpx_aiohttp(srv: FaultServer) -> None:
    run = Run("async")
    try:

        async def story() -> None:
            async with httpx.AsyncClient(transport=httpx_aiohttp.AiohttpTransport()) as given:
                client = run.client("gateway", srv, timed=False, http_client=given, retry=ONCE)
                assert (await E6.use(client)).id == "a1"
                srv.script(f.close_after_request("rst"))
                with pytest.raises(OutcomeUnknownError):
                    await E8.use(client)

        run.wait(story())
    finally:
        run.close()


# Refused arguments


def test_clients_of_the_wrong_kind_are_refused_by_name(run: Run) -> None:
    other = httpx.AsyncClient() if run.style == "blocking" else httpx.Client()
    name = type(other).__name__
    assert name in refused(run, http_client=other)
    assert "pass it as transport=" in refused(run, http_client=httpx.MockTransport(lambda _: httpx.Response(200)))
    assert "http_client must be" in refused(run, http_client=object())
    assert "pass a client as http_client=" in refused(run, transport=caller(run, httpx))
    closed = caller(run, httpx)
    run.close_client(closed)
    assert refused(run, http_client=closed) == "http_client was closed; create a new httpx client"


def test_arguments_that_http_client_would_ignore_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given = caller(run, httpx)
    ignored: dict[str, Any] = {
        "transport": httpx.MockTransport(lambda _: httpx.Response(200)), "proxy": "http://user:secret@p.test:1",
        "ssl_context": ssl.create_default_context(), "limits": Limits(),
    }  # fmt: skip
    for name, value in ignored.items():
        text = refused(run, http_client=given, **{name: value})
        assert text.startswith(f"{name} can't be combined with http_client")
        assert "secret" not in text
    assert "sandbox" in refused(run, http_client=given, environment="sandbox", base_url=None)
    named = {"environment": "staging", "base_url": None, "http_client": given}
    monkeypatch.setenv("SUBSCRIBEKIT_STAGING_GATEWAY_URL", URL)
    for name in ("PROXY", "CA_FILE"):
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name}", "x")
        assert f"SUBSCRIBEKIT_STAGING_{name} can't be combined with http_client" in refused(run, **named)
        monkeypatch.delenv(f"SUBSCRIBEKIT_STAGING_{name}")
    ours(run, **named)


def test_a_call_after_http_client_was_closed_sends_nothing(run: Run) -> None:
    given = mocked(run, httpx, lambda _: httpx.Response(200))
    client = ours(run, http_client=given)
    run.close_client(given)
    error = run.fails(client, E8.use)
    assert (str(error), error.outcome) == ("http_client was closed; create it again. Nothing was sent", "not_sent")


@hazard("H260")
@libraries
def test_connections_that_do_not_verify_certificates_are_refused(run: Run, library: Any, secure: FaultServer) -> None:
    kind = library.HTTPTransport if run.style == "blocking" else library.AsyncHTTPTransport
    unchecked = kind(verify=False)
    run.opened.append(unchecked)
    assert "doesn't verify certificates" in refused(run, transport=unchecked)
    assert "doesn't verify certificates" in refused(run, http_client=caller(run, library, verify=False))
    mounts = {"https://": kind(verify=False)}
    assert "doesn't verify certificates" in refused(run, http_client=caller(run, library, mounts=mounts))

    class Hidden(library.BaseTransport, library.AsyncBaseTransport):
        def handle_request(self, request: Any) -> Any:
            return unchecked.handle_request(request)

        async def handle_async_request(self, request: Any) -> Any:
            return await unchecked.handle_async_request(request)

    client = ours(run, transport=Hidden(), base_url=secure.url)
    error = run.fails(client, E8.use)
    assert (type(error), error.outcome, secure.requests) == (ConfigurationError, "not_sent", [])


# Processes and event loops


def _kinds(run: Run) -> dict[str, dict[str, Any]]:
    inner = httpx.HTTPTransport() if run.style == "blocking" else httpx.AsyncHTTPTransport()
    run.opened.append(inner)

    class Wrapper(httpx.BaseTransport, httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self.inner: Any = inner

        def handle_request(self, request: Any) -> Any:
            return self.inner.handle_request(request)

        async def handle_async_request(self, request: Any) -> Any:
            return await self.inner.handle_async_request(request)

    return {
        "transport": {"transport": inner},
        "wrapped": {"transport": Wrapper()},
        "http_client": {"http_client": caller(run, httpx)},
    }


def in_child(act: Callable[[], str]) -> str:
    """Run a function in a forked child, and return the text that the function returns."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writes, act().encode())
        finally:
            os._exit(0)
    os.close(writes)
    os.waitpid(child, 0)
    text = os.read(reads, 4096).decode()
    os.close(reads)
    return text


@hazard("H261")
@pytest.mark.posix("there is no fork")
@pytest.mark.parametrize("kind", ["transport", "wrapped", "http_client"])
@pytest.mark.parametrize("number", [os.getpid, lambda: 1], ids=["a process", "a PID namespace"])
def test_a_forked_child_does_not_use_the_sockets_of_its_parent(
    srv: FaultServer, kind: str, number: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", number)
    run = Run("blocking")
    try:
        client = ours(run, **_kinds(run)[kind], base_url=srv.url, allow_insecure_loopback=True)
        run(client, E6.use)

        def act() -> str:
            try:
                E8.use(client)
            except SubscribekitError as error:
                return f"{type(error).__name__} {error.outcome} {error}"
            return "sent"

        text = in_child(act)
        name = "http_client" if kind == "http_client" else "transport"
        assert text.startswith(
            f"ConfigurationError not_sent {name} was created before a fork; create it again in the child"
        )
        run(client, E6.use)
        assert (len(srv.requests), srv.connections) == (2, 1)
    finally:
        run.close()


@hazard("H261")
@pytest.mark.posix("there is no fork")
@pytest.mark.parametrize("kind", ["own", "direct", "pooled"])
def test_own_connections_work_in_a_forked_child(srv: FaultServer, kind: str) -> None:
    run = Run("blocking")
    try:
        given: dict[str, Any] = {
            "own": dict[str, Any], "direct": lambda: {"transport": transports.direct()},
            "pooled": lambda: {"http_client": caller(run, httpx, transport=transports.PooledTransport())},
        }[kind]()  # fmt: skip
        client = ours(run, **given, base_url=srv.url, allow_insecure_loopback=True)
        run.opened += [each for each in given.values() if hasattr(each, "close")]
        run(client, E6.use)
        assert in_child(lambda: str(E6.use(client).id)) == "a1"
        run(client, E6.use)
        assert (len(srv.requests), srv.connections) == (3, 2)
    finally:
        run.close()


@hazard("H261")
@pytest.mark.parametrize("kind", ["transport", "wrapped", "http_client"])
def test_a_second_event_loop_does_not_use_the_sockets_of_the_first(srv: FaultServer, kind: str) -> None:
    run = Run("async")
    try:
        client = ours(run, **_kinds(run)[kind], base_url=srv.url, allow_insecure_loopback=True)
        run(client, E6.use)
        name = "http_client" if kind == "http_client" else "transport"
        with pytest.raises(ConfigurationError, match=f"{name} belongs to another event loop; create it again in this"):
            asyncio.run(E8.use(client))
        run(client, E6.use)
        assert len(srv.requests) == 2
    finally:
        run.close()
