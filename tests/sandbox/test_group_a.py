"""Tests the requests and responses of E1 to E4: the limits, paging, and errors of the billing API."""

from __future__ import annotations

import gzip
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

import pytest

from sandbox.wire import Wire
from subscribekit.sandbox import Sandbox


def test_reversing_a_cash_payment_fails_it_and_cancels_its_transaction(wire: Wire) -> None:
    result = wire.post("/payments/pay-cash-0001/actions/reverse")
    assert result.status == 200
    assert (result.body["object"], result.body["id"], result.body["status"]) == ("Payment", "pay-cash-0001", "Failure")
    store = wire.sandbox.service.store
    transaction = store["transactions"].find("txn-pay-cash-0001")
    assert transaction is not None
    log = transaction["status_log"]
    assert isinstance(log, list)
    assert [entry["status"] for entry in log if isinstance(entry, dict)] == ["Cancelled", "Captured", "New"]


def test_reversing_twice_answers_the_same_and_cancels_once(wire: Wire) -> None:
    first = wire.post("/payments/pay-cash-0001/actions/reverse")
    second = wire.post("/payments/pay-cash-0001/actions/reverse")
    assert (second.status, second.body) == (first.status, first.body)


def test_a_card_payment_cannot_be_reversed(wire: Wire) -> None:
    result = wire.post("/payments/pay-card-0002/actions/reverse")
    assert (result.status, result.body["object"]) == (400, "Error")


def test_an_unknown_payment_is_404(wire: Wire) -> None:
    result = wire.post("/payments/nothing/actions/reverse")
    assert result.status == 404
    assert result.body == {"object": "Error", "message": "Payment not found."}


def test_updating_a_campaign_reads_texts_as_numbers_and_one_as_true(wire: Wire) -> None:
    body = {"percentage_discount": "12.50", "number_of_periods": "6", "on_demand_codes_allowed": 1}
    result = wire.post("/campaigns/camp-summer", body)
    assert result.status == 200
    assert result.body["percentage_discount"] == Decimal("12.50")
    assert str(result.body["percentage_discount"]) == "12.50"
    assert result.body["number_of_periods"] == 6
    assert result.body["on_demand_codes_allowed"] is True
    assert result.body["promotion_code"] == "SUMMER"


def test_aliases_are_replaced(wire: Wire) -> None:
    result = wire.post("/campaigns/camp-summer", {"promotion_code_aliases": ["A", "B"]})
    assert result.body["promotion_code_aliases"] == {"object": "List", "data": ["A", "B"], "total_count": 2}
    envelope = {"promotion_code_aliases": {"object": "List", "data": ["C"]}}
    assert wire.post("/campaigns/camp-summer", envelope).body["promotion_code_aliases"]["data"] == ["C"]


def test_dates_of_any_zone_come_back_in_utc(wire: Wire) -> None:
    result = wire.post("/campaigns/camp-summer", {"offer_end_date": "2027-01-01T01:30:00+02:00"})
    assert result.body["offer_end_date"] == "2026-12-31T23:30:00Z"


def test_a_campaign_is_found_by_vid_and_keeps_its_identity(wire: Wire) -> None:
    before = wire.post("/campaigns/camp-summer", {}).body
    after = wire.post(f"/campaigns/{before['vid']}", {"id": "other", "vid": "other", "name": "Renamed"}).body
    assert (after["id"], after["vid"], after["name"]) == ("camp-summer", before["vid"], "Renamed")


def test_texts_may_have_1024_characters(wire: Wire) -> None:
    assert wire.post("/campaigns/camp-summer", {"name": "x" * 1024}).status == 200


def test_null_clears_a_field(wire: Wire) -> None:
    assert "description" not in wire.post("/campaigns/camp-summer", {"description": None}).body


