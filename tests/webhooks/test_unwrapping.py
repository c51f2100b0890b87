"""The events that `unwrap` returns, in both formats, and the limits of size and age (H113, H117)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subscribekit import webhooks
from subscribekit.errors import ConfigurationError

from .kit import KEY, json_body, message, signed

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def received(body: bytes) -> webhooks.WebhookEvent:
    return webhooks.unwrap(body, signed(body), KEY)


def test_an_event_has_the_values_of_the_webhook() -> None:
    event = received(json_body())
    assert event == webhooks.WebhookEvent(
        message_id="m1",
        class_name="accounts",
        event_name="data change",
        timestamp=datetime(2026, 3, 2, 9, tzinfo=UTC),
        subject=("account", "a1"),
        content={"account": {"merchantAccountId": "a1", "emailAddress": "jane.doe@example.com"}},
    )
    assert json.loads(json.dumps(dict(event.content))) == event.content


SUBJECTS = [
    ("accounts", {"account": {"merchantAccountId": "a1"}}, ("account", "a1")),
    ("accounts", {"merchantAccountId": "a1"}, None),
    ("adjustments", {"merchantRefundId": "r1"}, ("refund", "r1")),
    ("autobills", {"merchantAutoBillId": "s1"}, ("subscription", "s1")),
    ("autobills", {"autobill": {"merchantAutoBillId": "s1", "VID": "v1"}}, ("subscription", "s1")),
    ("autobills", {"autobill": {"VID": "v1"}}, ("subscription", "v1")),
    ("autobills", {"autobill": {"merchantAutoBillId": "", "VID": "v1"}}, ("subscription", "v1")),
    ("autobills", {"autobill": ["s1"]}, None),
    ("accounts", {"account": {"VID": "v1"}}, ("account", "v1")),
    ("accounts", {"VID": "v1"}, ("account", "v1")),
    ("adjustments", {"refundVID": "v1"}, ("refund", "v1")),
    ("autobills", {"autobillVID": "v1"}, ("subscription", "v1")),
    ("entitlement", {"accountVID": "v1"}, ("account", "v1")),
    ("entitlement", {"VID": "v1"}, None),
    ("invoices", {"VID": "v1"}, ("invoice", "v1")),
    ("payment methods", {"paymentMethodVid": "v1"}, ("payment_method", "v1")),
    ("transactions", {"transactionVID": "v1", "autobillVID": "v2"}, ("transaction", "v1")),
    ("transactions", {"autobillVID": "v2"}, None),
    ("transactions", {"merchantTransactionId": "t1", "amount": 4.9}, ("transaction", "t1")),
    ("transactions", {"merchantTransactionId": 4711}, ("transaction", "4711")),
    ("transactions", {"merchantTransactionId": True}, None),
    ("transactions", {"merchantTransactionId": {"id": "t1"}}, None),
    ("entitlement", {"merchantAccountId": "a1", "merchantAutobillId": "s1"}, ("account", "a1")),
    ("invoices", {"invoice_id": "i1"}, ("invoice", "i1")),
    ("payment methods", {"merchantPaymentMethodId": "p1"}, ("payment_method", "p1")),
    ("something new", {"merchantAccountId": "a1"}, None),
    (None, {"merchantAccountId": "a1"}, None),
    (["accounts"], {"account": {"merchantAccountId": "a1"}}, None),
    ("accounts", {}, None),
]  # fmt: skip


@pytest.mark.parametrize(("class_name", "content", "subject"), SUBJECTS, ids=repr)
def test_the_subject_identifies_the_resource_of_the_event(class_name: object, content: object, subject: object) -> None:
    event = received(json_body(message(class_name, "start", content=content)))
    assert event.subject == subject
    assert event.class_name == (class_name if isinstance(class_name, str) else None)
    assert event.content == content or class_name == "transactions"


def test_the_id_of_an_invoice_can_be_in_the_header() -> None:
    webhook = message("invoices", "status change", header={"invoice_id": "i2"}, content={})
    assert received(json_body(webhook)).subject == ("invoice", "i2")


def test_numbers_are_exact() -> None:
    body = b'{"header":{},"content":{"amount":19.90,"tax":0.1,"retryNumber":3}}'
    assert received(body).content == {"amount": Decimal("19.90"), "tax": Decimal("0.1"), "retryNumber": 3}


@pytest.mark.parametrize("content", [{}, {"content": None}, {"content": {}}], ids=repr)
def test_a_webhook_may_have_no_content(content: dict[str, object]) -> None:
    event = received(json_body({"header": {}, **content}))
    assert event == webhooks.WebhookEvent()


TIMES = {
    "2026-03-02 09:00:00": datetime(2026, 3, 2, 9, tzinfo=UTC),
    "2026-03-02T09:00:00": datetime(2026, 3, 2, 9, tzinfo=UTC),
    "2026-03-02T09:00:00.250Z": datetime(2026, 3, 2, 9, 0, 0, 250_000, tzinfo=UTC),
    "2026-03-02T01:00:00-08:00": datetime(2026, 3, 2, 9, tzinfo=UTC),
    "2026-03-02T01:00:00-0800": datetime(2026, 3, 2, 9, tzinfo=UTC),
    "2026-03-02T09:00:00.123456789Z": datetime(2026, 3, 2, 9, 0, 0, 123_456, tzinfo=UTC),
    "2026-02-30 09:00:00": None,
    "2026-03-02 09:00:60": None,
    "2026-03-02": None,
    "2026-W10-1": None,
    "9999-12-31T23:59:59-08:00": None,
    "0001-01-01T00:00:00+08:00": None,
    "\u0662\u0660\u0662\u0666-03-02 09:00:00": None,
    "2026-03-02 09:00:00\n": None,
    "": None,
    "yesterday": None,
    1_772_442_000: None,
    None: None,
}


@pytest.mark.parametrize("timestamp", TIMES, ids=repr)
def test_a_timestamp_is_aware_or_none(timestamp: object) -> None:
    event = received(json_body(message(header={"event_timestamp": timestamp})))
    assert event.timestamp == TIMES[timestamp]  # type: ignore[index]  # `timestamp` is one of the keys
    assert event.timestamp is None or event.timestamp.utcoffset() == timedelta()


FORMS = {
    "brackets": "header[class_name]=accounts&header[message_id]=m1&content[account][merchantAccountId]=a1"
    "&content[ids][]=x&content[ids][]=y",
    "quoted brackets": "header%5Bclass_name%5D=accounts&header%5Bmessage_id%5D=m1"
    "&content%5Baccount%5D%5BmerchantAccountId%5D=a1&content%5Bids%5D%5B0%5D=x&content%5Bids%5D%5B1%5D=y",
    "dots": "header.class_name=accounts&header.message_id=m1&content.account.merchantAccountId=a1"
    "&content.ids[0]=x&content.ids[1]=y",
    "texts of JSON": urlencode(
        {
            "header": json.dumps({"class_name": "accounts", "message_id": "m1"}),
            "content": json.dumps({"account": {"merchantAccountId": "a1"}, "ids": ["x", "y"]}),
        }
    ),
}
WHOLE = json.dumps(
    {
        "header": {"class_name": "accounts", "message_id": "m1"},
        "content": {"account": {"merchantAccountId": "a1"}, "ids": ["x", "y"]},
    }
)
FORMS |= {"one field": urlencode({"payload": WHOLE}), "one field without a name": quote(WHOLE)}


@pytest.mark.parametrize("form", FORMS)
def test_the_url_encoded_format_contains_the_same_event(form: str) -> None:
    assert received(FORMS[form].encode()) == webhooks.WebhookEvent(
        message_id="m1",
        class_name="accounts",
        subject=("account", "a1"),
        content={"account": {"merchantAccountId": "a1"}, "ids": ["x", "y"]},
    )


def test_a_form_with_only_a_header_is_an_event_without_content() -> None:
    event = received(urlencode({"header": json.dumps({"class_name": "accounts", "message_id": "m1"})}).encode())
    assert event == webhooks.WebhookEvent(message_id="m1", class_name="accounts")


def test_url_encoded_values_are_text() -> None:
    event = received(b"header[class_name]=payment+methods&content[merchantPaymentMethodId]=p%C3%A91&content[n]=1.50")
    assert event.subject == ("payment_method", "p\u00e91")
    assert event.content == {"merchantPaymentMethodId": "p\u00e91", "n": "1.50"}


def test_the_parsed_body_is_the_verified_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """The buffer changes after the verification, but the event has the signed values."""
    buffer = bytearray(json_body())
    from subscribekit.webhooks import _signatures, _unwrapping

    original = _signatures.refusal

    def changed_after(*given: object) -> object:
        result = original(*given)  # type: ignore[arg-type]  # passes the arguments on
        buffer[buffer.index(b"a1") : buffer.index(b"a1") + 2] = b"a9"
        return result

    monkeypatch.setattr(_unwrapping, "refusal", changed_after)
    assert webhooks.unwrap(buffer, signed(bytes(buffer)), KEY).subject == ("account", "a1")


def test_the_largest_body_has_a_million_bytes() -> None:
    body = json_body()
    exact = body + b" " * (1_000_000 - len(body))
    assert received(exact).message_id == "m1"
    with pytest.raises(webhooks.WebhookFormatError, match="1000000"):
        received(exact + b" ")
    with pytest.raises(webhooks.WebhookFormatError):
        webhooks.unwrap(body, signed(body), KEY, max_bytes=len(body) - 1)
    padded = body + b" " * (-len(body) % 8)
    for views in (
        bytearray(padded),
        memoryview(padded),
        memoryview(padded).cast("Q"),
    ):  # the last view has one item per 8 bytes
        with pytest.raises(webhooks.WebhookFormatError, match="larger than"):
            webhooks.unwrap(views, signed(padded), KEY, max_bytes=len(padded) - 1)
        assert webhooks.unwrap(views, signed(padded), KEY, max_bytes=len(padded)).message_id == "m1"
    assert webhooks.unwrap(body, signed(body), KEY, max_bytes=len(body)).message_id == "m1"


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, None, "1"], ids=repr)
def test_max_bytes_must_be_a_positive_integer(limit: object) -> None:
    with pytest.raises(ConfigurationError, match="max_bytes"):
        webhooks.unwrap(json_body(), signed(json_body()), KEY, max_bytes=limit)  # type: ignore[arg-type]  # the mistake is intended


def aged(max_age: float | timedelta | None, timestamp: object = "2026-03-02 09:00:00") -> webhooks.WebhookEvent:
    body = json_body(message(header={"event_timestamp": timestamp}))
    return webhooks.unwrap(body, signed(body), KEY, max_age=max_age, now=NOON)


def test_an_event_that_is_too_old_is_refused_on_request() -> None:
    """`now` is three hours after the event."""
    assert aged(None).message_id == aged(10_800).message_id == aged(timedelta(hours=3)).message_id == "m1"
    assert aged(timedelta.max).message_id == aged(1e300, "0001-01-01 00:00:00").message_id == "m1"
    for limit in (10_799.999, 1, timedelta(hours=2, minutes=59)):
        with pytest.raises(webhooks.WebhookSignatureError, match="older"):
            aged(limit)
    assert aged(60, "2026-03-02 12:30:00").message_id == "m1"  # an event isn't old if the clock of the service is ahead


def test_max_age_refuses_an_event_without_a_timestamp() -> None:
    assert aged(None, None).timestamp is None
    with pytest.raises(webhooks.WebhookFormatError, match="no timestamp"):
        aged(60, None)


def test_max_age_uses_the_current_time_by_default() -> None:
    body = json_body(message(header={"event_timestamp": "2001-01-01 00:00:00"}))
    with pytest.raises(webhooks.WebhookSignatureError, match="older"):
        webhooks.unwrap(body, signed(body), KEY, max_age=60)
    with pytest.raises(
        webhooks.WebhookSignatureError, match="doesn't match"
    ):  # the age isn't checked before the signature
        webhooks.unwrap(body, signed(b"x"), KEY, max_age=60)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), True, "60", timedelta()], ids=repr)
def test_max_age_must_be_a_positive_number_of_seconds(limit: object) -> None:
    with pytest.raises(ConfigurationError, match="max_age"):
        aged(limit)  # type: ignore[arg-type]  # the mistake is intended


def test_now_must_have_a_time_zone() -> None:
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(ConfigurationError, match="time zone"):
        webhooks.unwrap(json_body(), signed(json_body()), KEY, max_age=60, now=naive)
    body = json_body()
    elsewhere = NOON.astimezone(timezone(timedelta(hours=9)))
    assert webhooks.unwrap(body, signed(body), KEY, max_age=10_800, now=elsewhere).message_id == "m1"


NAMES = st.text("abcXYZ_", min_size=1, max_size=8)
TREES = st.recursive(
    st.text(max_size=8),
    lambda below: st.one_of(
        st.dictionaries(NAMES, below, min_size=1, max_size=4), st.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def indexed(prefix: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for name, each in value.items() for pair in indexed(f"{prefix}[{name}]", each)]
    if isinstance(value, list):
        return [pair for number, each in enumerate(value) for pair in indexed(f"{prefix}[{number}]", each)]
    return [(prefix, str(value))]


@given(content=st.dictionaries(NAMES, TREES, min_size=1, max_size=4))
def test_both_formats_produce_the_same_event(content: dict[str, object]) -> None:
    as_json = json_body({"header": {"message_id": "m1"}, "content": content})
    as_form = urlencode([("header[message_id]", "m1"), *indexed("content", content)]).encode()
    assert received(as_json) == received(as_form)


BOM = b"\xef\xbb\xbf"


@pytest.mark.hazard("H432")
def test_a_byte_order_mark_changes_nothing() -> None:
    form = b"header[class_name]=accounts&header[message_id]=m1&content[account][merchantAccountId]=a1"
    for body in (json_body(), form):
        event = received(BOM + body)
        assert event == received(body)
        assert event.subject == ("account", "a1")


@pytest.mark.parametrize("body", [b"", BOM, "header[class_name]=accounts&content[name]=J\u00fcrgen".encode("cp1252")])
def test_an_empty_body_and_a_form_in_another_encoding_are_refused(body: bytes) -> None:
    with pytest.raises(
        webhooks.WebhookFormatError, match=r"neither a JSON object nor URL-encoded|doesn't contain the object 'header'"
    ):
        received(body)
