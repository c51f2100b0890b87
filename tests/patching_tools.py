"""Runs the same calls with one of the test tools that replace the network. The argument is the name of the tool."""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from decimal import Decimal
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from subscribekit import AsyncGatewayClient, GatewayClient, RetryPolicy
from subscribekit.models import EntitlementCharge

CHARGE = EntitlementCharge(transaction_id="tx-1", product_code="p", amount=Decimal("47.11"), currency="EUR")
BODY = {"object": "Subscription", "id": "caught", "vid": "s1"}
JSON = {"Content-Type": "application/json"}


def respx_with(engine: str, url: str, stack: ExitStack) -> None:
    import httpx
    import respx

    mock = stack.enter_context(respx.mock(using=engine))
    mock.get(url).mock(return_value=httpx.Response(200, json=BODY))


def pytest_httpx(url: str, stack: ExitStack) -> None:
    """Patch the same methods as the fixture of pytest-httpx, with its own class."""
    import httpx
    from pytest_httpx import HTTPXMock
    from pytest_httpx._options import _HTTPXMockOptions

    mock = HTTPXMock(_HTTPXMockOptions())
    mock.add_response(url=url, json=BODY, is_reusable=True)
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    patch.setattr(httpx.HTTPTransport, "handle_request", lambda own, request: mock._handle_request(own, request))

    async def handle(own: Any, request: httpx.Request) -> httpx.Response:
        return await mock._handle_async_request(own, request)

    patch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", handle)


def vcrpy(url: str, stack: ExitStack) -> None:
    import vcr

    cassette = Path(mkdtemp()) / "cassette.yaml"
    headers = {name: [value] for name, value in JSON.items()}
    content = json.dumps(BODY)
    response = {"status": {"code": 200, "message": "OK"}, "headers": headers, "body": {"string": content}}
    if vcr.__version__ < "6":  # type: ignore[attr-defined]
        response = {"http_version": "HTTP/1.1", "status_code": 200, "headers": headers, "content": content}
    one = {"request": {"method": "GET", "uri": url, "body": None, "headers": {}}, "response": response}
    cassette.write_text(json.dumps({"version": 1, "interactions": [one]}))
    stack.enter_context(vcr.use_cassette(str(cassette), record_mode="none", allow_playback_repeats=True))


def mocket(url: str, stack: ExitStack) -> None:
    from mocket import Mocketizer
    from mocket.mocks.mockhttp import Entry

    stack.enter_context(Mocketizer(strict_mode=True))
    Entry.single_register(Entry.GET, url, body=json.dumps(BODY), headers=JSON)


def pytest_httpx2(url: str, stack: ExitStack) -> None:
    """Patch the same methods as the fixture of pytest-httpx2, which supports only clients of httpx2."""
    import httpx
    import pytest_httpx2
    import respx

    assert pytest_httpx2.httpx2_mock
    mock = stack.enter_context(respx.mock(using="httpcore2"))
    mock.get(url).mock(return_value=httpx.Response(200, json=BODY))


def over_httpx2(style: str, context: ssl.SSLContext) -> dict[str, Any]:
    """Return the option that sends the requests with a client of httpx2."""
    import httpx2

    return {"http_client": (httpx2.Client if style == "blocking" else httpx2.AsyncClient)(verify=context)}


TOOLS: dict[str, Callable[[str, ExitStack], AbstractContextManager[None] | None]] = {
    "respx-httpcore": lambda url, stack: respx_with("httpcore", url, stack),
    "respx-httpx": lambda url, stack: respx_with("httpx", url, stack),
    "pytest-httpx": pytest_httpx,
    "vcrpy": vcrpy,
    "mocket": mocket,
}


ELSEWHERE = {"pytest-httpx2": pytest_httpx2}
"""Tools that need an environment of their own."""


def check_tool(tool: str, style: str) -> None:
    """Use a client before, inside, and after the tool, and a second client inside it.

    Inside the tool, no request reaches the server. The tool returns a response to one read, and refuses a charge in its
    own way.
    """
    with FaultServer(f.ok({**BODY, "id": "real"}), tls=True) as server:
        context = server.client_context()
        backend = over_httpx2(style, context) if tool in ELSEWHERE else {"ssl_context": context}
        options = {"base_url": server.url, "api_key": "k", "retry": RetryPolicy(max_attempts=1), **backend}
        kind: Any = GatewayClient if style == "blocking" else AsyncGatewayClient
        with asyncio.Runner() as runner:

            def read(client: Any) -> Any:
                async def call() -> Any:
                    return await client.subscriptions.retrieve("s1")

                return client.subscriptions.retrieve("s1").id if style == "blocking" else runner.run(call()).id

            def charge(client: Any) -> None:
                async def call() -> None:
                    await client.entitlements.charge("ps1", CHARGE)

                client.entitlements.charge("ps1", CHARGE) if style == "blocking" else runner.run(call())

            def close(client: Any) -> None:
                client.close() if style == "blocking" else runner.run(client.aclose())

            before = kind(**options)
            assert read(before) == "real"
            with ExitStack() as stack:
                {**TOOLS, **ELSEWHERE}[tool](f"{server.url}/submgmt/v2/subscriptions/s1", stack)
                inside = kind(**{**options, "ssl_context": None} if tool in TOOLS else options)
                assert [read(before), read(inside), read(before)] == ["caught"] * 3
                for client in (before, inside):
                    with pytest.raises(BaseException):  # noqa: B017, PT011  each tool raises its own kind
                        charge(client)
            assert len(server.requests) == 1
            assert read(before) == "real"
            for client in (before, inside):
                close(client)
            if "http_client" in backend:
                close(backend["http_client"])
    print(style)


if __name__ == "__main__":
    for style in ("blocking", "async"):
        check_tool(sys.argv[1], style)
