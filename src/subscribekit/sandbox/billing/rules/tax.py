"""Sales tax by a flat rate, and the closing line of a charge.

Observed: a closing line `Total Tax` of price 0 whose total is the tax that the other lines hold; a line's total is its
subtotal, its discount and its tax; a refund's line comes behind. Not computed: what the service's tax
engine would say. The rate is the sandbox's own setting, one percentage for a country, on top of the price.
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
    """Return country and percentage for a subscription or transaction."""
    owner = link(document, "account")
    address = nested(document, "shipping_address")
    if not address and owner is not None:
        address = tax_address(store, owner, method or method_of(store, document))
    country = text(address, "country")
    return country, settings.tax_percent.get(country, ZERO)


def closed(lines: list[Document], rate: Rate) -> list[Document]:
    """Return the lines of a charge with their tax and the closing tax line, numbered from 1."""
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
    """Return the tax that the total of a line holds."""
    return sum((amount(one, "amount") or ZERO for one in documents(made, "tax")), ZERO)


def tax_total(lines: list[Document]) -> Decimal:
    """Return the tax of a charge: the total of its closing line."""
    return sum((amount(made, "total") or ZERO for made in lines if text(made, "sku") == TOTAL_TAX), ZERO)


def _add_tax(made: Document, country: str, percent: Decimal) -> None:
    if text(made, "tax_classification") == "TaxExempt":
        return
    total, is_contained = amount(made, "total") or ZERO, text(made, "tax_type").startswith("Inclusive")
    tax = cents(total * percent / (100 + percent if is_contained else 100))
    if tax:
        told = {"external_tax_name": f"{country} TAX", "external_jurisdiction_name": country}
        made["tax"] = [_tax_item(country, tax) | told | {"tax_rate": percent / 100}]
        made["total"] = total if is_contained else total + tax


def _tax_item(country: str, tax: Decimal) -> Document:
    return {"object": "TaxItem", "jurisdiction": f"COUNTRY_{country}", "name": f"{country} SALES TAX", "amount": tax}
