"""The responses of the benchmark server, as bytes."""

from __future__ import annotations

import json
from decimal import Decimal

_HOLE = "{id}"


def small_account() -> bytes:
    """Return an object of about 200 bytes."""
    return json.dumps(
        {
            "object": "Account",
            "id": "small",
            "vid": "7c3b1f0e9d2a4b5c8e6f",
            "created": "2024-05-01T12:00:00Z",
            "default_currency": "EUR",
            "email": "ada@example.com",
            "name": "Ada Example",
        }
    ).encode()


def account(identifier: str) -> bytes:
    """Return an account of about 3 KB, with cards and credits."""
    return _fill(_ACCOUNT, identifier)


def page(first: int, count: int, total: int) -> bytes:
    """Return a page of the billing API with `count` accounts from the position `first`."""
    last = min(first + count, total)
    envelope: dict[str, object] = {"object": "List", "total_count": total, "url": f"/accounts?limit={count}"}
    if last < total:
        envelope["next"] = f"/accounts?limit={count}&starting_after={_name(last - 1)}"
    return b"%s,%s}" % (json.dumps(envelope).encode()[:-1], _data(_ACCOUNT, first, last))


def peer_page(first: int, count: int, total: int) -> bytes:
    """Return the same accounts in an envelope that the pager of every peer understands."""
    last = min(first + count, total)
    more = last < total
    envelope = {
        "object": "list",
        "url": "/v1/customers",
        "has_more": more,
        "pagination_metadata": {"has_more": more, "next_cursor": _name(last - 1) if more else None},
    }
    return b"%s,%s}" % (json.dumps(envelope).encode()[:-1], _data(_ACCOUNT, first, last))


def associations(first: int, count: int, total: int) -> bytes:
    """Return a page of the account-lifecycle API, which is an array of objects with numbers as IDs."""
    positions = range(first, min(first + count, total))
    return b"[%s]" % b",".join(_fill(_ASSOCIATION, str(100_000 + position)) for position in positions)


def position_after(identifier: str) -> int:
    """Return the position after an object in the list."""
    return int(identifier.removeprefix("a")) + 1


def _name(position: int) -> str:
    return f"a{position:06d}"


def _data(template: list[bytes], first: int, last: int) -> bytes:
    return b'"data":[%s]' % b",".join(_fill(template, _name(position)) for position in range(first, last))


def _fill(template: list[bytes], identifier: str) -> bytes:
    return identifier.encode().join(template)


def _template(value: object) -> list[bytes]:
    # A service writes amounts with all decimals: 19.90 and not 19.9.
    text = json.dumps(value, default=lambda amount: f"<{amount}>")
    return text.replace('"<', "").replace('>"', "").encode().split(_HOLE.encode())


def _address(kind: str) -> dict[str, object]:
    return {
        "object": "Address",
        "vid": f"{kind}-{_HOLE}-9d2a4b5c8e6f",
        "name": "Ada Example",
        "line1": "Karl Johans gate 1",
        "line2": "3rd floor",
        "city": "Oslo",
        "district": "Sentrum",
        "postal_code": "0154",
        "country": "NO",
        "phone": "+47 22 00 00 00",
        "latitude": Decimal("59.913870"),
        "longitude": Decimal("10.752250"),
    }


def _payment_method(number: int) -> dict[str, object]:
    return {
        "object": "PaymentMethod",
        "id": f"pm-{_HOLE}-{number}",
        "vid": f"0f1e2d3c4b5a69788796-{number}",
        "created": "2024-05-01T12:00:00Z",
        "type": "CreditCard",
        "credit_card": {
            "object": "CreditCard",
            "vid": f"cc-{_HOLE}-{number}",
            "account": "411111XXXXXX1111",
            "bin": "411111",
            "last_digits": "1111",
            "account_length": 16,
            "hash_type": "sha1",
            "expiration_date": "202812",
        },
        "account_holder": "Ada Example",
        "billing_address": _address(f"ba{number}"),
        "customer_description": "Card for the subscription",
        "currency": "EUR",
        "primary": number == 0,
        "active": True,
    }


def _currency_amount(number: int) -> dict[str, object]:
    return {
        "object": "CurrencyAmount",
        "vid": f"ca-{_HOLE}-{number}",
        "currency": "EUR",
        "amount": Decimal("19.90") + number,
        "sort_value": number,
        "description": "Goodwill credit",
        "granted": "2024-05-01T12:00:00Z",
    }


def _list_of(items: list[dict[str, object]]) -> dict[str, object]:
    return {"object": "List", "total_count": len(items), "data": items}


_ACCOUNT = _template(
    {
        "object": "Account",
        "id": _HOLE,
        "external_id": f"crm-{_HOLE}",
        "vid": f"7c3b1f0e9d2a4b5c8e6f-{_HOLE}",
        "created": "2024-05-01T12:00:00Z",
        "default_currency": "EUR",
        "email": "ada@example.com",
        "email_type": "html",
        "language": "en",
        "notify_before_billing": True,
        "company": "Example AS",
        "name": "Ada Example",
        "shipping_address": _address("sa"),
        "payment_methods": _list_of([_payment_method(0), _payment_method(1)]),
        "metadata": {"segment": "consumer", "channel": "web", "campaign": "spring-2024"},
        "tax_exemptions": [{"object": "TaxExemption", "region": "NO", "exemption_id": "e1", "active": True}],
        "credit": [{"object": "Credit", "currency_amounts": [_currency_amount(number) for number in range(2)]}],
        "entitlements": [
            {"object": "Entitlement", "id": f"entitlement-{number}", "description": "Streaming in high definition"}
            for number in range(3)
        ],
    }
)

_ASSOCIATION = _template(
    {
        "id": f"<{_HOLE}>",
        "type": "account",
        "displayName": f"Account {_HOLE}",
        "status": "activated",
        "createdDate": 1714564800000,
        "updatedDate": 1714564800000,
        "association": {"attributes": {}, "flags": {"mint.owner": "true"}},
        "attributes": {"bssName": "billing", "internalProviderAccountId": _HOLE, "paymentProviderAccountId": _HOLE},
        "subscriptions": [
            {"id": 23456, "type": "subscription", "displayName": "Streaming", "status": "activated"},
        ],
    }
)
