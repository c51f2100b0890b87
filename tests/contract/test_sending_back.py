"""Checks that every response can be sent again without its masked numbers, and can be stored and read back."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from contract.styles import Shop
from contract.test_responses import LISTS, STORY
from subscribekit._core.operations.bodies import body_bytes
from subscribekit._core.operations.readers import Page
from subscribekit._json import JSON, decode
from subscribekit.models import from_json, to_json
from subscribekit.models._base import Model


def received() -> Iterator[tuple[str, Model]]:
    """Yield the models of a new sandbox's lists, and the models that the story's calls return."""
    with Shop("blocking") as shop:
        for name, call in [*LISTS.items(), *STORY.items()]:
            result = shop(call(shop))
            items = result.data if isinstance(result, Page) else result
            for number, each in enumerate(items if isinstance(items, list) else [items]):
                if isinstance(each, Model):
                    yield f"{name}[{number}]", each


@functools.cache
def all_received() -> list[tuple[str, Model]]:
    """Make the calls only once, and not while pytest collects the tests."""
    return list(received())


def without_masked_numbers(value: JSON) -> JSON:
    """Return a value without the numbers that the sandbox masked, which contain an `X` for each character."""
    if isinstance(value, dict):
        return {
            name: without_masked_numbers(each)
            for name, each in value.items()
            if not (name == "account" and isinstance(each, str) and "XX" in each)
        }
    return [without_masked_numbers(each) for each in value] if isinstance(value, list) else value


def test_every_response_is_sent_again_without_its_masked_numbers() -> None:
    assert len({type(model) for _, model in all_received()}) > 30
    changed = 0
    for place, model in all_received():
        stored = decode(to_json(model))
        sent = decode(body_bytes(place, model))
        assert sent == without_masked_numbers(stored), place
        changed += sent != stored
    assert changed


def test_every_response_is_stored_and_read_back() -> None:
    for place, model in all_received():
        stored = to_json(model)
        again = from_json(type(model), stored)
        assert again == model, place
        assert again.model_fields_set == model.model_fields_set, place
        assert to_json(again) == stored, place
