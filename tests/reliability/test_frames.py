"""The SDK's frames show no credentials to tools that record local variables, nor bodies while a call waits (H425)."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange
from reliability.frames import Found, at_lines, at_waits, suspended
from reliability.kit import Run, hazard
from subscribekit import Limits, RetryPolicy, transports

USER, KEY = "merchant-4711", "billing-key-4712"
CREDENTIALS = (KEY, base64.b64encode(f"{USER}:{KEY}".encode()).decode())
SENT, RECEIVED, REFUSED = "sent-body-4714", "response-body-4715", "error-body-4716"
BODIES = (SENT, RECEIVED, REFUSED)


RESPONSE = json.dumps({"id": "t1", "name": RECEIVED, "object": "Thing"}).encode()
REFUSAL = json.dumps({"object": "Error", "message": "no", "explanation": REFUSED}).encode()


@step("head")
def in_halves(found: Found) -> Act:
    """Read the body while the client waits to write it, and end the response while the client waits for the rest."""

    writes = found.saw("write")

    def act(exchange: Exchange) -> None:
        assert exchange.request is not None
        assert writes.wait(20)
        exchange.connection.read_body(exchange.request)
        whole, reads_on = exchange.framed(200, RESPONSE), found.saw("__iter__", "__aiter__")
        exchange.send(whole[:-20])
        assert reads_on.wait(20)
        exchange.send(whole[-20:])

    return act


def write(client: Any) -> Any:
    return client.request("POST", "/things/t1", json={"id": "t1", "name": SENT, "long": ["v" * 1000] * 6000})


def read(client: Any) -> Any:
    return client.request("GET", "/things/t1")


class Story:
    """A read that fails once, and a large write. Together, they wait for everything that a call can wait for."""

    def __init__(self, run: Run, srv: FaultServer, backend: str) -> None:
        self.run, self.srv = run, srv
        given: dict[str, Any] = {"limits": Limits(max_connections=1)}
        if srv.url.startswith("https"):
            given["ssl_context"] = srv.client_context()
        if backend == "direct":
            run.opened.append(own := transports.direct(**given))
            given = {"transport": own}
        key: Any = KEY if backend == "direct" else lambda: KEY
        self.client = run.client(
            "billing", srv, timed=False, api_user=USER, api_key=key, retry=RetryPolicy(backoff_base=0.01),
            **{"ssl_context": None, **given},
        )  # fmt: skip

    def calls(self, found: Found) -> Iterator[Callable[[Any], Any]]:
        """Yield the calls to make. When the first one starts, another call uses the only connection."""
        refused = f.status(503, REFUSAL, [("Connection", "close")])
        self.srv.script(f.stall_before_headers(RESPONSE), refused, f.ok(RESPONSE), in_halves(found))
        first = self.run.begin(self.client, read)
        self.run.arrived(self.srv, 1)
        waits = found.saw("_wait")
        threading.Thread(target=lambda: waits.wait(20) and self.srv.release()).start()
        yield read
        self.run.end(first)
        yield write


def stopped_at_waits(story: Story, found: Found) -> None:
    if story.run.style == "blocking":
        for use in story.calls(found):
            sys.setprofile(at_waits(found.look))
            try:
                use(story.client)
            finally:
                sys.setprofile(None)
        return

    async def polled(use: Callable[[Any], Any]) -> None:
        task = asyncio.ensure_future(use(story.client))
        while not task.done():
            await asyncio.sleep(0)
            for frame in suspended(task.get_coro()):
                found.look(frame)
        await task

    for use in story.calls(found):
        story.run.wait(polled(use))


def stopped_at_lines(story: Story, found: Found) -> None:
    for use in story.calls(found):

        async def traced(use: Callable[[Any], Any] = use) -> None:
            sys.settrace(at_lines(found.look))
            try:
                result = use(story.client)
                if story.run.style == "async":
                    await result
            finally:
                sys.settrace(None)

        story.run.wait(traced())


BACKENDS = pytest.mark.parametrize("backend", ["default", "direct"])


@hazard("H425")
@BACKENDS
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_no_frame_shows_a_credential_or_a_body_while_a_call_waits(
    run: Run, srv: FaultServer, secure: FaultServer, backend: str, tls: bool
) -> None:
    found = Found((*CREDENTIALS, *BODIES))
    story = Story(run, secure if tls else srv, backend)
    stopped_at_waits(story, found)
    rest = "__iter__" if run.style == "blocking" else "__aiter__"
    assert {"_wait", "_connect", "write", "read", rest} <= found.functions
    assert sorted(found.shown) == []


@hazard("H425")
@BACKENDS
def test_no_frame_shows_a_credential_at_any_line_of_a_call(run: Run, srv: FaultServer, backend: str) -> None:
    found = Found(CREDENTIALS)
    stopped_at_lines(Story(run, srv, backend), found)
    assert {"signed", "obtain" if run.style == "blocking" else "obtain_async", "begin", "feed"} <= found.functions | (
        {"obtain", "obtain_async"} if backend == "direct" else set()
    )
    assert sorted(found.shown) == []
