"""Writes the table of `docs/sandbox-assumptions.md` with the keys of the sandbox's responses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sandbox.wire import Wire
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.settings import Responses

from . import refusals, sets

# The keys that every published sample of a kind has. The samples are from 2017 to 2020, and those of cards from 2018 or
# later. Some kinds have different keys in different places.
_BILLING = (
    "id vid created amount currency account status_log items subscription_sequence billing_plan_sequence subscription"
)
PUBLISHED = {
    "Account": "id vid created email_type",
    "Address": "vid",
    "BillingPlan": "id vid created status periods used_on_subscriptions",
    "BillingPlanHistory": "billing_plan starts",
    "BillingPlanPeriod": "type quantity cycles do_not_notify_first_bill",
    "CreditCard": "vid account bin last_digits account_length expiration_date last_au_request_date last_update_date",
    "CurrencyAmount": "vid currency amount granted_by_cashbox granted source",
    "DirectDebit": "account last_digits account_length rib_code",
    "DiscountTicket": "added_date start_billing_sequence campaign_id metadata",
    "Invoice": "id billing_service_period_start billing_service_period_end due_date invoice_date status "
    "invoice_currency invoice_balance gross_charges_total tax_charges_total credit_total payments_received_total "
    "invoice_line_items invoice_tax_items invoice_payments account subscription billing_sequence",
    "InvoiceItem": "index_number type sku description quantity unit_amount tax_classification item_added item_removed "
    "item_serviceperiod_start item_serviceperiod_end",
    "Mandate": "created identifier status",
    "MerchantAcceptedPayment": "amount created payment_type",
    "PayPal": "reference_id",
    "PaymentMethod": "id vid created type primary active",
    "Product": "id vid created descriptions status prices",
    "Refund": "id vid created transaction refund_distribution_strategy amount amount_includes_tax currency "
    "token_action status",
    "RefundItem": "transaction_item_index_number sku description amount tax_only",
    "Subscription": "id vid created account billing_plan currency status billing_state starts ends entitled_through "
    "items billing_day notify_on_transition balance",
    "SubscriptionItem": "vid index product quantity created starts",
    "SubscriptionItemHistory": "action created",
    "Transaction of a billing": _BILLING,
    "Transaction of one time": "id vid created amount currency account source_payment_method status_log "
    "payment_processor payment_processor_transaction_id items sales_tax_address score score_codes",
    "Transaction, next_billing": "created amount currency items",
    "TransactionItem": "sku index_number item_type name quantity tax_type total",
    "TransactionItem, next_billing": "sku item_type name quantity tax_type total",
    "TransactionItemRefundSummary": "created amount tax tax_only refund",
    "TransactionStatus": "status created payment_method_type",
    "TransactionStatusCreditCard": "auth_code",
    "TransactionStatusDirectDebit": "",
    "TransactionStatusPayPal": "token auth_code redirect_url",
}
_REFERENCE = {"object", "id", "vid"}
_CARD = {"type": "CreditCard", "credit_card": {"account": "4111111111111129", "expiration_date": "203112"}}
_MANDATE = {"vin:MandateFlag": 1}


def sample(wire: Wire) -> Iterator[Any]:
    """Yield the responses to one call of each kind, in the order in which a merchant makes them."""

    def order(key: str, account: str, product: str = "prod-basic", **more: object) -> dict[str, object]:
        items = [{"product": {"id": product}, "campaign_code": more.pop("code", "")}]
        return {"id": key, "account": {"id": account}, "items": items} | more

    address = {"line1": "1 Main Street", "city": "Austin", "country": "US"}
    yield wire.made("/payment_methods", {**_CARD, "id": "pm-1", "billing_address": address})
    yield wire.made("/payment_methods/pm-1", {"account_holder": "A"})
    cash = {
        "type": "MerchantAcceptedPayment",
        "merchant_accepted_payment": {"account": "cash-1", "payment_type": "Cash"},
    }
    yield wire.made("/payment_methods", {**cash, "id": "pm-2"})
    yield wire.made("/accounts/acct-0010/credits", {"currency_amounts": [{"currency": "USD", "amount": 2}]})
    yield wire.made("/subscriptions", order("s1", "acct-0009", code="SUMMER"))
    yield wire.made("/subscriptions", order("s2", "acct-0021", metadata=_MANDATE))
    yield wire.made("/subscriptions", order("s3", "acct-0024"))
    yield wire.made("/subscriptions", order("s4", "acct-0010", "prod-premium"))
    body = {"id": "t1", "account": {"id": "acct-0011"}, "to_be_captured": True}
    yield wire.made("/transactions", {**body, "items": [{"sku": "one", "name": "One", "price": 5, "quantity": 1}]})
    wire.sandbox.advance(hours=1)
    yield wire.made("/transactions/t1/refunds", {"amount": 1})
    change = {"items": [{"product": {"id": "prod-addon"}}], "billing_plan": {"id": "plan-annual"}}
    yield wire.made("/subscriptions/s1", change, {"effective_date": "today", "bill_prorated_period": 1})
    yield wire.made("/subscriptions/s4", {"billing_plan": {"id": "plan-annual"}}, {"effective_date": "nextBill"})
    yield wire.made("/subscriptions/s1/actions/cancel", None, {"disentitle": 1, "settle": 1})
    wire.sandbox.advance(days=40)
    for path in (
        "accounts", "accounts/acct-0001/children", "billing_plans", "campaigns", "entitlements", "invoices",
        "payment_methods", "payments", "products", "refunds", "subscriptions", "transactions",
        "subscriptions/s1/billing_plan_history", "subscriptions/s1/subscription_item_history",
    ):  # fmt: skip
        yield wire.good(f"/{path}", {} if path.endswith("history") else {"limit": 100})


def _placed(value: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, list):
        for one in value:
            yield from _placed(one, place)
    if not isinstance(value, dict):
        return
    kind = value.get("object", "")
    if kind == "Transaction":
        place = "next_billing" if "vid" not in value else "billing" if "subscription" in value else "one time"
        kind = {"next_billing": "Transaction, next_billing"}.get(place, f"Transaction of a {place}")
        kind = kind.replace("of a one", "of one")
    elif kind == "TransactionItem" and place == "next_billing":
        kind = "TransactionItem, next_billing"
    if kind not in {"", "List", "Boolean"} and (not set(value) <= _REFERENCE or kind == "Address"):
        yield kind, value
    for name, one in value.items():
        if name != "metadata":
            yield from _placed(one, place)


def seen(responses: Responses) -> dict[str, Counter[str]]:
    """Count the keys of each kind. The count of the empty key is the number of objects of the kind."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for body in sample(Wire(Sandbox(responses=responses))):
        for kind, value in _placed(body):
            found[kind].update({"", *value} - {"object"})
    return found


