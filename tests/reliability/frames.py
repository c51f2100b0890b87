"""Checks what a tool that records local variables finds in the SDK's stack frames.

Like such a tool, this module checks texts, bytes, and containers by their contents, and any other object by its `repr`.
It also checks the attributes of the SDK's own objects.
"""

from __future__ import annotations

import contextlib
import gc
import sqlite3
import sys
import threading
import types
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import httpcore

import subscribekit
from subscribekit._sealed import Sealed

HOME = str(Path(subscribekit.__file__).parent)
DEEPEST = 12
MOST_LOOKS = 6
"""The maximum number of checks of the same line."""


GIVEN = {"add": ("requests",), "send_once": ("request",), "request": ("json",), "_call": ("kwargs",)}
"""Parameters by which a caller passes a body, so that their frames show it (see `docs/security.md`)."""


def children(value: Any) -> Iterator[Any]:
    """Yield the objects that a tool would visit: contents of containers, and attributes of the SDK's own objects."""
    if isinstance(value, Mapping):
        with contextlib.suppress(AttributeError):  # the mapping is still under construction
            yield from [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from list(value)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, types.MethodType):
        yield value.__self__
    elif isinstance(value, httpcore.Proxy):
        yield from vars(value).values()
    elif isinstance(value, STEPS):
        yield from (dict(frame.f_locals) for frame in suspended(value) if is_ours(frame))
    elif type(value).__module__.partition(".")[0] == "subscribekit" and not isinstance(value, Sealed | type):
        yield from getattr(value, "__dict__", {}).values()
        for kind in type(value).__mro__:
            names = vars(kind).get("__slots__", ())
            for name in {names} if isinstance(names, str) else {*names} - {"__weakref__"}:  # that slot holds no value
                own = f"_{kind.__name__.lstrip('_')}{name}" if name.startswith("__") and name[-2:] != "__" else name
                yield getattr(value, own, None)


def repr_of(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # the object is still under construction
        return ""


def shown(value: Any, markers: tuple[str, ...]) -> Iterator[str]:
    """Yield the markers that a value shows, such as credentials."""
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
                text = "" if isinstance(each, Mapping | list | tuple | type | types.ModuleType) else repr_of(each)
            yield from (marker for marker in markers if marker in text)
        layer = below


def is_ours(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith(HOME)


def found_in(frame: types.FrameType, markers: tuple[str, ...]) -> set[str]:
    if not is_ours(frame):
        return set()
    place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {frame.f_code.co_name}"
    given = GIVEN.get(frame.f_code.co_name, ())
    return {
        f"{place} {name} shows {each}"
        for name, value in frame.f_locals.items()
        if name not in given
        for each in shown(value, markers)
    }


STEPS: Any = types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType


def suspended(steps: Any) -> Iterator[types.FrameType]:
    """Yield the frames of a suspended coroutine or generator, and the frames of everything that it waits for."""
    while steps is not None:
        kind = next((each for each in ("cr", "gi", "ag") if hasattr(steps, f"{each}_frame")), None)
        if kind is None:
            # An awaitable for the next value of an async generator shows its generator only to the garbage collector.
            steps = next((each for each in gc.get_referents(steps) if isinstance(each, STEPS)), None)
            continue
        if (frame := getattr(steps, f"{kind}_frame")) is not None:
            yield frame
        steps = getattr(steps, "gi_yieldfrom" if kind == "gi" else f"{kind}_await")


class Found:
    """The markers that the SDK's frames showed, and the functions whose frames were checked."""

    def __init__(self, markers: tuple[str, ...]) -> None:
        self._markers = markers
        self._awaited: list[tuple[set[str], threading.Event]] = []
        self._looks: Counter[object] = Counter()
        self.shown: set[str] = set()
        self.functions: set[str] = set()

    def saw(self, *names: str) -> threading.Event:
        """Return an event that is set as soon as a frame of one of these functions is checked again."""
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
"""C functions in which a thread waits."""
OF_LEDGERS = ("execute", "executemany", "commit")
"""Methods of `sqlite3` that wait while another program has locked the file."""


def is_wait(function: Any) -> bool:
    """Return whether a thread waits in a C function for the network, a lock, a queue, or a database."""
    name, owner = function.__name__, getattr(function, "__self__", None)
    if isinstance(owner, SimpleQueue):
        return name == "get"
    return name in WAITS or (name in OF_LEDGERS and isinstance(owner, sqlite3.Cursor | sqlite3.Connection))


def at_waits(check: Check) -> Any:
    """Return a profile function that checks all frames of the thread wherever the thread waits."""

    def profiled(frame: types.FrameType, event: str, argument: Any) -> None:
        if event == "c_call" and is_wait(argument):
            inner: types.FrameType | None = frame
            while inner is not None:
                check(inner)
                inner = inner.f_back

    return profiled


def at_lines(check: Check) -> Any:
    """Return a trace function that checks the frame of each line of the SDK that runs."""

    def local(frame: types.FrameType, event: str, argument: Any) -> Any:
        check(frame)
        return local

    def called(frame: types.FrameType, event: str, argument: Any) -> Any:
        return local if is_ours(frame) else None

    return called


@contextlib.contextmanager
def looked_at(found: Found) -> Iterator[None]:
    """Check the frame of each line of the SDK that this thread runs."""
    sys.settrace(at_lines(found.look))
    try:
        yield
    finally:
        sys.settrace(None)
