"""Calls to a mock, with the IDs in the document's examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

import subscribekit.models
from contract import story
from contract.styles import Shop
from subscribekit.errors import SubscribekitError

RETRIEVED = ("activities", "entitlements", "event_summaries", "invoices")
"""The resources whose list, but no single item, the story of the contract tests reads."""


@dataclass
class Requests:
    """The requests that were sent, and the violations that a validating proxy found."""

    paths: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    violations: list[str] = field(default_factory=list[str])

    def client(self) -> httpx.Client:
        """Return an httpx client that records each response."""
        return httpx.Client(event_hooks={"response": [self._note]}, timeout=60)

    def _note(self, response: httpx.Response) -> None:
        place = (response.request.method, response.request.url.path)
        self.paths.append(place)
        if "sl-violations" in response.headers:
            self.violations.append(f"{place}: {response.headers['sl-violations']}")


def calls() -> Iterator[story.Call]:
    """Yield the calls of the contract tests' story."""
    for each in (story.ACCOUNTS, story.CATALOGUE, story.BILLING, story.OTHERS):
        yield from each.values()
    yield from (call for _, call in story.entity_lists())
    yield from (call for _, call in story.families(lambda name: getattr(subscribekit.models, name)))
    yield from (call for _, call in story.of_cases())


def example_path(path: str, operation: dict[str, Any]) -> str:
    """Return the path of an operation's example."""
    for each in operation["parameters"]:
        if each["in"] == "path":
            path = path.replace("{" + each["name"] + "}", each["example"])
    return path.replace("{family}", "chargebacks")


def satisfied(shop: Shop, requests: Requests, document: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Make every call. Return the error of each request, or an empty text if the SDK accepted the response."""
    made = list(calls())
    for name in RETRIEVED:
        operation = document["paths"][f"/{name}/{{{_singular(name)}}}"]["get"]
        key = example_path("{" + _singular(name) + "}", operation)
        made.append(lambda it, name=name, key=key: getattr(it.billing, name).retrieve(key))
    found: dict[tuple[str, str], str] = {}
    for call in made:
        before = len(requests.paths)
        error = _error_of(shop, call)
        for place in requests.paths[before:]:
            found[place] = min(found.get(place, error), error)
    return found


def _singular(name: str) -> str:
    return {"activities": "activity", "event_summaries": "event_summary"}.get(name, name[:-1])


def _error_of(shop: Shop, call: story.Call) -> str:
    """Make a call, and return its error. Read only one page of a list, because a mock returns the same page again."""
    try:
        result = call(shop)
        if hasattr(result, "to_list"):
            next(iter(result), None)
    except SubscribekitError as error:
        return repr(error)
    return ""
