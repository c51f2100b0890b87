"""What tools that record local variables find in the SDK's frames, wherever a call is stopped (H425).

A frame is checked as such tools do it: texts, bytes and containers by their contents, anything else by its `repr`; and
attributes of the SDK's own objects as if a tool walked them, too.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import json
import sys
import threading
import types
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import subscribekit
from faults import scripts as f
from faults.server import FaultServer
from faults.steps import Act, step
from faults.wire import Exchange
from reliability.kit import Run, hazard
from subscribekit import Limits, RetryPolicy, transports
from subscribekit._sealed import Sealed

HOME = str(Path(subscribekit.__file__).parent)
USER, KEY = "merchant-4711", "billing-key-4712"
CREDENTIALS = (KEY, base64.b64encode(f"{USER}:{KEY}".encode()).decode())
SENT, CAME, REFUSED = "sent-body-4714", "response-body-4715", "error-body-4716"
BODIES = (SENT, CAME, REFUSED)
DEEPEST = 12
MOST_LOOKS = 6
"""How often the same line is looked at."""


def children(value: Any) -> Iterator[Any]:
    """Give what a tool would walk: the contents of containers, and the attributes of the SDK's own objects."""
    if isinstance(value, Mapping):
        with contextlib.suppress(AttributeError):  # of a mapping that is just being made
            yield from [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from list(value)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, types.MethodType):
        yield value.__self__
    elif isinstance(value, STEPS):
        yield from (dict(frame.f_locals) for frame in suspended(value) if is_ours(frame))
    elif type(value).__module__.partition(".")[0] == "subscribekit" and not isinstance(value, Sealed | type):
        yield from getattr(value, "__dict__", {}).values()
        for kind in type(value).__mro__:
            names = vars(kind).get("__slots__", ())
            for name in (names,) if isinstance(names, str) else names:
                own = f"_{kind.__name__.lstrip('_')}{name}" if name.startswith("__") and name[-2:] != "__" else name
                yield getattr(value, own, None)


