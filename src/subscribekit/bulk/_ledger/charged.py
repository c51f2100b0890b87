"""Finds the amount that a request charges or refunds in the body of the request. All calculations are exact."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, Inexact
from functools import reduce

from ... import _json as json
from ..._decimals import own_context
from ..._json import JSON, DamagedJSONError
from ..._sealed import Content

EXACT = own_context(1_000, Inexact)
_PRICED_BY_ITEMS = "transactions.create"
"""The operation whose amount is the sum of the prices of the items in the request, if the request has items."""
_TAX_INCLUDED = {"taxIncluded": "tax_included", "amount_includes_tax": "amount_includes_tax"}
"""The wire names and the SDK names of the fields that indicate whether the amount includes tax."""
_DIVIDED = ("items", "refund_items")


@dataclass(frozen=True, slots=True)
class Charged:
    """The amount of an item.

    Attributes:
        amount: The amount with all its digits, or `None` if the amount can't be counted toward the amount limit.
        currency: The currency code, or `None` if `amount` is `None`.
        why: The reason why `amount` is `None`; otherwise, an empty string.
    """

    amount: str | None = None
    currency: str | None = None
    why: str = ""


class _UncountedError(Exception):
    """The amount of a request can't be counted toward the amount limit. The error message contains the reason."""


def charged(operation: str, body: Content | None) -> Charged:
    """Return the amount that a request charges or refunds.

    Args:
        operation: The SDK's name of the operation.
        body: The body as JSON, or `None` if there is no body, for example if a whole transaction is refunded.
    """
    if body is None:
        return Charged(why="the request has no body, and so no amount and currency")
    try:
        fields = json.decode(body.reveal())
    except DamagedJSONError:
        fields = None
    try:
        return _charged(operation, fields if isinstance(fields, dict) else {})
    except _UncountedError as error:
        return Charged(why=str(error))


def amount_of(body: Content | None, operation: str = "") -> tuple[str | None, str | None]:
    """Return the amount and the currency of a request as strings, or `None` for both if `charged` returns no amount."""
    found = charged(operation, body)
    return found.amount, found.currency


def _charged(operation: str, fields: Mapping[str, JSON]) -> Charged:
    amount, currency = fields.get("amount"), fields.get("currency")
    divided = [name for name in _DIVIDED if fields.get(name) is not None and _lines(fields[name]) != []]
    if divided and amount is not None:
        raise _UncountedError(f"{divided[0]} and amount are both set; set only one of them")
    for wire, name in _TAX_INCLUDED.items():
        if fields.get(wire) not in (None, True):
            raise _UncountedError(
                f"{name} isn't true, so tax may be added to the amount; set it to True if the amount includes tax"
            )
    if divided == ["items"] and operation == _PRICED_BY_ITEMS:
        amount = _sum_of(_lines(fields["items"]))
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal) or not isinstance(currency, str):
        raise _UncountedError("the request body has no amount or no currency")
    return Charged(str(amount), currency)


def _lines(value: JSON) -> list[JSON]:
    """Return the items of a list. The list may also be in the field `data` of an object."""
    data = value.get("data") if isinstance(value, dict) else value
    return data if isinstance(data, list) else [data]


def _sum_of(lines: list[JSON]) -> Decimal:
    """Return the sum of price times quantity of all items."""
    try:
        return reduce(EXACT.add, map(_price_of, lines), Decimal(0))
    except ArithmeticError:
        raise _UncountedError("the prices or quantities of the items have too many digits") from None


def _price_of(line: JSON) -> Decimal:
    """Return price times quantity of an item. Raise an error if tax can be added to the item."""
    fields = line if isinstance(line, dict) else {}
    price = _number(fields, "price")
    quantity = Decimal(1) if fields.get("quantity") is None else _number(fields, "quantity")
    discount = Decimal(0) if fields.get("discount") is None else _number(fields, "discount")
    if price is None or quantity is None or discount is None:
        raise _UncountedError("the price of an item is missing, or its price, quantity, or discount isn't a number")
    if _is_negative(price) or _is_negative(quantity):
        raise _UncountedError("the price or the quantity of an item is negative")
    if discount > 0:
        raise _UncountedError("the discount of an item is above 0; write a discount as a negative amount")
    if not str(fields.get("tax_type")).startswith("Inclusive") and fields.get("tax_classification") != "TaxExempt":
        raise _UncountedError(
            "tax may be added to an item; set tax_type='Inclusive Sales' or tax_classification='TaxExempt' in each item"
        )
    return EXACT.multiply(price, quantity)


def _number(fields: Mapping[str, JSON], name: str) -> Decimal | None:
    value = fields.get(name)
    return Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None


def _is_negative(number: Decimal) -> bool:
    return number.is_signed() and number != 0
