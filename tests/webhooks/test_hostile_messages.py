"""Every received body is an event or raises one of two errors, and the errors don't show the body (H113, H114)."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looped import looped
from subscribekit import webhooks

from .kit import KEY, SECRET, json_body, message, signed

REFUSED = (webhooks.WebhookFormatError, webhooks.WebhookSignatureError)
DEEP = 100_000

UNREADABLE: dict[str, bytes] = {
    "nothing": b"",
    "white space": b" \r\n",
    "no JSON": f"{{{SECRET}".encode(),
    "cut": json_body()[:-1],
    "two texts": json_body() * 2,
    "a list": f'["{SECRET}"]'.encode(),
    "a number": b"7",
    "null": b"null",
    "no header": f'{{"content":{{"a":"{SECRET}"}}}}'.encode(),
    "a header that is null": b'{"header":null}',
    "a header that is a list": f'{{"header":["{SECRET}"]}}'.encode(),
    "a header that is text": f'{{"header":"{SECRET}"}}'.encode(),
    "content that is a list": f'{{"header":{{}},"content":["{SECRET}"]}}'.encode(),
    "content that is text": f'{{"header":{{}},"content":"{SECRET}"}}'.encode(),
    "NaN": b'{"header":{},"content":{"amount":NaN}}',
    "infinity": b'{"header":{},"content":{"amount":-Infinity}}',
    "a number without end": b'{"header":{},"content":{"amount":1e999999999}}',
    "a number with a long exponent": b'{"header":{},"content":{"amount":1e99999999999999999999999}}',
    "thousands of digits": b'{"header":{},"content":{"amount":' + b"9" * 10_000 + b"}}",
    "a key twice": b'{"header":{"message_id":"m1","message_id":"m2"}}',
    "two headers": b'{"header":{"class_name":"a"},"header":{}}',
    "nested too deep": b'{"header":' * DEEP,
    "lists nested too deep": b'{"header":{},"content":{"a":' + b"[" * DEEP,
    "closed and nested too deep": b'{"header":{},"content":{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}}",
    "not UTF-8": b'{"header":{"message_id":"\xff"}}',
    "UTF-16": json_body().decode().encode("utf-16"),
    "a lone surrogate": b'{"header":{"message_id":"\\ud800"}}',
    "compressed": b"\x1f\x8b\x08\x00",
    "a form without a header": f"content[a]={SECRET}".encode(),
    "a form with a flat header": f"class_name=accounts&message_id={SECRET}".encode(),
    "a form with a name twice": b"header[message_id]=m1&header[message_id]=m2",
    "a form with a name twice, written differently": b"header[message_id]=m1&header.message_id=m2",
    "a form with two headers": b"header=%7B%22a%22:1%7D&header=%7B%22a%22:1%7D",
    "a form with a header in two ways": b"header=%7B%22a%22:1%7D&header[b]=1",
    "a form with text and an object": b"header=text&header[class_name]=a",
    "a form with an object and text": b"header[a][b]=1&header[a]=2",
    "a form with a header that is a list": b"header[]=a&header[]=b",
    "a form with damaged JSON": f"header={{{SECRET}".encode(),
    "a form with open brackets": b"header[class_name=a",
    "a form with closed brackets": b"header]class_name=a",
    "a form with nothing before its brackets": b"[header][class_name]=a",
    "a form without names": b"=a&=b",
    "a form that is not UTF-8": b"header[message_id]=%FF",
    "a form nested too deep": b"header" + b"[a]" * 40 + b"=1",
    "a form nested much too deep": b"header" + b"[a]" * DEEP + b"=1",
    "a form with too many fields": b"&".join(b"header[a%d]=1" % number for number in range(10_001)),
    "a form of separators": b"&" * 500_000,
    "a page": f"<!DOCTYPE html><p>{SECRET}".encode(),
}  # fmt: skip


@looped("kind", UNREADABLE)
def test_a_signed_webhook_that_cannot_be_read_is_refused(kind: str) -> None:
    body = UNREADABLE[kind]
    with pytest.raises(webhooks.WebhookFormatError) as caught:
        webhooks.unwrap(body, signed(body), KEY)
    error = caught.value
    assert error.outcome == "rejected"
    assert SECRET not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None  # the traceback of a context would contain the body


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_body_is_not_parsed_before_it_is_verified(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from subscribekit.webhooks import _unwrapping

    monkeypatch.setattr(_unwrapping, "parse", lambda body: pytest.fail("an unverified body was parsed"))
    with pytest.raises(webhooks.WebhookSignatureError):
        webhooks.unwrap(UNREADABLE[kind], signed(b"else"), KEY)


@pytest.mark.parametrize(
    "body",
    [b"header" + b"[a]" * 31 + b"=1", b"&".join(b"header[a%d]=1" % number for number in range(10_000))],
    ids=["as deep as it may be", "as many fields as there may be"],
)
def test_a_form_at_a_limit_is_read_and_one_beyond_it_is_not(body: bytes) -> None:
    assert webhooks.unwrap(body, signed(body), KEY).message_id is None
    beyond = body.replace(b"=1", b"[a]=1") if body.startswith(b"header[a][a]") else body + b"&header[b]=1"
    with pytest.raises(webhooks.WebhookFormatError):
        webhooks.unwrap(beyond, signed(beyond), KEY)


@pytest.mark.parametrize(("number", "is_id"), [(2**256 - 1, True), (2**256, False)], ids=["256 bits", "257 bits"])
def test_an_integer_of_at_most_256_bits_is_an_id(number: int, is_id: bool) -> None:
    body = b'{"header": {"message_id": %d}}' % number
    assert webhooks.unwrap(body, signed(body), KEY).message_id == (str(number) if is_id else None)


@given(body=st.binary(max_size=300))
def test_any_bytes_are_an_event_or_a_refusal(body: bytes) -> None:
    try:
        event = webhooks.unwrap(body, signed(body), KEY)
    except webhooks.WebhookFormatError:
        return
    repr(event)


@given(
    body=st.text("{}[]=&.%\"':,headrcont0123\\u \xe9", max_size=60),
    start=st.sampled_from(["header", '{"header":', "header[a]="]),
)
def test_nearly_valid_texts_are_an_event_or_a_refusal(body: str, start: str) -> None:
    raw = (start + body).encode()
    try:
        event = webhooks.unwrap(raw, signed(raw), KEY)
    except webhooks.WebhookFormatError:
        return
    assert isinstance(event.content, webhooks.WebhookContent)
    repr((event, event.content))


@given(
    header=st.dictionaries(
        st.sampled_from(["class_name", "event_name", "message_id", "event_timestamp"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
            st.lists,
            max_leaves=3,
        ),
    )
)
def test_header_values_of_any_type_become_strings_or_none(header: dict[str, object]) -> None:
    body = json_body({"header": header, "content": {}})
    try:
        event = webhooks.unwrap(body, signed(body), KEY)
    except webhooks.WebhookFormatError:
        return
    for value in (event.message_id, event.class_name, event.event_name):
        assert value is None or (isinstance(value, str) and value)


def test_errors_can_be_pickled_and_copied() -> None:
    for body, signature in ((b"[]", signed(b"[]")), (json_body(), None)):
        with pytest.raises(REFUSED) as caught:
            webhooks.unwrap(body, signature, KEY)
        for made in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value), copy.deepcopy(caught.value)):
            assert type(made) is type(caught.value)
            assert str(made) == str(caught.value)
            assert made.outcome == "rejected"


def test_a_deeply_nested_event_can_be_printed_and_pickled() -> None:
    body = b'{"header":{},"content":' + b'{"a":' * 150 + b"1" + b"}" * 150 + b"}"
    event = webhooks.unwrap(body, signed(body), KEY)
    assert repr(event.content) == "{'a': '***'}"
    assert pickle.loads(pickle.dumps(event)) == event


def test_an_event_of_an_unknown_class_is_accepted() -> None:
    body = json_body(message("gift cards", "melted", content={"merchantGiftCardId": "g1"}))
    event = webhooks.unwrap(body, signed(body), KEY)
    assert (event.class_name, event.event_name, event.subject) == ("gift cards", "melted", None)
    assert event.content == {"merchantGiftCardId": "g1"}