def in_words(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # of an object that is just being made
        return ""


def shown(value: Any, markers: tuple[str, ...]) -> Iterator[str]:
    """Name the markers that a value shows."""
    seen: set[int] = set()
    layer = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for each in layer:
            if id(each) in seen or each is None or isinstance(each, bool | int | float | Decimal):
                continue
            seen.add(id(each))
            if isinstance(each, str):
                text = each
            elif isinstance(each, bytes | bytearray):
                text = each.decode("latin-1")
            else:
                below += children(each)
                text = "" if isinstance(each, Mapping | list | tuple | type | types.ModuleType) else in_words(each)
            yield from (marker for marker in markers if marker in text)
        layer = below


def is_ours(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith(HOME)


def found_in(frame: types.FrameType, markers: tuple[str, ...]) -> set[str]:
    if not is_ours(frame):
        return set()
    place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {frame.f_code.co_name}"
    return {f"{place} {name} shows {each}" for name, value in frame.f_locals.items() for each in shown(value, markers)}


STEPS: Any = types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType


def suspended(steps: Any) -> Iterator[types.FrameType]:
    """Give the frames of a coroutine or generator that waits, and of those that it waits for."""
    while steps is not None:
        kind = next((each for each in ("cr", "gi", "ag") if hasattr(steps, f"{each}_frame")), None)
        if kind is None:  # what waits for the next value of an async generator names it to nobody but the collector
            steps = next((each for each in gc.get_referents(steps) if isinstance(each, STEPS)), None)
            continue
        if (frame := getattr(steps, f"{kind}_frame")) is not None:
            yield frame
        steps = getattr(steps, "gi_yieldfrom" if kind == "gi" else f"{kind}_await")


class Found:
    """What the frames of the SDK showed, and the functions that were looked at."""

    def __init__(self, markers: tuple[str, ...]) -> None:
        self._markers = markers
        self._awaited: list[tuple[set[str], threading.Event]] = []
        self._looks: Counter[object] = Counter()
        self.shown: set[str] = set()
        self.functions: set[str] = set()

    def saw(self, *names: str) -> threading.Event:
        """Give an event that is set when one of some functions is looked at from now on."""
        self._looks.clear()
        self._awaited.append((set(names), event := threading.Event()))
        return event

    def look(self, frame: types.FrameType) -> None:
        if is_ours(frame):
            name = frame.f_code.co_name
            self.functions.add(name)
            place = frame.f_code, frame.f_lineno
            self._looks[place] += 1
            if self._looks[place] <= MOST_LOOKS:
                self.shown |= found_in(frame, self._markers)
            for names, event in list(self._awaited):
                if name in names:
                    event.set()


Check = Callable[[types.FrameType], None]

WAITS = ("poll", "acquire", "sleep", "getaddrinfo", "select")
"""Functions of C in which a thread waits."""


def at_waits(check: Check) -> Any:
    """Look at all frames wherever a thread waits."""

    def profiled(frame: types.FrameType, event: str, argument: Any) -> None:
        if event == "c_call" and argument.__name__ in WAITS:
            inner: types.FrameType | None = frame
            while inner is not None:
                check(inner)
                inner = inner.f_back

    return profiled


def at_lines(check: Check) -> Any:
    """Look at the frame of each line of the SDK that runs."""

    def local(frame: types.FrameType, event: str, argument: Any) -> Any:
        check(frame)
        return local

    def called(frame: types.FrameType, event: str, argument: Any) -> Any:
        return local if is_ours(frame) else None

    return called


RESPONSE = json.dumps({"id": "t1", "name": CAME, "object": "Thing"}).encode()
REFUSAL = json.dumps({"object": "Error", "message": "no", "explanation": REFUSED}).encode()


@step("head")
def in_halves(found: Found) -> Act:
    """Read the request when the client waits to write it, and end the response when the client waits for its rest."""

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
    """A read that is refused once, and a large write: they wait for all that a call can wait for."""

    def __init__(self, run: Run, srv: FaultServer, carrier: str) -> None:
        self.run, self.srv = run, srv
        given: dict[str, Any] = {"limits": Limits(max_connections=1)}
        if srv.url.startswith("https"):
            given["ssl_context"] = srv.client_context()
        if carrier == "direct":
            run.opened.append(own := transports.direct(**given))
            given = {"transport": own}
        key: Any = KEY if carrier == "direct" else lambda: KEY
        self.client = run.client(
            "billing", srv, timed=False, api_user=USER, api_key=key, retry=RetryPolicy(backoff_base=0.01),
            **{"ssl_context": None, **given},
        )  # fmt: skip

    def calls(self, found: Found) -> Iterator[Callable[[Any], Any]]:
        """Give the calls to make, the first one while the only connection is in use."""
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

    async def beside(use: Callable[[Any], Any]) -> None:
        task = asyncio.ensure_future(use(story.client))
        while not task.done():
            await asyncio.sleep(0)
            for frame in suspended(task.get_coro()):
                found.look(frame)
        await task

    for use in story.calls(found):
        story.run.wait(beside(use))


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


CARRIERS = pytest.mark.parametrize("carrier", ["default", "direct"])


@hazard("H425")
@CARRIERS
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_no_frame_shows_a_credential_or_a_body_while_a_call_waits(
    run: Run, srv: FaultServer, secure: FaultServer, carrier: str, tls: bool
) -> None:
    found = Found((*CREDENTIALS, *BODIES))
    story = Story(run, secure if tls else srv, carrier)
    stopped_at_waits(story, found)
    rest = "__iter__" if run.style == "blocking" else "__aiter__"
    assert {"_wait", "_connect", "write", "read", rest} <= found.functions
    assert sorted(found.shown) == []


@hazard("H425")
@CARRIERS
def test_no_frame_shows_a_credential_at_any_line_of_a_call(run: Run, srv: FaultServer, carrier: str) -> None:
    found = Found(CREDENTIALS)
    stopped_at_lines(Story(run, srv, carrier), found)
    assert {"signed", "obtain" if run.style == "blocking" else "obtain_async", "begin", "feed"} <= found.functions | (
        {"obtain", "obtain_async"} if carrier == "direct" else set()
    )
    assert sorted(found.shown) == []