@pytest.mark.parametrize(
    "body",
    [
        {"state": "Running"},
        {"type": "Discount"},
        {"period_length": "Fortnight"},
        {"object": "Account"},
        {"name": "x" * 1025},
        {"unknown_field": "x" * 1025},
        {"percentage_discount": "many"},
        {"on_demand_codes_allowed": 2},
        {"offer_end_date": "soon"},
        {"percentage_discount": 5, "flat_amount_discounts": [{"currency": "USD", "amount": 1}]},
        [],
    ],
)
def test_an_unacceptable_campaign_is_400_and_changes_nothing(wire: Wire, body: object) -> None:
    before = wire.post("/campaigns/camp-summer", {}).body
    result = wire.post("/campaigns/camp-summer", body)
    assert (result.status, result.body["object"]) == (400, "Error")
    assert wire.post("/campaigns/camp-summer", {}).body == before


@pytest.mark.parametrize("text", [b"{", b"", b'{"a":1,"a":2}', b"\xff", b'{"percentage_discount":1e400}'])
def test_invalid_json_has_the_specified_message(wire: Wire, text: bytes) -> None:
    result = wire.post("/campaigns/camp-summer", text)
    assert (result.status, result.body) == (400, {"object": "Error", "message": "JSON is invalid"})


def test_a_flat_discount_replaces_a_percentage(wire: Wire) -> None:
    body = {"flat_amount_discounts": [{"currency": "USD", "amount": "2.50"}]}
    result = wire.post("/campaigns/camp-summer", body)
    assert "percentage_discount" not in result.body
    assert result.body["flat_amount_discounts"] == [{"currency": "USD", "amount": Decimal("2.50")}]


def test_a_page_has_the_envelope(wire: Wire) -> None:
    result = wire.get("/accounts", {"limit": 2})
    assert set(result.body) == {"object", "data", "total_count", "url", "next", "previous"}
    assert result.body["object"] == "List"
    assert [item["id"] for item in result.body["data"]] == ["acct-0001", "acct-0002"]
    assert result.body["total_count"] == 25
    assert result.body["url"] == "/accounts?limit=2"
    assert result.body["next"] == "/accounts?limit=2&starting_after=acct-0002"
    assert result.body["previous"] == "/accounts?limit=2&ending_before=acct-0001"


def test_the_default_limit_is_20(wire: Wire) -> None:
    assert len(wire.good("/accounts")["data"]) == 20


def test_following_next_reads_every_account_and_ends_on_an_empty_page(wire: Wire) -> None:
    seen: list[str] = []
    address: str | None = "/accounts?limit=10"
    pages = 0
    while address is not None:
        parts = urlsplit(address)
        page = wire.get(parts.path, parse_qsl(parts.query)).body
        seen += [item["id"] for item in page["data"]]
        address = page.get("next")
        pages += 1
        assert ("next" in page) == bool(page["data"])
    assert seen == [f"acct-{number:04d}" for number in range(1, 26)]
    assert pages == 4


def test_ending_before_returns_the_previous_page_in_order(wire: Wire) -> None:
    page = wire.good("/accounts", {"ending_before": "acct-0010", "limit": 3})
    assert [item["id"] for item in page["data"]] == ["acct-0007", "acct-0008", "acct-0009"]
    assert page["next"] == "/accounts?limit=3&starting_after=acct-0009"


def test_a_cursor_may_be_a_vid_and_outlives_its_object(wire: Wire) -> None:
    store = wire.sandbox.service.store
    vid = str((store["accounts"].find("acct-0003") or {})["vid"])
    store["accounts"].remove("acct-0003")
    for cursor in (vid, "acct-0003"):
        page = wire.good("/accounts", {"starting_after": cursor, "limit": 1})
        assert [item["id"] for item in page["data"]] == ["acct-0004"]
        assert page["total_count"] == 24


@pytest.mark.parametrize("limit", ["0", "101", "-1", "ten", "", "1.5", "99999999999999999999"])
def test_a_limit_outside_1_to_100_is_400(wire: Wire, limit: str) -> None:
    assert wire.get("/accounts", {"limit": limit}).status == 400


