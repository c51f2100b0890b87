"""Computes sales tax by a flat rate for each country, and adds the tax line of a charge.

In the published samples, the last line of a charge is `Total Tax`, with the price 0. The total of the `Total Tax` line
is the tax of all other lines. Except for `Total Tax`, the total of a line is the sum of its subtotal, its discount, and
its tax. A refund adds a line after the `Total Tax` line.

The sandbox doesn't simulate the service's tax engine. The setting `tax_percent` contains one tax percentage for each
country. The sandbox adds the tax to the price, unless the line's `tax_type` starts with `Inclusive`.
"""

from __future__ import annotations

from decimal import Decimal

from ...settings import Settings
from ...store import Store
from ...values import Document, amount, documents, link, nested, text
from .ledger import method_of, tax_address
from .pricing import TOTAL_TAX, ZERO, cents, line

Rate = tuple[str, Decimal]


def rate_of(store: Store, settings: Settings, document: Document, method: Document | None = None) -> Rate:
    """Return the country and the tax percentage for a subscription or transaction."""
    owner = link(document, "account")
    address = nested(document, "shipping_address")
    if not address and owner is not None:
        address = tax_address(store, owner, method or method_of(store, document))
    country = text(address, "country")
    return country, settings.tax_percent.get(country, ZERO)


def closed(lines: list[Document], rate: Rate) -> list[Document]:
    """Add the tax to each line of a charge, add a last line for the total tax, and number the lines from 1."""
    country, percent = rate
    if percent:
        for made in lines:
            _add_tax(made, country, percent)
    taxed = sum((tax_in(made) for made in lines), ZERO)
    closing = line(TOTAL_TAX, TOTAL_TAX, ZERO, 1, tax_classification="TaxExempt")
    closing |= {"total": taxed, **{name: lines[0][name] for name in _PERIOD if lines and name in lines[0]}}
    if taxed:
        closing["tax"] = [_tax_item(country, taxed)]
    return numbered([*lines, closing])


_PERIOD = ("service_period_starts", "service_period_ends")


def numbered(lines: list[Document]) -> list[Document]:
    """Number the lines of a charge from 1."""
    for index, made in enumerate(lines, 1):
        made["index_number"] = index
    return lines


def tax_in(made: Document) -> Decimal:
    """Return the tax that is included in the total of a line."""
    return sum((amount(one, "amount") or ZERO for one in documents(made, "tax")), ZERO)


def tax_total(lines: list[Document]) -> Decimal:
    """Return the tax of a charge, which is the total of the charge's `Total Tax` line."""
    return sum((amount(made, "total") or ZERO for made in lines if text(made, "sku") == TOTAL_TAX), ZERO)


def _add_tax(made: Document, country: str, percent: Decimal) -> None:
    if text(made, "tax_classification") == "TaxExempt":
        return
    total, is_included = amount(made, "total") or ZERO, text(made, "tax_type").startswith("Inclusive")
    tax = cents(total * percent / (100 + percent if is_included else 100))
    if tax:
        names = {"external_tax_name": f"{country} TAX", "external_jurisdiction_name": country}
        made["tax"] = [_tax_item(country, tax) | names | {"tax_rate": percent / 100}]
        made["total"] = total if is_included else total + tax


def _tax_item(country: str, tax: Decimal) -> Document:
    return {"object": "TaxItem", "jurisdiction": f"COUNTRY_{country}", "name": f"{country} SALES TAX", "amount": tax}
