"""Printed texts, logs, crash reports, and pickled errors contain neither personal data nor a key (H115)."""

from __future__ import annotations

import copy
import io
import pickle
import pprint
import reprlib
import traceback
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict, replace
from types import FrameType

import pytest

from subscribekit import webhooks
from subscribekit.errors import ConfigurationError

from .kit import KEY, SECRET, json_body, message, signed

CONTENT = {
    "account": {"emailAddress": SECRET, "names": [SECRET, {"name": SECRET}]},
    "list": [[SECRET]],
    "email": SECRET,
}
BODY = json_body(message(content=CONTENT))


def event() -> webhooks.WebhookEvent:
    return webhooks.unwrap(BODY, signed(BODY), KEY)


def parts(value: object) -> list[object]:
    """Return the value and all values inside it except strings."""
    is_object = isinstance(value, dict | webhooks.WebhookContent)
    below = value.values() if is_object else value if isinstance(value, list) else []
    return [value, *(part for each in below if not isinstance(each, str) for part in parts(each))]


PRINTERS: dict[str, Callable[[object], str]] = {
    "repr": repr,
    "str": str,
    "format": lambda value: f"{value} {value!s:>9} %s" % (value,),
    "pprint": pprint.pformat,
    "reprlib": reprlib.repr,
}


@pytest.mark.parametrize("printer", PRINTERS)
def test_values_are_masked_at_any_depth(printer: str) -> None:
    shown = PRINTERS[printer]
    for value in (event(), *parts(event().content)):
        assert SECRET not in shown(value)
        assert SECRET not in shown([value])
    assert "'email': '***'" in repr(event())
    assert "'m1'" in repr(event())


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made)),
        lambda made: replace(made, message_id="m2"),
        lambda made: webhooks.WebhookEvent(**asdict(made)), lambda made: replace(made, content=dict(made.content)),
    ],
    ids=["copy", "deepcopy", "pickle", "replace", "asdict", "dict(content)"],
)  # fmt: skip
def test_copies_keep_the_content_and_the_mask(copied: Callable[[object], webhooks.WebhookEvent]) -> None:
    made = copied(event())
    assert made.content == CONTENT
    for value in (made, *parts(made.content)):
        assert SECRET not in repr(value)


def test_notebooks_show_no_more_than_repr() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    for value in (event(), *parts(event().content)):
        assert SECRET not in pretty(value)
        assert not hasattr(value, "_repr_html_")


def test_rich_shows_no_more_than_repr() -> None:
    console = pytest.importorskip("rich.console")
    from rich.pretty import Pretty

    for value in (event(), *parts(event().content)):
        out = io.StringIO()
        console.Console(file=out, width=200).print(Pretty(value), value)
        assert SECRET not in out.getvalue()
        assert "***" in out.getvalue()


def test_events_are_immutable_and_compared_by_value() -> None:
    assert event() == event()
    assert hash(event()) == hash(event())
    assert event() != replace(event(), message_id="m2")
    assert replace(event(), content={}) != event()
    with pytest.raises(AttributeError):
        event().message_id = "m2"  # type: ignore[misc]  # the mistake is intended


FAILURES: dict[str, Callable[[], object]] = {
    "wrong signature": lambda: webhooks.unwrap(BODY, signed(b"x"), KEY),
    "wrong signature, verified only": lambda: webhooks.verify(BODY, signed(b"x"), KEY),
    "no JSON": lambda: webhooks.unwrap(BODY[:-1], signed(BODY[:-1]), KEY),
    "too large": lambda: webhooks.unwrap(BODY, signed(BODY), KEY, max_bytes=9),
    "too old": lambda: webhooks.unwrap(BODY, signed(BODY), KEY, max_age=1),
    "not bytes": lambda: webhooks.unwrap(BODY.decode(), signed(BODY), KEY),  # type: ignore[arg-type]  # the mistake is intended
    "not bytes, verified only": lambda: webhooks.verify(BODY.decode(), signed(BODY), KEY),  # type: ignore[arg-type]  # the mistake is intended
    "not bytes, signed": lambda: webhooks.sign(BODY.decode(), KEY),  # type: ignore[arg-type]  # the mistake is intended
    "a bad key": lambda: webhooks.unwrap(BODY, signed(BODY), [KEY, "\ud800"]),
    "a bad key to sign": lambda: webhooks.sign(BODY, KEY + "\ud800"),
    "a bad limit": lambda: webhooks.unwrap(BODY, signed(BODY), KEY, max_bytes=0),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_no_frame_of_the_sdk_contains_the_body_or_the_key(failure: str) -> None:
    """Crash reporters send the local variables of every frame."""
    with pytest.raises(
        (webhooks.WebhookSignatureError, webhooks.WebhookFormatError, ConfigurationError, TypeError)
    ) as caught:
        FAILURES[failure]()
    assert caught.value.__context__ is None
    frames: list[FrameType] = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
    inside = [frame for frame in frames if "subscribekit" in frame.f_globals["__name__"]]
    assert inside
    for frame in inside:
        for value in frame.f_locals.values():
            assert SECRET not in str(value)
            assert KEY not in str(value)
            assert not isinstance(value, bytes | bytearray)
    assert SECRET not in str(caught.value)
    assert KEY not in str(caught.value)


def walked(value: object) -> str:
    """Return the text of a crash reporter that walks mappings and sequences, and prints all other values."""
    if isinstance(value, Mapping):
        return "".join(f"{name}{walked(each)}" for name, each in value.items())
    if isinstance(value, Sequence | Set) and not isinstance(value, str | bytes):
        return "".join(map(walked, value))
    return repr(value)


@pytest.mark.hazard("H431")
def test_a_crash_reporter_that_walks_mappings_shows_no_value() -> None:
    assert SECRET not in walked({"event": event(), "content": event().content})
    assert not isinstance(event().content, Mapping | Sequence)


def test_the_content_is_read_like_a_dict() -> None:
    content = webhooks.WebhookContent({"id": "t1", "amount": 3})
    assert (content["id"], content.get("amount"), content.get("tax"), content.get("tax", 0)) == ("t1", 3, None, 0)
    assert (list(content), list(content.keys()), len(content)) == (["id", "amount"], ["id", "amount"], 2)
    assert dict(content) == dict(content.items()) == content == {"id": "t1", "amount": 3}
    assert list(content.values()) == ["t1", 3]
    assert "id" in content
    assert content != {"id": "t1"}
    with pytest.raises(KeyError, match="tax"):
        content["tax"]
    with pytest.raises(TypeError):
        hash(content)