def agreeing(keys: Counter[str], kind: str) -> tuple[int, int]:
    """Return the number of published keys that the sandbox always returns, and the number of published keys."""
    wanted = PUBLISHED.get(kind, "").split()
    return sum(keys[name] == keys[""] for name in wanted), len(wanted)


def table() -> str:
    """Return the table."""
    specified, published = seen("specification"), seen("published")
    lines = ["| Object | Published keys returned | Always | Sometimes | Only specification | Only published |"]
    lines.append("|---|---|---|---|---|---|")
    good = of = 0
    for kind in sorted(specified):
        specified_keys, keys = specified[kind], published[kind]
        agree, wanted = agreeing(keys, kind)
        good, of = good + agree, of + wanted
        always = {
            name for name in specified_keys if specified_keys[name] == specified_keys[""] and keys[name] == keys[""]
        }
        cells = (
            f"{agree} of {wanted}" if kind in PUBLISHED else "none compared",
            _names(always),
            _names((set(specified_keys) & set(keys)) - always),
            _names(set(specified_keys) - set(keys)),
            _names(set(keys) - set(specified_keys)),
        )
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    number = f"all {of}" if good == of else f"{good} of the {of}"
    sums = f"the sandbox always returns {number} published keys."
    return "\n".join([f'With `responses="published"`, {sums}', "", *lines, ""])


def _names(found: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(found) if name)


def page(path: Path) -> str:
    """Return a page with the current tables between their marks."""
    text = path.read_text(encoding="utf-8")
    for name, made in (("responses", table()), ("sets", sets.table()), ("refusals", refusals.table())):
        begin, end = f"<!-- {name}: made by pages -->\n", f"<!-- {name}: end -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{made}\n{end}{rest.partition(end)[2]}"
    return text
