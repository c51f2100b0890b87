"""Limits and formats of arguments. A bad argument is refused before anything is sent, and the error names it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from kit.calls import Always, Group, Run, Sent, Service, answer, array, page
from looped import looped
from subscribekit import BillingClient, WireNames
from subscribekit.errors import ConfigurationError, InvalidArgumentError
from subscribekit.models import Campaign, EntitlementCharge, FlatAmountDiscount

NAMES = WireNames(custom_data_filter_param="filter", partner_code_header="X-Partner")
CHARGE = EntitlementCharge(transaction_id="t-1")

BLOCKING = Run("blocking")  # sync and async clients share the check of segments; one test below runs both
# Each argument that becomes a path segment: the group, the call, the argument's name, and the maximum length.
SEGMENTS: dict[str, tuple[Group, Callable[[Any, Any], Any], str, int]] = {
    "E1": ("billing", lambda client, value: client.payments.reverse(value), "payment", 128),
    "E2": ("billing", lambda client, value: client.campaigns.update(value, Campaign()), "campaign", 128),
    "E5": ("gateway", lambda client, value: client.campaigns.activate(value), "campaign", 128),
    "E6": ("gateway", lambda client, value: client.subscriptions.retrieve(value), "subscription", 128),
    "E7": ("gateway", lambda client, value: client.partner_subscriptions.cancel(value), "partner_subscription", 36),
    "E8": ("gateway", lambda client, value: client.entitlements.charge(value, CHARGE), "partner_subscription", 36),
    "E9 user": ("user_mgmt", lambda client, value: client.custom_data.delete(value, "a", filter="x"), "user_id", 1024),
    "E9 array": (
        "user_mgmt",
        lambda client, value: client.custom_data.delete("me", value, filter="x"),
        "property_array_name",
        1024,
    ),
    "E11": (
        "storefront",
        lambda client, value: client.payment_methods.update(value, payment_method_id="p", primary=True, active=True),
        "account",
        1024,
    ),
    "entities": (
        "user_mgmt",
        lambda client, value: client.entities.list("/group/{groupId}/users", group_id=value),
        "group_id",
        1024,
    ),
}
DANGEROUS = {
    "empty": "",
    "dot": ".",
    "two dots": "..",
    "parent": "../x",
    "slash": "a/b",
    "backslash": "a\\b",
    "query": "a?b=1",
    "fragment": "a#b",
    "percent": "a%b",
    "encoded dots": "%2e%2e",
    "encoded slash": "a%2fb",
    "encoded nul": "a%00",
    "dots with a parameter": "..;",
    "dots with a named parameter": "..;x=1",
    "header": "a\r\nX-Evil: 1",
    "nul": "a\x00b",
    "delete": "a\x7f",
    "c1": "a\x85b",
    "lone surrogate": "a\ud800",
    "right-to-left mark": "a\u200fb",
    "full-width solidus": "a\uff0fb",
}


def any_answer(request: Sent) -> Any:
    if request.method == "GET" and "users.test" in request.url:
        return array()
    named = "p" if "storefront" in request.url else max(unquote(request.path).split("/"), key=len)
    return answer({"id": named, "transactionReferenceId": "r"})


@pytest.mark.parametrize("place", SEGMENTS)
@looped("value", DANGEROUS.values())
def test_a_dangerous_identifier_is_refused(place: str, value: str) -> None:
    group, call, _, _ = SEGMENTS[place]
    service = Service()
    with pytest.raises(InvalidArgumentError) as caught:
        BLOCKING(group, lambda client: call(client, value), transport=service, wire_names=NAMES)
    assert isinstance(caught.value, ValueError)
    assert caught.value.outcome == "not_sent"
    assert len(value) < 3 or value not in str(caught.value)
    assert service.sent == []


NUMBERED = ("E9 user", "entities")
"""Calls that take an ID of group C. Responses of group C contain numeric IDs, so these calls accept integers too."""


@looped("place", SEGMENTS)
@looped("value", [None, 7, True, b"a", 1.5, ["a"]])
def test_an_identifier_is_text(place: str, value: Any) -> None:
    group, call, _, _ = SEGMENTS[place]
    if value == 7 and place in NUMBERED:
        return
    with pytest.raises(InvalidArgumentError):
        BLOCKING(group, lambda client: call(client, value), transport=Service(), wire_names=NAMES)


@looped("place", NUMBERED)
@looped("number", [0, 7, 4001, 2**63, 10**127])
def test_an_identifier_of_group_c_may_be_a_number(place: str, number: int, run: Run) -> None:
    group, call, _, _ = SEGMENTS[place]
    service = Always(any_answer)
    run(group, lambda client: call(client, number), transport=service, wire_names=NAMES)
    assert f"/{number}/" in service.only.url + "/"


@looped("place", NUMBERED)
@looped("value", [10**128, 10**5000, True, False, 1.0, Decimal(1)])
def test_an_identifier_of_group_c_is_text_or_a_number(place: str, value: Any, run: Run) -> None:
    group, call, argument, _ = SEGMENTS[place]
    service = Service()
    with pytest.raises(InvalidArgumentError, match=f"{argument} must be a string or an integer"):
        run(group, lambda client: call(client, value), transport=service, wire_names=NAMES)
    assert service.sent == []


# The release in the paths of group C


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.accounts.list(),
        lambda client: client.entities.list("/user/accounts"),
        lambda client: client.with_raw_response.accounts.list(),
        lambda client: client.with_options(deadline=5).accounts.list(),
    ],
)
def test_the_release_is_an_argument_of_the_client(call: Any, run: Run) -> None:
    service = Service(array(total=0), array(total=0))
    run("user_mgmt", call, transport=service, api_release="v86")
    run("user_mgmt", call, transport=service)
    assert [sent.path for sent in service.sent] == [
        "/platform/rest/v86/user/accounts",
        "/platform/rest/v85/user/accounts",
    ]


def test_a_prepared_request_shows_the_release(run: Run) -> None:
    client = run.client("user_mgmt", transport=Service(), api_release="v100")
    assert client.prepare.accounts.list().path_template == "/platform/rest/v100/user/accounts"


@looped("wrong", ["", "85", "v", "v85/x", "v8.5", "..", "v85 ", "V85", "v\u0668", 85, None, True, b"v85"])
def test_a_release_is_a_v_and_a_number(wrong: Any, run: Run) -> None:
    with pytest.raises(ConfigurationError, match="api_release"):
        run.client("user_mgmt", transport=Service(), api_release=wrong)


# A filter isn't a path segment


@looped("text", ["..", "a/b", "a?b=c&d", "a#b", "a%2Fb", "a\\b", " a ", "é", "\u200f", "x" * 128])
@looped(
    ("argument", "call"),
    [
        ("payment_method", lambda client, text: client.accounts.list(payment_method=text)),
        ("account", lambda client, text: client.event_summaries.list(account=text)),
        ("subscription", lambda client, text: client.transactions.list(subscription=text)),
        ("entitlement", lambda client, text: client.products.list(entitlement=text)),
    ],
)
def test_an_identifier_in_a_filter_is_any_text_and_quoted(argument: str, call: Any, text: str, run: Run) -> None:
    service = Service(page())
    run("billing", lambda client: call(client, text), transport=service)
    assert service.only.query == [(argument, text)]
    assert service.only.path.count("/") == 2


@pytest.mark.parametrize("text", ["", "x" * 129, "a\nb", "a\x00", "a\x7f", "a\x85", "\ud800", 7, True])
def test_an_identifier_in_a_filter_has_no_control_characters(text: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="payment_method must"):
        run("billing", lambda client: client.accounts.list(payment_method=text), transport=service)
    assert service.sent == []


@looped("place", SEGMENTS)
def test_the_refusal_comes_at_the_call_and_names_the_argument(place: str, run: Run) -> None:
    group, call, argument, _ = SEGMENTS[place]

    async def story(client: Any) -> None:
        with pytest.raises(InvalidArgumentError, match=f"^{argument} must have 1 to"):
            await run.finish(call(client, ""))

    run(group, story, transport=Service(), wire_names=NAMES)


@looped("place", SEGMENTS)
def test_the_longest_identifier_is_sent_and_one_more_character_is_refused(place: str, run: Run) -> None:
    group, call, _, longest = SEGMENTS[place]
    service = Always(any_answer)
    run(group, lambda client: call(client, "x" * longest), transport=service, wire_names=NAMES)
    assert "x" * longest in service.only.url
    with pytest.raises(InvalidArgumentError, match=f"must have 1 to {longest} characters"):
        run(group, lambda client: call(client, "x" * (longest + 1)), transport=service, wire_names=NAMES)
    assert len(service.sent) == 1


identifiers = st.text(min_size=1, max_size=40) | st.text(alphabet="a.;=+&@:~'\"<> ()[]äß漢%/", min_size=1, max_size=12)


@given(identifiers)
@example("a b+c&d=e;f")
@example("...")
@example("~'()!*")
@example("ü漢字🎬")
def test_an_accepted_identifier_arrives_as_one_segment_and_decodes_to_itself(value: str) -> None:
    service = Always(lambda _: answer(status=204))
    with BillingClient(base_url="https://b.test/p", api_user="u", api_key="k", transport=service) as client:
        try:
            client.payments.reverse(value)
        except InvalidArgumentError:
            assert service.sent == []
            return
    path = service.only.url.removeprefix("https://b.test")
    segments = path.split("/")
    assert segments[:3] == ["", "p", "payments"]
    assert segments[4:] == ["actions", "reverse"]
    assert len(segments) == 6
    assert path.isascii()
    assert not set(segments[3]) & set("?#; ")
    assert unquote(segments[3], errors="strict") == value


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=50))
@example("a b+c&d=e#f?g/h%20")
def test_a_query_value_decodes_to_itself_and_spaces_are_percent_20(value: str) -> None:
    service = Always(lambda _: page())
    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=service) as client:
        client.accounts.list(email=value).to_list()
    assert service.only.query == [("email", value)]
    assert "+" not in service.only.url.partition("?")[2]


# Numeric arguments of lists


@looped("resource", ["accounts", "event_summaries"])
@looped("limit", [0, -1, 101, 10**30, 1.0, "20", True, Decimal(5)])
def test_limit_is_a_whole_number_from_1_to_100(resource: str, limit: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="limit must be an integer from 1 to 100"):
        run("billing", lambda client: getattr(client, resource).list(limit=limit), transport=Service())


@pytest.mark.parametrize("limit", [1, 20, 100])
def test_limit_is_sent(limit: int, run: Run) -> None:
    service = Service(page())
    run("billing", lambda client: client.accounts.list(limit=limit), transport=service)
    assert service.only.query == [("limit", str(limit))]


@looped(
    ("arguments", "name"),
    [
        ({"size": -1}, "size"),
        ({"size": 101}, "size"),
        ({"size": True}, "size"),
        ({"size": "5"}, "size"),
        ({"offset": -1}, "offset"),
        ({"offset": None}, "offset"),
        ({"offset": 1.5}, "offset"),
        ({"max_pages": 0}, "max_pages"),
        ({"max_pages": True}, "max_pages"),
        ({"concurrency": 0}, "concurrency"),
        ({"concurrency": 65}, "concurrency"),
    ],
)
def test_numeric_arguments_of_offset_lists_are_checked(arguments: dict[str, Any], name: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=f"{name} must be an integer"):
        run("user_mgmt", lambda client: client.accounts.list(**arguments), transport=Service())


@pytest.mark.parametrize("size", [0, 1, 100])
def test_size_is_sent(size: int, run: Run) -> None:
    service = Service(array(total=0))
    run("user_mgmt", lambda client: client.accounts.list(size=size, offset=10**6), transport=service)
    assert service.only.query == [("offset", "1000000"), ("size", str(size))]


CURSORS = ["..", "a/b", "a?b", "a#b", "a%2Fb", "a&limit=1", "a\\b", " ", "ü", "\u200b", "x" * 128]


@looped("cursor", CURSORS)
@looped("argument", ["starting_after", "ending_before"])
def test_a_cursor_is_any_text_and_is_quoted(argument: str, cursor: str, run: Run) -> None:
    service = Service(page())
    run("billing", lambda client: client.accounts.list(**{argument: cursor}), transport=service)
    assert service.only.query == [(argument, cursor)]


@looped("cursor", ["", "a\nb", "a\x00", "a\x7f", "a\x85", "\ud800", "x" * 129, 7, True, b"a"])
@looped("argument", ["starting_after", "ending_before"])
def test_a_cursor_without_control_characters_has_1_to_128_characters(argument: str, cursor: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=argument):
        run("billing", lambda client: client.accounts.list(**{argument: cursor}), transport=Service())


def test_only_one_cursor_can_be_given(run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="starting_after can't be combined with ending_before"):
        run("billing", lambda client: client.accounts.list(starting_after="a", ending_before="b"), transport=Service())


@pytest.mark.parametrize("n", [-1, 1.5, "3", True, None])
def test_take_needs_a_number(n: Any, run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(InvalidArgumentError, match="n must be an integer"):
            await run.now(client.accounts.list().take(n))

    run("billing", story, transport=Service())


# Single arguments


@looped("code", ["", "x" * 33, "a\r\nb", "ä", " a", "a ", "a\x00", "\u200f", 7, b"x"])
def test_partner_code_is_32_printable_ascii_characters(code: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="partner_code") as caught:
        run(
            "gateway",
            lambda client: client.subscriptions.retrieve("s", partner_code=code),
            transport=Service(),
            wire_names=NAMES,
        )
    assert not isinstance(code, str) or len(code) < 3 or code not in str(caught.value)


def test_a_partner_code_of_32_characters_is_sent(run: Run) -> None:
    service = Service(answer({"object": "Subscription", "id": "s"}))
    run(
        "gateway",
        lambda client: client.subscriptions.retrieve("s", partner_code="x" * 32),
        transport=service,
        wire_names=NAMES,
    )
    assert service.only.headers["X-Partner"] == "x" * 32


@pytest.mark.parametrize("wrong", [0, 1, None, "true"])
@pytest.mark.parametrize("flag", ["primary", "active"])
def test_flags_are_booleans(flag: str, wrong: Any, run: Run) -> None:
    flags = {"primary": True, "active": True, flag: wrong}
    with pytest.raises(InvalidArgumentError, match=flag):
        run(
            "storefront",
            lambda client: client.payment_methods.update("a", payment_method_id="p", **flags),
            transport=Service(),
        )


@pytest.mark.parametrize(
    ("flags", "body"),
    [
        ({"primary": True}, b'{"paymentMethodId":"p","primary":true}'),
        ({"active": False}, b'{"paymentMethodId":"p","active":false}'),
        ({"active": False, "primary": True}, b'{"paymentMethodId":"p","primary":true,"active":false}'),
    ],
)
def test_either_flag_may_be_left_out(flags: dict[str, bool], body: bytes, run: Run) -> None:
    service = Service(answer({"id": "p"}))
    run(
        "storefront",
        lambda client: client.payment_methods.update("a", payment_method_id="p", **flags),
        transport=service,
    )
    assert service.only.body == body


def test_at_least_one_flag_is_required(run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="pass primary, active, or both"):
        run("storefront", lambda client: client.payment_methods.update("a", payment_method_id="p"), transport=service)
    assert service.sent == []


@pytest.mark.parametrize("wrong", ["yes", 1, None])
def test_the_history_flag_is_a_boolean(wrong: Any, run: Run) -> None:
    names = WireNames(billing_plan_history_param="history")
    with pytest.raises(InvalidArgumentError, match="include_billing_plan_history"):
        run(
            "gateway",
            lambda client: client.subscriptions.retrieve("s", include_billing_plan_history=wrong),
            transport=Service(answer({"object": "Subscription"})),
            wire_names=names,
        )


@pytest.mark.parametrize("wrong", ["", "x" * 1025, "a\nb", 7, None, "\ud800"])
def test_a_payment_method_id_is_text(wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="payment_method_id"):
        run(
            "storefront",
            lambda client: client.payment_methods.update("a", payment_method_id=wrong, primary=True, active=True),
            transport=Service(),
        )


@pytest.mark.parametrize("wrong", ["", "   ", None, 5, "a\x00", "\ud800", b"x", True])
def test_an_e9_filter_is_text_and_not_blank(wrong: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="filter"):
        run(
            "user_mgmt",
            lambda client: client.custom_data.delete("me", "a", filter=wrong),
            transport=service,
            wire_names=NAMES,
        )
    assert service.sent == []


@pytest.mark.parametrize("wrong", [{"name": "x"}, None, "x", CHARGE], ids=lambda value: type(value).__name__)
def test_a_campaign_body_is_a_campaign(wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="body must be a Campaign"):
        run("billing", lambda client: client.campaigns.update("c", wrong), transport=Service())


@pytest.mark.parametrize("wrong", [{"transactionId": "x"}, None, Campaign()], ids=lambda value: type(value).__name__)
def test_a_charge_is_an_entitlement_charge(wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="charge must be an EntitlementCharge"):
        run("gateway", lambda client: client.entitlements.charge("p", wrong), transport=Service())


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.subscriptions.retrieve("s"),
        lambda client: client.partner_subscriptions.cancel("p"),
        lambda client: client.entitlements.charge("p", CHARGE),
    ],
    ids=["E6", "E7", "E8"],
)
def test_all_of_group_b_but_e5_needs_the_api_key(call: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(ConfigurationError, match="api_key"):
        run("gateway", call, base_url="https://g.test", transport=service)
    assert service.sent == []


# Bodies: a model checks the limits when it is created, and the error never shows the value.


@pytest.mark.parametrize(
    ("field", "longest"),
    [("transaction_id", 128), ("product_code", 128), ("currency", 3), ("original_transaction_id", 128)],
)
def test_the_texts_of_a_charge_have_maximum_lengths(field: str, longest: int, run: Run) -> None:
    secret = "s" * (longest + 1)
    with pytest.raises(ValidationError, match=field) as caught:
        EntitlementCharge(**{"transaction_id": "t", field: secret})
    assert secret not in str(caught.value)
    service = Service(answer({"transactionReferenceId": "r"}))
    charge = EntitlementCharge(**{"transaction_id": "t", field: "s" * longest})
    run("gateway", lambda client: client.entitlements.charge("p", charge), transport=service)
    assert b'"' + b"s" * longest + b'"' in service.only.body


def test_a_refund_needs_the_charge_that_it_refunds(run: Run) -> None:
    with pytest.raises(ValidationError, match="original_transaction_id"):
        EntitlementCharge(transaction_id="t", amount=Decimal("-0.01"))
    unvalidated = EntitlementCharge.model_construct(
        transaction_id="t", amount=Decimal(-1), original_transaction_id=None
    )
    with pytest.raises(InvalidArgumentError, match="set original_transaction_id"):
        run("gateway", lambda client: client.entitlements.charge("p", unvalidated), transport=Service())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("amount", 1.5),
        ("amount", "1.5"),
        ("amount", True),
        ("amount", Decimal("NaN")),
        ("amount", Decimal("Infinity")),
        ("amount", Decimal("1." + "1" * 28)),
        ("tax_amount", 0.1),
        ("charge_date", datetime(2026, 1, 1)),  # noqa: DTZ001
        ("charge_date", "2026-01-01T00:00:00Z"),
        ("tax_included", 1),
        ("currency", 978),
        ("nonsense", 1),
        ("transaction_id", ""),
        ("transaction_id", None),
    ],
    ids=str,
)
def test_a_charge_refuses_wrong_values(field: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=field):
        EntitlementCharge(**{"transaction_id": "t", field: value})


def test_a_charge_without_a_transaction_id_cannot_be_built() -> None:
    with pytest.raises(ValidationError, match=r"transaction_id|transactionId"):
        EntitlementCharge(amount=1)


def test_percentage_and_flat_discounts_exclude_each_other() -> None:
    with pytest.raises(ValidationError, match="not both"):
        Campaign(
            percentage_discount=Decimal(10),
            flat_amount_discounts=[FlatAmountDiscount(currency="EUR", amount=Decimal(1))],
        )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "x" * 129),
        ("id", "a/b"),
        ("name", "x" * 1025),
        ("offer_start_date", datetime(2026, 1, 1)),  # noqa: DTZ001
        ("percentage_discount", 10.0),
        ("max_redemptions", "10"),
        ("nme", "x"),
    ],
)
def test_a_campaign_refuses_wrong_values(field: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=field) as caught:
        Campaign(**{field: value})
    assert str(value) not in str(caught.value) or len(str(value)) < 5


def test_a_model_that_was_built_without_validation_is_validated_before_it_is_sent(run: Run) -> None:
    campaign = Campaign.model_construct(name="x", percentage_discount=0.1)
    with pytest.raises(InvalidArgumentError, match=r"^body\.percentage_discount can't be sent: ") as caught:
        run("billing", lambda client: client.campaigns.update("c", campaign), transport=Service())
    assert "0.1" not in str(caught.value)


def test_an_aware_datetime_is_sent_in_iso_8601_with_its_offset(run: Run) -> None:
    service = Service(page())
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    run("billing", lambda client: client.accounts.list(created_after=at), transport=service)
    assert "created_after=2026-03-01T12%3A00%3A00%2B00%3A00" in service.only.url