@pytest.mark.parametrize(
    "query",
    [
        {"starting_after": "nobody"},
        {"starting_after": "acct-0001", "ending_before": "acct-0002"},
        {"starting_after": "x" * 129},
        {"starting_after": ""},
        {"e-mail": "customer-0001@example.com"},
        {"created_after": "yesterday"},
    ],
)
def test_a_query_that_makes_no_sense_is_400(wire: Wire, query: dict[str, str]) -> None:
    assert wire.get("/accounts", query).status == 400


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"email": "customer-0003@example.com"}, ["acct-0003"]),
        ({"email": "nobody@example.com"}, []),
        ({"payment_method": "pm-card-0005"}, ["acct-0005"]),
        ({"credit_card_account": "4111111111111111"}, ["acct-0001"]),
        ({"direct_debit_account": "DE89370400440532013000"}, ["acct-0021"]),
        ({"carrier_billing_encoded_phone_number": "enc-0022"}, ["acct-0022"]),
        ({"carrier_billing_phone_number": "+1 650 555-0122"}, ["acct-0022"]),
        ({"carrier_billing_phone_number": "x"}, []),
        ({"carrier_billing_phone_number": "+"}, []),
        ({"carrier_billing_phone_number": "n/a"}, []),
        ({"carrier_billing_phone_number": ""}, []),
        ({"carrier_billing_encoded_phone_number": ""}, []),
        ({"credit_card_account": ""}, []),
        ({"boleto_fiscal_number": "1"}, []),
        ({"created_before": "2025-01-29T09:00:00Z"}, ["acct-0001", "acct-0002"]),
        ({"created_after": "2025-02-18T09:00:00Z"}, ["acct-0024", "acct-0025"]),
        ({"created_after": "2025-01-27T09:00:00Z", "created_before": "2025-01-29T09:00:00Z"}, ["acct-0002"]),
        ({"email": "customer-0003@example.com", "payment_method": "pm-card-0005"}, []),
    ],
)
def test_every_filter_of_accounts(wire: Wire, query: dict[str, str], ids: list[str]) -> None:
    page = wire.good("/accounts", query)
    assert [item["id"] for item in page["data"]] == ids
    assert page["total_count"] == len(ids)


def test_filters_are_kept_in_next_and_encoded(wire: Wire) -> None:
    page = wire.good("/accounts", {"email": "customer-0003@example.com"})
    assert page["next"] == "/accounts?email=customer-0003%40example.com&starting_after=acct-0003"


def test_a_cursor_with_a_space_is_form_encoded(wire: Wire) -> None:
    wire.sandbox.service.store.add("accounts", {"id": "a b"})
    page = wire.good("/accounts", {"starting_after": "acct-0025"})
    assert page["next"].endswith("starting_after=a+b")


def test_event_summaries_are_rated_in_tiers(wire: Wire) -> None:
    page = wire.good("/event_summaries", {"subscription": "sub-usage-0007"})
    assert page["url"] == "/event_summaries?subscription=sub-usage-0007"
    summary = page["data"][0]
    assert summary["object"] == "EventSummary"
    assert (summary["rated_unit_total"], summary["event_count"]) == (24, 3)
    assert summary["current_total_rated_units_bill"] == 10 * 2 + 14 * 1
    unit = summary["rated_unit"]
    assert unit["ratable_usage_metric.name_plural"] == "calls"
    assert unit["ratable_usage_metric.merchant_id"] == "rate-api-calls"
    assert unit["ratable_usage_metric.id"] != unit["ratable_usage_metric.merchant_id"]
    assert any(name.startswith("_") for name in unit)
    assert set(summary["account"]) == {"object", "id", "vid"}
    assert "vid" not in summary


