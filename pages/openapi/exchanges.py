"""Requests to the sandbox and their responses, which are the examples of the OpenAPI document.

The calls are those of the contract tests, and more calls for objects that those don't show.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import subscribekit.models
from contract import story
from contract.styles import Shop
from kit.calls import Group
from sandbox.wire import Wire
from subscribekit.sandbox import Sandbox, SandboxRequest, SandboxResponse

from .shown import show

Responses = Literal["specification", "published"]


@dataclass(frozen=True)
class Exchange:
    """One request and its response."""

    group: Group
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    sent: Any
    status: int
    headers: dict[str, str]
    received: Any

    @property
    def is_page(self) -> bool:
        """Whether the response is a page of a list."""
        received = self.received
        return isinstance(received, list) or (isinstance(received, dict) and received.get("object") == "List")

    @property
    def length(self) -> int:
        """The length of the response in characters, or a large number for a page without items."""
        data = self.received["data"] if isinstance(self.received, dict) else self.received
        return len(json.dumps(self.received)) if data else sys.maxsize

    def fits(self, group: Group, method: str, template: str) -> bool:
        """Return whether the request is a call of an operation."""
        return (self.group, self.method) == (group, method) and self.values(template) is not None

    def values(self, template: str) -> dict[str, str] | None:
        """Return the value of each placeholder of a path template, or `None` if the path doesn't match the template."""
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
        found = re.fullmatch(pattern, self.path)
        return None if found is None else found.groupdict()


@cache
def recorded(responses: Responses) -> tuple[Exchange, ...]:
    """Make every call with a new sandbox, and return the requests and responses."""
    sandbox, found = Sandbox(responses=responses), list[Exchange]()
    handle = sandbox.faults.handle

    def record(request: SandboxRequest) -> SandboxResponse:
        response = handle(request)
        assert isinstance(response, SandboxResponse)
        found.append(_exchange(request, response))
        return response

    sandbox.faults.handle = record  # type: ignore[method-assign]  # only in this sandbox, for calls of clients
    sandbox.handle = record  # type: ignore[method-assign]  # only in this sandbox, for calls without a client
    with Shop("blocking", sandbox) as shop:
        for call in _story():
            shop(call(shop))
        sandbox.advance(days=40)
        wire = Wire(sandbox)
        show(wire)
        for each in tuple(found):
            if each.is_page:
                wire.call(each.group, "GET", each.path, {"size" if each.group == "user_mgmt" else "limit": 1})
    return tuple(found)


def list_forms() -> dict[tuple[str, str], set[str]]:
    """Return the form of each list inside a resource, by kind and field: an array, an envelope, or both."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for responses in ("specification", "published"):
        for each in recorded(responses):
            for kind, field, form in _forms(each.received):
                found[kind, field].add(form)
    return dict(found)


def _story() -> Iterator[story.Call]:
    for calls in (story.ACCOUNTS, story.CATALOGUE, story.BILLING, story.OTHERS):
        yield from (call for name, call in calls.items() if name != "charge entitlement")  # it has a random ID
    yield from (call for _, call in story.entity_lists())
    yield from (call for _, call in story.families(lambda name: getattr(subscribekit.models, name)))
    yield from (call for _, call in story.of_cases())


def _exchange(request: SandboxRequest, response: SandboxResponse) -> Exchange:
    body = response.body
    if response.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    return Exchange(
        group=request.group,
        method=request.method,
        path=request.path,
        query=request.query,
        sent=json.loads(request.body) if request.body else None,
        status=response.status,
        headers=dict(response.headers),
        received=json.loads(body) if body else None,
    )


def _forms(value: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, list):
        for each in value:
            yield from _forms(each)
    elif isinstance(value, dict):
        for field, each in value.items():
            if isinstance(each, list):
                yield value.get("object", ""), field, "array"
            elif isinstance(each, dict) and each.get("object") == "List":
                yield value.get("object", ""), field, "List"
            yield from _forms(each)
