"""Numbers are exact in requests and responses, and only standard JSON is accepted (H45, H54, H55)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import jiter
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kit.calls import Always, Run, Service, answer
from looped import looped
from subscribekit import BillingClient, GatewayClient
from subscribekit._json import DamagedJSONError, check_numbers, decode, encode, number
from subscribekit.errors import InvalidArgumentError, InvalidResponseError, OutcomeUnknownError
from subscribekit.models import Campaign, EntitlementCharge, Payment


def digits(sign: int, figures: int, exponent: int) -> Decimal:
    return Decimal((sign, tuple(int(figure) for figure in str(figures)), exponent))


# A whole negative zero is read as the integer 0, which is the same number.
amounts = st.builds(digits, st.integers(0, 1), st.integers(0, 10**28 - 1), st.integers(-28, 0)).filter(
    lambda amount: bool(amount) or not amount.is_signed()
)


@given(amounts)
@example(Decimal("19.90"))
@example(Decimal("19.99000000000000000000000001"))
@example(Decimal("0.00"))
@example(Decimal(1234567890123456789012345678))
@example(Decimal("0.0000000000000000000000000001"))
def test_an_amount_is_sent_and_read_digit_for_digit(amount: Decimal) -> None:
    text = format(amount, "f")

    def respond(sent: Any) -> Any:
        assert json.loads(sent.body, parse_float=str, parse_int=str)["amount"] == text
        return answer(b'{"object": "Payment", "amount": %s}' % text.encode())

    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=Always(respond)) as client:
        payment = client.request("POST", "/payments", json=Payment(amount=amount), result=Payment)
        assert payment.amount is not None
        assert payment.amount.as_tuple() == amount.as_tuple()
        assert str(payment.amount) == str(amount)
        plain = client.request("POST", "/payments", json={"amount": amount})
        value = plain["amount"]
        assert isinstance(value, Decimal if "." in text else int)
        assert str(value) == text or Decimal(str(value)) == amount


@given(st.integers(-(10**28) + 1, 10**28 - 1))
def test_a_whole_number_is_sent_as_it_is(amount: int) -> None:
    service = Always(lambda _: answer({"transactionReferenceId": "r"}))
    with GatewayClient(base_url="https://g.test", api_key="k", transport=service) as client:
        charge = EntitlementCharge(transaction_id="t", amount=amount, original_transaction_id="o")
        client.entitlements.charge("p", charge)
    assert service.only.body == b'{"transactionId":"t","amount":%d,"originalTransactionId":"o"}' % amount


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1E+2", "100"),
        ("1.50E+1", "15.0"),
        ("1E-7", "0.0000001"),
        ("-0.00", "-0.00"),
        ("0E+3", "0"),
        ("19.90", "19.90"),
        (".5", "0.5"),
    ],
)
def test_numbers_are_written_in_plain_notation(value: str, text: str) -> None:
    written = number(Decimal(value))
    assert "E" not in written.upper()
    assert json.loads(written, parse_float=Decimal, parse_int=Decimal) == Decimal(value)
    assert written == text


@pytest.mark.parametrize(
    "wrong", ["NaN", "sNaN", "Infinity", "-Infinity", "1E+100", "1E-100", "1" * 29, "1." + "1" * 28]
)
def test_a_number_that_json_or_28_digits_cannot_hold_is_not_sent(wrong: str) -> None:
    with pytest.raises(ValueError, match="number"):
        number(Decimal(wrong))
    with pytest.raises(InvalidArgumentError, match="json can't be sent") as caught:
        Run("blocking")(
            "billing", lambda client: client.request("POST", "/a", json={"n": Decimal(wrong)}), transport=Service()
        )
    assert wrong not in str(caught.value)


@pytest.mark.parametrize("wrong", [1.5, 0.0, float("nan"), 1 + 2j, b"x", {1, 2}, object(), {"a": 1.5}, [[1.5]], {1: 2}])
def test_floats_and_other_types_are_not_sent(wrong: Any) -> None:
    with pytest.raises(TypeError):
        encode({"x": wrong})


def test_a_deeply_nested_body_is_refused_without_a_crash(run: Run) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidArgumentError, match="json can't be sent"):
        run("billing", lambda client: client.request("POST", "/a", json=deep), transport=Service())


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**28) + 1, 10**28 - 1)
    | amounts
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",))), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
def test_an_encoded_value_decodes_to_itself(value: Any) -> None:
    assert decode(encode(value)) == value
    assert json.loads(encode(value), parse_float=Decimal) == value


def test_text_is_sent_as_it_is(run: Run) -> None:
    service = Service(answer({"object": "Campaign", "id": "c"}))
    name = 'ä€🎬"\\\n\t\x00/</script>\u2028'
    run("billing", lambda client: client.campaigns.update("c", Campaign(name=name)), transport=service)
    assert json.loads(service.only.body) == {"name": name}
    assert "ä€🎬".encode() in service.only.body


def test_a_timestamp_in_a_plain_body_has_its_offset(run: Run) -> None:
    service = Service(answer({}))
    at = datetime(2026, 3, 1, tzinfo=UTC)
    run("billing", lambda client: client.request("POST", "/a", json={"at": at}), transport=service)
    assert service.only.body == b'{"at":"2026-03-01T00:00:00+00:00"}'
    naive = at.replace(tzinfo=None)
    with pytest.raises(InvalidArgumentError, match="json can't be sent"):
        run("billing", lambda client: client.request("POST", "/a", json={"at": naive}), transport=Service())


def test_the_body_is_encoded_once(run: Run) -> None:
    campaign = Campaign(name="before")
    service = Service()

    def change(_: Any) -> Any:
        campaign.name = "after"
        return answer({}, 401)

    def provider() -> str:
        return f"token-{len(service.sent)}"

    service.answers = [change, lambda _: answer({"id": "p"})]
    run(
        "storefront",
        lambda client: client.request("POST", "/x", json=campaign),
        base_url="https://s.test",
        access_token=provider,
        transport=service,
    )
    assert [sent.body for sent in service.sent] == [b'{"name":"before"}'] * 2


# Responses

DAMAGED = {
    "NaN": b'{"object": "Payment", "amount": NaN}',
    "Infinity": b'{"object": "Payment", "amount": Infinity}',
    "negative infinity": b'{"object": "Payment", "amount": -Infinity}',
    "a key twice": b'{"object": "Payment", "amount": 1, "amount": 2}',
    "a key twice inside": b'{"object": "Payment", "metadata": {"a": 1, "a": 2}}',
    "half": b'{"object": "Payment", "amount": 1',
    "two values": b'{"object": "Payment"}{}',
    "text behind": b'{"object": "Payment"} x',
    "single quotes": b"{'object': 'Payment'}",
    "comma at the end": b'{"object": "Payment",}',
    "comment": b'{"object": "Payment"} // x',
    "leading zero": b'{"amount": 01}',
    "plus": b'{"amount": +1}',
    "bare point": b'{"amount": 1.}',
    "hexadecimal": b'{"amount": 0x1}',
    "byte order mark": b'\xef\xbb\xbf{"object": "Payment"}',
    "utf-16": '{"object": "Payment"}'.encode("utf-16"),
    "not utf-8": b'{"object": "Payment", "id": "\xff"}',
    "lone surrogate": b'{"object": "Payment", "id": "\\ud800"}',
    "raw control character": b'{"object": "Payment", "id": "a\nb"}',
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "HTML": b"<html></html>",
}


@looped("body", DAMAGED.values())
def test_json_that_violates_the_standard_is_damaged(body: bytes) -> None:
    with pytest.raises(DamagedJSONError) as caught:
        decode(body)
    assert caught.value.__cause__ is None
    assert "amount" not in str(caught.value)


@looped("body", DAMAGED.values())
def test_a_damaged_response_is_an_error_of_a_read_and_an_unknown_outcome_of_a_write(body: bytes, run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(InvalidResponseError) as caught:
            await run.now(client.request("GET", "/payments/p1", result=Payment))
        assert (caught.value.attempts, caught.value.outcome) == (2, "rejected")
        with pytest.raises(OutcomeUnknownError) as unknown:
            await run.now(client.campaigns.update("c", Campaign()))
        assert (unknown.value.attempts, unknown.value.likely_applied) == (1, True)

    run("billing", story, transport=Service(answer(body), answer(body), answer(body)))


def test_an_unreadable_response_to_e1_follows_the_retry_table(run: Run) -> None:
    """E1 succeeds with an empty body. With a damaged body, its outcome is unknown and likely applied.

    E9, which isn't called here, needs only a success status.
    """

    async def story(client: Any) -> None:
        assert (await run.now(client.payments.reverse("p"))).id is None
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.payments.reverse("p"))
        assert caught.value.likely_applied

    run("billing", story, transport=Service(answer(b"  \n"), answer(b"{")))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("19.90", "19.90"),
        ("1e2", "1E+2"),
        ("1E-2", "0.01"),
        ("-0.0", "-0.0"),
        ("0.1000", "0.1000"),
        ("19.990000000000000000000000001", "19.990000000000000000000000001"),
        ("12345678901234567890123456789012345.5", "12345678901234567890123456789012345.5"),
        ("7", "7"),
    ],
)
def test_any_number_is_read_exactly(text: str, value: str, run: Run) -> None:
    service = Service(answer(b'{"object": "Payment", "amount": %s}' % text.encode()))
    payment = run("billing", lambda client: client.payments.reverse("p"), transport=service)
    assert isinstance(payment.amount, Decimal)
    assert str(payment.amount) == value


@pytest.mark.parametrize("text", ["1e400", "1e999999999", "-1e999999999", "1e-999999999"])
def test_a_number_with_a_huge_exponent_is_refused(text: str, run: Run) -> None:
    """The number is refused, so that no arithmetic with it can take forever (H54)."""
    service = Service(
        answer(b'{"object": "Payment", "id": "p", "amount": %s, "odd": %s}' % (text.encode(), text.encode())),
        answer(b'{"n": %s}' % text.encode()),
        answer(b'{"n": %s}' % text.encode()),  # a read is retried
    )

    async def story(client: Any) -> None:
        with pytest.raises(OutcomeUnknownError, match="a number is out of range") as caught:
            await run.now(client.payments.reverse("p"))
        assert caught.value.likely_applied
        with pytest.raises(InvalidResponseError, match="a number is out of range"):
            await run.now(client.request("GET", "/x"))

    run("billing", story, transport=service)


IN_RANGE = [
    "1e60",
    "-1E+60",
    "9.99e60",
    "10e59",
    "0.1e61",
    "1e-60",
    "9e-60",
    "1" + "0" * 60 + ".0",
    "0." + "0" * 59 + "1",
    "0e999999999",
    "-0.0e-999999999",
    "0." + "0" * 500,
    "9" * 500,
]
OUT_OF_RANGE = [
    "1e61",
    "-1E+61",
    "1e0061",
    "10e60",
    "0.1e62",
    "1e-61",
    "9.99E-61",
    "1" + "0" * 61 + ".0",
    "0." + "0" * 60 + "1",
    "-1e400",
    "1e999999999",
    "1e-999999999",
    "9" * 500 + ".5",
]
PLACES = ["%s", "[%s]", '{"novel": %s}', '[null, "1e99", {"a": [true, {"b": [[], 1.5, %s]}], "c": "text"}]']


@looped("place", PLACES)
@looped("text", IN_RANGE)
def test_a_number_of_up_to_60_places_is_accepted_wherever_it_stands(text: str, place: str) -> None:
    check_numbers(decode((place % text).encode()))


@looped("place", PLACES)
@looped("text", OUT_OF_RANGE)
def test_a_fractional_number_of_more_places_is_refused_wherever_it_stands(text: str, place: str) -> None:
    with pytest.raises(DamagedJSONError, match="out of range") as caught:
        check_numbers(decode((place % text).encode()))
    assert text not in str(caught.value)


@given(
    st.integers(0, 10**6),
    st.integers(0, 10**6).map(str) | st.integers(0, 70).map(lambda count: "0" * count + "7"),
    st.integers(-130, 130),
    st.lists(st.sampled_from(["[%s]", '["text", %s, {}]', '{"a": %s}', '{"a": [], "b": %s, "c": 1.5}']), max_size=5),
)
def test_only_its_size_decides_whether_a_number_is_refused(
    whole: int, fraction: str, exponent: int, around: list[str]
) -> None:
    body = text = f"{whole}.{fraction}e{exponent}"
    for each in around:
        body = each % body
    value = Decimal(text)
    try:
        check_numbers(decode(body.encode()))
    except DamagedJSONError:
        assert value
        assert not -60 <= value.adjusted() <= 60
    else:
        assert not value or -60 <= value.adjusted() <= 60


def test_a_number_out_of_range_is_found_at_any_depth() -> None:
    value = decode(b"1e61")
    for _ in range(100_000):
        value = [value]
    with pytest.raises(DamagedJSONError, match="out of range"):
        check_numbers(value)


def test_no_text_of_a_response_outlives_it_in_a_cache() -> None:
    jiter.cache_clear()
    for index in range(100):
        decode(b'{"name": "Ada %d", "email": ["ada%d@example.com"]}' % (index, index))
    assert jiter.cache_usage() <= len(["name", "email"])


def test_a_whole_number_of_5000_digits_does_not_crash(run: Run) -> None:
    body = b'{"object": "Payment", "amount": ' + b"9" * 5000 + b"}"

    async def story(client: Any) -> None:
        try:
            payment = await run.now(client.request("GET", "/x", result=Payment))
        except InvalidResponseError:
            return
        assert payment.amount is None

    run("billing", story, transport=Service(answer(body), answer(body)))


def test_an_unknown_field_survives_being_sent_again_digit_for_digit(run: Run) -> None:
    read = (
        b'{"object":"Campaign","id":"c","name":"n","percentage_discount":12.50,'
        b'"novel":{"rate":0.10,"deep":[1.00,null]}}'
    )
    service = Service(answer(read), answer(read))

    async def story(client: Any) -> None:
        campaign = await run.now(client.request("GET", "/campaigns/c", result=Campaign))
        campaign.name = "m"
        await run.now(client.campaigns.update("c", campaign))

    run("billing", story, transport=service)
    sent = json.loads(service.sent[1].body, parse_float=str)
    expected = json.loads(read, parse_float=str) | {"name": "m"}
    assert sent == expected