def test_billed_0_leaves_out_billed_usage(wire: Wire) -> None:
    summary = wire.good("/event_summaries", {"subscription": "sub-usage-0007", "billed": 0})["data"][0]
    assert (summary["rated_unit_total"], summary["event_count"]) == (21, 2)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, 2),
        ({"account": "acct-0007"}, 1),
        ({"account": "acct-0009"}, 0),
        ({"account": "nobody"}, 0),
        ({"product": "prod-api"}, 1),
        ({"rate_plan": "rate-api-calls"}, 2),
        ({"start": "2026-02-20T00:00:00Z"}, 1),
        ({"end": "2026-02-16T09:00:00Z"}, 2),
        ({"end": "2026-02-16T08:59:59Z"}, 0),
        ({"billed": "0", "subscription": "sub-basic-0001"}, 0),
    ],
)
def test_every_filter_of_event_summaries(wire: Wire, query: dict[str, str], found: int) -> None:
    assert wire.good("/event_summaries", query)["total_count"] == found


def test_event_summaries_page_by_a_cursor_of_their_own(wire: Wire) -> None:
    first = wire.good("/event_summaries", {"limit": 1})
    parts = urlsplit(first["next"])
    second = wire.get(parts.path, parse_qsl(parts.query)).body
    assert first["data"][0]["subscription"] != second["data"][0]["subscription"]


def test_billed_must_be_a_boolean(wire: Wire) -> None:
    assert wire.get("/event_summaries", {"billed": "perhaps"}).status == 400


@pytest.mark.parametrize(
    "name",
    [
        "accounts", "activities", "billing_plans", "campaigns", "entitlements", "event_summaries", "invoices",
        "payment_methods", "payments", "products", "rate_plans", "refunds", "season_sets", "subscriptions", "tokens",
        "transactions",
    ],
)  # fmt: skip
def test_every_family_reads_one_and_lists_all(name: str) -> None:
    wire = Wire()
    wire.made("/transactions/txn-pay-card-0002/refunds", {"amount": 1})
    note = {"type": "Note", "account": {"id": "acct-0001"}, "timestamp": "2026-03-01", "note_args": {"note": "x"}}
    wire.made("/activities", note)
    page = wire.good(f"/{name}", {"limit": 2})
    assert page["data"]
    first = page["data"][0]
    key = parse_qsl(urlsplit(page["previous"]).query)[-1][1] if name == "event_summaries" else None
    key = key or first.get("id") or first["vid"]
    assert wire.good(f"/{name}/{key}") == first
    assert wire.get(f"/{name}/nothing").status == 404


@pytest.mark.parametrize("name", ["status", "billing_state"])
def test_the_states_of_a_subscription_are_enumerated(wire: Wire, name: str) -> None:
    body = {"id": "new", "account": {"id": "acct-0009"}, "items": [{"product": {"id": "prod-basic"}}]}
    for path in ("/subscriptions", "/subscriptions/sub-basic-0001"):
        refused = wire.post(path, {**body, name: "Sleeping"})
        assert (refused.status, refused.body["object"]) == (400, "Error")
        assert name in refused.body["message"]
    before = wire.good("/subscriptions/sub-basic-0001")[name]
    assert (
        wire.made("/subscriptions/sub-basic-0001", {name: "Paused"})[name] == before
    )  # only the service sets this field
    assert wire.made("/subscriptions", {**body, name: "Unknown"})[name] != "Unknown"


@pytest.mark.parametrize(
    "body",
    [
        {"metadata": {"k" * 1025: "v"}},
        {"metadata": {"a": {"k" * 1025: "v"}}},
        {"metadata": {"k": "v" * 1025}},
        {"k" * 1025: "v"},
        {"shipping_address": {"k" * 1025: "v"}},
    ],
)
def test_keys_have_the_limit_of_texts(wire: Wire, body: dict[str, object]) -> None:
    refused = wire.post("/accounts/acct-0001", body)
    assert refused.status == 400
    assert len(refused.body["message"]) < 1100
    assert wire.post("/accounts", body).status == 400
    assert wire.post("/accounts/acct-0001", {"metadata": {"k" * 1024: "v" * 1024}}).status == 200


