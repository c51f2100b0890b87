"""Every response of the sandbox can be sent again as it was received, and stored and read back."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from contract.styles import Shop
from contract.test_responses import LISTS, STORY
from subscribekit._core.operations.bodies import body_bytes
from subscribekit._core.operations.readers import Page
from subscribekit._json import decode
from subscribekit.models import from_json, to_json
from subscribekit.models._base import Model, read


def received() -> Iterator[tuple[str, Model]]:
    """Everything that is seeded, and everything that the story's calls answer."""
    with Shop("blocking") as shop:
        for name, call in [*LISTS.items(), *STORY.items()]:
            result = shop(call(shop))
            items = result.data if isinstance(result, Page) else result
            for number, each in enumerate(items if isinstance(items, list) else [items]):
                if isinstance(each, Model):
                    yield f"{name}[{number}]", each


@functools.cache
def all_received() -> list[tuple[str, Model]]:
    """Ask once, and not while tests are collected."""
    return list(received())


def test_every_response_may_be_sent_again_and_is_the_same() -> None:
    assert len({type(model) for _, model in all_received()}) > 30
    for place, model in all_received():
        assert read(type(model), decode(body_bytes(place, model))) == model, place


def test_every_response_is_stored_as_it_would_be_sent_and_read_back() -> None:
    for place, model in all_received():
        stored = to_json(model)
        assert stored == body_bytes(place, model), place
        again = from_json(type(model), stored)
        assert again == model, place
        assert again.model_fields_set == model.model_fields_set, place
        assert to_json(again) == stored, place
