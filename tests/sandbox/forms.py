"""Checks that every response of the sandbox has the keys of its kind, and that its sums are consistent."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

# This table is independent of the sandbox's own table, because the tests compare the two.
KEYS = {
    "Account": {"vid", "created"},
    "Address": {"vid"},
    "BillingPlanPeriod": {"type", "quantity", "cycles", "do_not_notify_first_bill"},
    "CreditCard": {"vid", "account", "last_digits", "last_au_request_date", "last_update_date", "au_response_code"},
    "DirectDebit": {"account", "last_digits", "account_length", "rib_code"},
    "DiscountTicket": {"campaign_id", "added_date", "start_billing_sequence", "metadata"},
    "Invoice": {"id", "billing_service_period_end", "invoice_tax_items", "invoice_payments"},
    "InvoiceItem": {"index_number", "item_added", "item_removed", "item_serviceperiod_end", "tax_classification"},
    "Mandate": {"created", "identifier", "status"},
    "MerchantAcceptedPayment": {"amount", "created", "last_digits"},
    "PaymentMethod": {"vid", "created", "type", "primary", "active"},
    "SubscriptionItem": {"vid"},
    "TransactionItem": {"sku", "item_type", "name", "quantity", "tax_classification", "tax_type", "total"},
    "TransactionStatus": {"status", "created", "payment_method_type"},
    "TransactionStatusCreditCard": {"auth_code", "avs_code", "cvn_code"},
    "TransactionStatusPayPal": {"token", "auth_code"},
}
_REFERENCE = {"object", "id", "vid"}
_ONLY_SPECIFIED = {"Transaction": {"status", "to_be_captured", "billing_attempt"}, "CreditCard": {"hash_type"}}
_STATUS_OF = {"CreditCard": "credit_card_status", "DirectDebit": "direct_debit_status", "PayPal": "paypal_status"}


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a response."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(one)


def check(body: Any, *, published: bool) -> None:
    """Fail if an object in a response lacks a key of its kind, or if sums or counts are inconsistent."""
    for one in objects(body):
        kind = one.get("object", "")
        if set(one) <= _REFERENCE and kind != "Address":
            continue
        assert KEYS.get(kind, set()) <= set(one), (kind, KEYS[kind] - set(one))
        if published:
            assert _ONLY_SPECIFIED.get(kind, set()).isdisjoint(one)
        if kind == "List" and "url" not in one:
            assert one["total_count"] == len(one["data"])
        elif kind == "Transaction" and "items" in one:
            _check_lines(one)
        elif kind == "Invoice":
            _check_invoice(one)
        elif kind == "TransactionStatus" and one["status"] != "Pending":
            assert _STATUS_OF.get(one["payment_method_type"], "object") in one or "note" not in one


def _tax(line: dict[str, Any]) -> Decimal:
    return sum((item["amount"] for item in line.get("tax", {"data": []})["data"]), Decimal(0))


def _check_lines(transaction: dict[str, Any]) -> None:
    lines = transaction["items"]["data"]
    own = [line for line in lines if line["sku"] != "Total Tax"]
    if lines:
        assert transaction["amount"] == sum((line["total"] for line in own), Decimal(0))
    for line in own:
        if "price" in line:
            assert line["total"] == line["subtotal"] + line["discount"] + _tax(line)
        else:
            assert line["total"] == 0
    if "id" in transaction:
        assert [line["index_number"] for line in lines] == list(range(1, len(lines) + 1))
        for line in lines:
            if line["sku"] == "Total Tax":
                assert line["total"] == _tax(line) == sum(map(_tax, own), Decimal(0))


def _check_invoice(invoice: dict[str, Any]) -> None:
    lines = [*invoice["invoice_line_items"]["data"], *invoice["invoice_tax_items"]["data"]]
    assert [line["index_number"] for line in lines] == list(range(len(lines)))
    assert invoice["tax_charges_total"] == sum(
        (line["unit_amount"] for line in invoice["invoice_tax_items"]["data"]), Decimal(0)
    )
    due = invoice["gross_charges_total"] + invoice["tax_charges_total"] - invoice["credit_total"]
    assert due == invoice["payments_received_total"] + invoice["invoice_balance"]
