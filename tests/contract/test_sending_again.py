"""Every answer of the sandbox can be sent again as it was received."""

from __future__ import annotations

from collections.abc import Iterator

from contract.styles import Shop
from contract.test_answers import LISTS, STORY
from subscribekit._core.json import decode
from subscribekit._core.operation import body_bytes
from subscribekit._core.reading import Page
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


RECEIVED = list(received())


def test_every_answer_may_be_sent_again_and_is_the_same() -> None:
    assert len({type(model) for _, model in RECEIVED}) > 30
    for place, model in RECEIVED:
        assert read(type(model), decode(body_bytes(place, model))) == model, place