def test_null_removes_a_metadata_key(wire: Wire) -> None:
    made = wire.made("/accounts", {"id": "new", "metadata": {"a": "1", "b": 2, "c": None}})
    assert made["metadata"] == {"a": "1", "b": "2"}
    assert wire.made("/accounts/new", {"metadata": {"a": None, "d": 4, "gone": None}})["metadata"] == {
        "b": "2",
        "d": "4",
    }
    assert wire.made("/accounts/new", {"name": "N"})["metadata"] == {"b": "2", "d": "4"}
    assert "metadata" not in wire.made("/accounts/new", {"metadata": None})
    order = {
        "account": {"id": "acct-0009"},
        "items": [{"product": {"id": "prod-basic"}, "metadata": {"x": 1, "y": None}}],
    }
    subscription = wire.made("/subscriptions", {**order, "metadata": {"x": 1, "y": None}})
    assert subscription["metadata"] == subscription["items"]["data"][0]["metadata"] == {"x": "1"}
    assert subscription["most_recent_billing"]["metadata"]["x"] == "1"


def test_an_unknown_endpoint_has_the_specified_message(wire: Wire) -> None:
    for method, path in (("GET", "/nothing"), ("PUT", "/accounts"), ("GET", "/payments/pay-cash-0001/actions/reverse")):
        result = wire.call("billing", method, path)
        message = "This endpoint does not exist. Check our API docs."
        assert (result.status, result.body) == (404, {"object": "Error", "message": message})


def test_every_response_has_its_own_request_id(wire: Wire) -> None:
    ids = [wire.get(path).headers["Request-Id"] for path in ("/accounts", "/nothing", "/accounts")]
    assert len(set(ids)) == 3


@pytest.mark.parametrize("headers", [{"accept-encoding": "br, gzip;q=0.8"}, {"content-encoding": "gzip"}])
def test_gzip_is_answered_when_asked_for(wire: Wire, headers: dict[str, str]) -> None:
    result = wire.get("/accounts", headers=headers)
    assert result.headers["Content-Encoding"] == "gzip"
    assert len(result.body["data"]) == 20


@pytest.mark.parametrize("headers", [{}, {"accept-encoding": "identity"}, {"accept-encoding": "gzip;q=0"}])
def test_gzip_is_not_answered_otherwise(wire: Wire, headers: dict[str, str]) -> None:
    assert "Content-Encoding" not in wire.get("/accounts", headers=headers).headers


def test_a_body_labelled_gzip_is_inflated(wire: Wire) -> None:
    headers = {"content-encoding": "gzip"}
    result = wire.post("/campaigns/camp-summer", gzip.compress(b'{"name": "Packed"}'), headers=headers)
    assert result.body["name"] == "Packed"


@pytest.mark.parametrize("body", [b'{"name": "plain"}', gzip.compress(b'{"name": "cut"}', mtime=0)[:-6]])
def test_a_body_wrongly_labelled_gzip_is_invalid_json(wire: Wire, body: bytes) -> None:
    result = wire.post("/campaigns/camp-summer", body, headers={"content-encoding": "gzip"})
    assert (result.status, result.body["message"]) == (400, "JSON is invalid")


def test_the_first_version_is_noted(wire: Wire) -> None:
    wire.get("/accounts", headers={"x-api-version": "20190501"})
    wire.get("/accounts", headers={"x-api-version": "20200101"})
    assert wire.sandbox.service.api_version == "20190501"


def test_doubled_and_trailing_slashes_are_accepted(wire: Wire) -> None:
    assert wire.get("//accounts/").status == 200


def test_the_same_seed_gives_the_same_responses_and_another_other_vids() -> None:
    first, same, other = (Wire(Sandbox(seed=seed)).good("/accounts") for seed in (1, 1, 2))
    assert first == same
    assert first["data"][0]["vid"] != other["data"][0]["vid"]
    assert len(first["data"][0]["vid"]) == 40
