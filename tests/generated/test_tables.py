"""Checks the tables that a notebook shows. They are small, escaped, and masked like `repr`, and need no I/O."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from subscribekit import AsyncBillingClient, BillingClient, Page, Response
from subscribekit.models import Account, CreditCard, ModelList, Payment, PaymentMethod, Subscription
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H138")

HOSTILE = "<script>alert('x')</script>&\"<b>"


class Balanced(HTMLParser):
    """Refuses HTML whose elements aren't closed in order, and collects the names of the elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def html(value: Any) -> str:
    text: str = value._repr_html_()
    assert Balanced(text).seen <= {"table", "caption", "tr", "th", "td", "code", "pre"}
    return text


def account(**fields: Any) -> Account:
    return Account(id="a1", email="jane@example.com", name="Jane Doe", **fields)


def test_a_resource_is_a_table_of_its_masked_fields() -> None:
    text = html(account())
    assert "<caption>Account</caption>" in text
    assert "<tr><th>id</th><td>&#x27;a1&#x27;</td></tr>" in text
    assert "jane@example.com" not in text
    assert "Jane" not in text
    assert "***" in text


def test_nested_values_are_masked_too() -> None:
    card = CreditCard(account="4111111111111111", expiration_date="203012")
    text = html(Account(id="a1", payment_methods=[PaymentMethod(id="p1", type="CreditCard", credit_card=card)]))
    assert "4111111111111111" not in text
    assert "p1" in text


def test_text_of_the_service_is_escaped() -> None:
    received = Payment.model_validate({"id": HOSTILE, "status": HOSTILE}, strict=False, extra="allow")
    for value in (received, Page(data=[received], next=HOSTILE), ModelList([received])):
        text = html(value)
        assert "script" not in re.findall(r"<(\w+)", text)
        assert "&lt;script&gt;" in text
    answer = Response(received, 200, {HOSTILE: HOSTILE}, HOSTILE, None, 1, 0.1)
    assert "&lt;script&gt;" in html(answer)


def test_a_table_has_a_limited_size() -> None:
    long = Account(id="a1", default_currency="USD", metadata={f"key{n}": "v" * 1000 for n in range(500)})
    assert len(html(long)) < 2_000
    page = Page(data=[Subscription(id=f"s{n}", currency="USD") for n in range(5_000)], total_count=5_000)
    text = html(page)
    assert len(text) < 10_000
    assert text.count("<tr>") < 25
    assert "… and 4980 more" in text
    assert "Page of 5000, total_count=5000" in text


def test_items_that_are_not_models_are_counted_and_not_shown() -> None:
    text = html(Page(data=[{"email": "jane@example.com"}]))
    assert "jane" not in text
    assert "1 more" in text


def test_empty_lists_and_incomplete_models_can_be_shown() -> None:
    assert "Page of 0" in html(Page(data=[]))
    assert "ModelList of 0" in html(ModelList())
    assert "Account" in html(Account.__new__(Account))
    huge = Account.model_construct(id=10**5000)
    assert "unprintable" in html(huge)


class Refusing(httpx.MockTransport):
    """A transport that fails the test if anything is sent."""

    def __init__(self) -> None:
        super().__init__(self.refuse)

    def refuse(self, request: httpx.Request) -> httpx.Response:
        raise AssertionError(f"the table sent a request to {request.url}")


@pytest.mark.parametrize("kind", [BillingClient, AsyncBillingClient])
def test_lists_and_prepared_requests_send_nothing(kind: Any) -> None:
    client = kind(base_url="https://b.test", api_user="u", api_key="secret-key", transport=Refusing())
    pager = client.accounts.list(email="jane@example.com")
    assert html(pager) == f"<code>{repr(pager).replace('<', '&lt;').replace('>', '&gt;')}</code>"
    assert "jane" not in html(pager)
    assert html(client.with_raw_response.accounts.list()).startswith("<code>&lt;")
    request = client.prepare.accounts.create(account())
    text = html(request)
    assert "accounts.create" in text
    assert "authorization" in text
    assert "jane" not in text
    assert "secret-key" not in text
    assert html(client.prepare.accounts.list(email="jane@example.com")).count("jane") == 0


def test_a_response_shows_its_call_and_its_result() -> None:
    billing = Sandbox().billing()
    text = html(billing.with_raw_response.accounts.retrieve("acct-0001"))
    assert "<th>status_code</th><td>200</td>" in text
    assert "<caption>Account</caption>" in text
    assert "***" in text
    plain = html(billing.with_raw_response.request("GET", "/accounts/acct-0001"))
    assert "<pre>{&#x27;" in plain
    (page,) = billing.accounts.list(limit=2, max_pages=1).pages()
    assert html(page).count("<tr>") == 3


def test_ipython_shows_the_table() -> None:
    formatters = pytest.importorskip("IPython.core.formatters")
    shown = formatters.HTMLFormatter()(account())
    assert shown == account()._repr_html_()
