"""Runs the examples of a page against a new sandbox, and records their output, requests, and responses."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from subscribekit.sandbox import platform
from subscribekit.sandbox.http.wire import SandboxRequest, SandboxResponse

from .examples import Example, Family

_REFERENCE = ("object", "id", "vid")


@dataclass(frozen=True)
class Recording:
    """The output of one example, and the exchange of the operation that it shows."""

    printed: str
    request: str
    response: str
    shortened: bool


def record(family: Family, routes: Mapping[str, list[tuple[str, str]]]) -> Iterator[Recording]:
    """Run the examples of a family in order.

    Args:
        family: The page.
        routes: The HTTP methods and path templates of each method of the resource.
    """
    with _sandbox() as exchanges:
        namespace: dict[str, object] = {}
        exec(family.setup, namespace)
        for example in family.examples:
            del exchanges[:]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(example.code, namespace)
            request, answer = _of(example, exchanges, routes[example.method])
            response, shortened = _response(answer)
            yield Recording(printed.getvalue(), _request(request), response, shortened)


@contextlib.contextmanager
def _sandbox() -> Iterator[list[tuple[SandboxRequest, SandboxResponse]]]:
    """Replace the sandbox of the process by a new one that records its exchanges."""
    exchanges: list[tuple[SandboxRequest, SandboxResponse]] = []
    fresh, before = platform.Platform(), platform._Default.platform
    handle = fresh.service.handle

    def handle_and_record(request: SandboxRequest) -> SandboxResponse:
        answer = handle(request)
        exchanges.append((request, answer))
        return answer

    fresh.service.handle = handle_and_record  # type: ignore[method-assign]  # only in this sandbox
    platform._Default.platform = fresh
    try:
        yield exchanges
    finally:
        platform._Default.platform = before


def _of(
    example: Example, exchanges: list[tuple[SandboxRequest, SandboxResponse]], routes: list[tuple[str, str]]
) -> tuple[SandboxRequest, SandboxResponse]:
    """Return the last exchange of an example that matches a route of its operation.

    For a list, return the first exchange, because the last page can be empty.
    """
    wanted = [(verb, re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))) for verb, path in routes]
    fitting = [
        (request, answer)
        for request, answer in exchanges
        if any(request.method == verb and path.fullmatch(request.path) for verb, path in wanted)
    ]
    if not fitting:
        raise ValueError(f"the example of {example.method} does not make the call that it is for")
    return fitting[0] if example.method.startswith("list") else fitting[-1]


def _request(request: SandboxRequest) -> str:
    query = urlencode(request.query)
    line = f"{request.method} {request.path}{'?' if query else ''}{query}"
    return f"{line}\n\n{_pretty(json.loads(request.body, parse_float=_Number))}" if request.body else line


def _response(answer: SandboxResponse) -> tuple[str, bool]:
    if not answer.body:
        return "", False
    zipped = answer.headers.get("Content-Encoding") == "gzip"
    whole = json.loads(gzip.decompress(answer.body) if zipped else answer.body, parse_float=_Number)
    short = _shorten(whole, nested=False)
    return _pretty(short), short != whole


class _Number(float):
    """A number that is written with the same digits as in the response."""

    def __new__(cls, text: str) -> _Number:
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str

    def __repr__(self) -> str:
        return self.text


def _shorten(value: object, *, nested: bool) -> object:
    """Keep only the first entry of each list, and only the references of nested resources."""
    if isinstance(value, list):
        return [_shorten(each, nested=nested) for each in value[:1]]
    if not isinstance(value, dict):
        return value
    if value.get("object") == "List":
        return {name: _shorten(each, nested=nested) for name, each in value.items()}
    if nested and ("id" in value or "vid" in value) and "object" in value:
        return {name: value[name] for name in _REFERENCE if name in value}
    return {name: _shorten(each, nested=True) for name, each in value.items()}


def _pretty(value: object, indent: str = "") -> str:
    """Return formatted JSON, with one field on each line, and small objects on one line."""
    if isinstance(value, _Number):
        return value.text
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_pretty(each, inner)}" for name, each in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [_pretty(each, inner) for each in value]
        opening, closing = "[", "]"
    line = f"{opening}{', '.join(parts)}{closing}"
    if "\n" not in line and len(line) + len(indent) <= 76:
        return line
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"
