"""Bills a subscription: creates the first charge and the later charges, with their transactions and invoices.

The published samples contain the statuses of a subscription after its first charge for each kind of payment method, and
the ID of an invoice. In the published samples, `ends` is the end of the last day of the grace period. The grace period
starts at the time of the next bill. The operator has published the policy `validate_for_future_payment`, which requests
a validation of the payment method if nothing is due. According to the operator's help, if a later charge is declined,
the subscription stays `Active`, and its billing state is `In Retry`.

The sandbox assumes that the service creates nothing if the validation of a payment method fails. The sandbox assumes
that after a trial of days or weeks, the day of the first bill becomes the billing day. A billing day in the request
takes precedence over the day of the first bill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from ...http.responses import billing_refusal
from ...settings import Settings
from ...store import Store
from ...values import (
    Document,
    Link,
    amount,
    copied,
    documents,
    end_of_day,
    later,
    link,
    nested,
    read_boolean,
    start_of_day,
    text,
    timestamp,
    value_list,
    whole,
)
from .credit import SKU, credit_used, spend
from .ledger import DIVISION, declines, ignored_checks, method_of, new_transaction, processor_of
from .pricing import TOTAL_TAX, ZERO, charge_lines, is_of_days, period_at, period_end, serving, total
from .rating import bill_usage
from .tax import closed, rate_of, tax_total

REDIRECT = "https://approval.sandbox.invalid/?vindicia_vid="
PAID = ("New", "Authorized", "Captured")
LATER_METHODS = frozenset({"MerchantAcceptedPayment", "DirectDebit"})
RETRY_POLICIES = frozenset({"putAutoBillInRetryCycle", "putAutoBillInRetryCycleIfPaymentMethodIsValid"})


@dataclass(frozen=True)
class _Outcome:
    statuses: tuple[str, ...]
    status: str
    billing_state: str
    paid: bool


def plan_of(store: Store, subscription: Document) -> Document:
    """Return the billing plan of a subscription."""
    return store.follow(link(subscription, "billing_plan")) or {}


def open_billing(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:
    """Make the first charge of a subscription.

    Reject the request if a necessary payment method is missing, or if the charge is declined and the policy of the
    subscription doesn't allow retries.
    """
    method = method_of(store, subscription)
    lines, credit = _lines(store, subscription, at, settings)
    due = total(lines)
    outcome = _first_outcome(subscription, method, due)
    refused, waits = outcome.billing_state == "In Retry", outcome.billing_state == "Pending Acceptance"
    subscription["_period_start"] = at
    advance_period(store, subscription, at, settings, entitles=not refused)
    transaction = charge(store, subscription, lines, at, outcome.statuses, settings, credit)
    if waits:
        subscription.pop("_next")
        _redirect(transaction)
    subscription["status"] = outcome.status
    subscription["billing_state"] = outcome.billing_state
    subscription["balance"] = ZERO if outcome.paid or waits else due
    if refused:
        _entitle_through(subscription, end_of_day(later(at, timedelta(days=settings.grace_days)).date()))
        subscription["_retry"] = later(at, timedelta(days=settings.retry_days))
    make_invoice(store, subscription, transaction, lines, at, paid=outcome.paid)


def _redirect(transaction: Document) -> None:
    for entry in documents(transaction, "status_log"):
        nested(entry, "paypal_status")["redirect_url"] = REDIRECT + text(transaction, "vid")


def refuse_unusable(subscription: Document, method: Document | None) -> None:
    """Reject a payment method that would be declined, if the subscription's policy requests a validation."""
    validates = read_boolean(nested(subscription, "_policy").get("validate_for_future_payment"))
    if validates is True and declines(method):
        raise billing_refusal(402, "The payment method could not be validated.")


def _first_outcome(subscription: Document, method: Document | None, due: Decimal) -> _Outcome:
    kind = text(method or {}, "type")
    if method is None:
        if due > 0:
            raise billing_refusal(400, "A subscription with an amount to pay needs a payment method.")
        return _Outcome(("New", "Captured"), "Active", "Free Period", paid=True)
    if due == 0:
        refuse_unusable(subscription, method)
        return _Outcome(PAID, "Active", "Good Standing", paid=True)
    if kind == "PayPal":
        return _Outcome(("New", "AuthorizationPending"), "Pending Activation", "Pending Acceptance", paid=False)
    if kind == "DirectDebit":
        return _Outcome(("New",), "Processing", "Unbilled", paid=False)
    if kind == "MerchantAcceptedPayment":
        return _Outcome(("New",), "Active", "Good Standing", paid=False)
    if declines(method):
        policy = text(nested(subscription, "_policy"), "immediate_auth_failure_policy")
        if policy not in RETRY_POLICIES:
            raise billing_refusal(402, "The payment method could not be authorized.")
        return _Outcome(("New", "Cancelled"), "Active", "In Retry", paid=False)
    return _Outcome(PAID, "Active", "Good Standing", paid=True)


def bill_again(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:
    """Charge a subscription for a billing period after the first, when the charge is due."""
    method = method_of(store, subscription)
    lines, credit = _lines(store, subscription, at, settings)
    due = total(lines)
    unpaid = due > 0 and text(method or {}, "type") in LATER_METHODS
    refused = due > 0 and (method is None or declines(method))
    statuses = ("New",) if unpaid else ("New", "Cancelled") if refused else PAID
    subscription["_period_start"] = at
    advance_period(store, subscription, at, settings, entitles=not refused)
    transaction = charge(store, subscription, lines, at, statuses, settings, credit)
    if not unpaid:
        subscription["billing_state"] = "In Retry" if refused else "Good Standing"
    if refused:
        subscription["_retry"] = later(at, timedelta(days=settings.retry_days))
    if unpaid or refused:
        subscription["balance"] = (amount(subscription, "balance") or ZERO) + due
    make_invoice(store, subscription, transaction, lines, at, paid=not (unpaid or refused))


def retry(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:
    """Retry a declined charge. If the grace period is over, stop retrying."""
    method = method_of(store, subscription)
    ends = timestamp(subscription, "ends")
    if ends is not None and at > ends:
        subscription.pop("_retry", None)
        return
    attempts = whole(subscription, "_attempt") + 1
    due = amount(subscription, "balance") or ZERO
    refused = method is None or declines(method)
    transaction = new_transaction(
        store,
        at,
        settings,
        account=_account(subscription),
        method=method,
        amount=due,
        currency=text(subscription, "currency"),
        statuses=("New", "Cancelled") if refused else PAID,
        subscription=store["subscriptions"].link(subscription),
        original_billing_date=timestamp(subscription, "_period_start"),
        also=_of_billing(store, subscription, attempts),
    )
    if refused:
        subscription["_attempt"] = attempts
        subscription["_retry"] = later(at, timedelta(days=settings.retry_days))
        return
    _recover(store, subscription, transaction, settings)


def _recover(store: Store, subscription: Document, transaction: Document, settings: Settings) -> None:
    subscription.pop("_retry", None)
    subscription.pop("_attempt", None)
    subscription["billing_state"] = "Good Standing"
    subscription["balance"] = ZERO
    entitle(store, subscription, settings)
    for invoice in store["invoices"].referring("subscription", store["subscriptions"].link(subscription)):
        if invoice["status"] == "Due":
            pay_in_full(invoice)
            transaction["_invoice"] = store["invoices"].link(invoice)


def pay_in_full(invoice: Document) -> None:
    """Mark an invoice as paid in full."""
    invoice |= {"status": "Paid", "payments_received_total": invoice["invoice_balance"], "invoice_balance": ZERO}


def finish_approval(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:
    """Start a subscription after the customer's approval."""
    subscription["_billed"] = subscription["_cycle"] = 0
    advance_period(store, subscription, at, settings)
    subscription["status"] = "Active"
    subscription["billing_state"] = "Good Standing"
    subscription["balance"] = ZERO


def advance_period(
    store: Store,
    subscription: Document,
    at: datetime,
    settings: Settings,
    *,
    entitles: bool = True,
) -> None:
    """Increase the number of bills by one, and set the time of the next bill and the end of the service."""
    period = period_at(plan_of(store, subscription), whole(subscription, "_cycle")) or {}
    subscription["_billed"] = whole(subscription, "_billed") + 1
    subscription["_cycle"] = whole(subscription, "_cycle") + 1
    ends = period_end(at, period, whole(subscription, "billing_day", at.day))
    subscription["_next"] = ends
    if is_of_days(period) and subscription.get("_day_chosen") is not True:
        # Set the billing day, so that the bills after a trial of days or weeks are for whole months.
        subscription["billing_day"] = ends.day
    if entitles:
        entitle(store, subscription, settings)


def entitle(store: Store, subscription: Document, settings: Settings) -> None:
    """Set the end of the service to the time of the next bill plus the grace period.

    After the plan's last period, there's no grace period.
    """
    upcoming = timestamp(subscription, "_next")
    if upcoming is None:
        return
    plan = plan_of(store, subscription)
    if period_at(plan, whole(subscription, "_cycle")) is None:
        _entitle_through(subscription, upcoming)
        return
    grace = whole(plan, "grace_period_override", settings.grace_days)
    _entitle_through(subscription, end_of_day(later(upcoming, timedelta(days=grace)).date()))


def _entitle_through(subscription: Document, ends: datetime) -> None:
    subscription["ends"] = ends
    subscription["entitled_through"] = ends


def _account(subscription: Document) -> Link:
    found = link(subscription, "account")
    if found is None:
        raise billing_refusal(400, "A subscription needs an account.")
    return found


def charge(
    store: Store,
    subscription: Document,
    lines: list[Document],
    at: datetime,
    statuses: Sequence[str],
    settings: Settings,
    credit: Document,
    kind: Document | None = None,
) -> Document:
    """Create the transaction of a charge, including the credit that the charge used."""
    return new_transaction(
        store,
        at,
        settings,
        account=_account(subscription),
        method=method_of(store, subscription),
        amount=total(lines),
        currency=text(subscription, "currency"),
        statuses=statuses,
        items=lines,
        credit=credit or None,
        subscription=store["subscriptions"].link(subscription),
        original_billing_date=None if kind else start_of_day(at),
        also=_of_billing(store, subscription, 0, kind),
    )


def _of_billing(store: Store, subscription: Document, attempt: int, kind: Document | None = None) -> Document:
    """Return the transaction fields that the service copies from the subscription, and the fields that it computes."""
    copied_fields: Document = {name: subscription[name] for name in _COPIED if subscription.get(name) is not None}
    items = documents(subscription, "items")
    product = (store.follow(link(items[0], "product")) if items else None) or {}
    described = product.get("billing_descriptor") or plan_of(store, subscription).get("billing_descriptor")
    if described is not None:
        copied_fields.setdefault("billing_descriptor", described)
    cycle = whole(subscription, "_billed") - (0 if kind else 1)
    metadata: Document = {"vin:BillingCycle": str(cycle), "vin:RetryNumber": str(attempt)}
    metadata |= _recurring(store, subscription) if kind is None else kind
    numbers: Document = {
        "division_number": DIVISION,
        "billing_attempt": attempt,
        "subscription_sequence": whole(subscription, "_billed"),
        "billing_plan_sequence": whole(subscription, "_cycle"),
        "metadata": copied(nested(subscription, "metadata")) | metadata,
    }
    return copied(copied_fields) | numbers


_COPIED = ("source_ip", "affiliate", "sub_affiliate", "billing_descriptor", "mandate")


def _recurring(store: Store, subscription: Document) -> Document:
    """Return the metadata of a recurring charge.

    The published samples contain the keys of the metadata, and the format of most values. The sandbox assumes that the
    metadata contains the length and the unit of the billed period. The sandbox assumes that the future amount in the
    metadata is the amount of the next bill, before tax and credit.
    """
    plan, method = plan_of(store, subscription), method_of(store, subscription)
    period = period_at(plan, whole(subscription, "_cycle") - 1) or {}
    metadata: Document = {"vin:recurring": "1", "vin:AutoBillVID": text(subscription, "vid")}
    if period:
        metadata["vin:BillingPlanUnit"] = text(period, "type").lower()
        metadata["vin:BillingPlanLength"] = str(whole(period, "quantity", 1))
    upcoming = timestamp(subscription, "_next")
    if upcoming is not None and period_at(plan, whole(subscription, "_cycle")) is not None:
        metadata["vin:FutureAmount"] = f"{total(charge_lines(store, subscription, upcoming)):f}"
    if method is not None:
        metadata["vin:payment_processor"] = processor_of(method)
    return metadata | ignored_checks(nested(subscription, "_policy"))


def _lines(store: Store, subscription: Document, at: datetime, settings: Settings) -> tuple[list[Document], Document]:
    """Spend credit on a bill, and mark its usage as billed. Return the lines of the bill, and the spent credit."""
    priced = charge_lines(store, subscription, at)
    priced += [serving(one, at, None) for one in bill_usage(store, subscription, at)]
    lines = closed(priced, rate_of(store, settings, subscription))
    return spend(store, subscription, lines)


def make_invoice(
    store: Store, subscription: Document, transaction: Document, lines: list[Document], at: datetime, *, paid: bool
) -> None:
    """Create the invoice of a charge."""
    sequence = whole(subscription, "_billed") - 1
    owed, credit, tax = total(lines), credit_used(lines), tax_total(lines)
    charges = [made for made in lines if text(made, "sku") not in {TOTAL_TAX, SKU}]
    closing = [made for made in lines if text(made, "sku") == TOTAL_TAX]
    listed = [_invoice_line(made, index) for index, made in enumerate([*charges, *closing])]
    invoice = store.add(
        "invoices",
        {
            "id": f"{text(subscription, 'id') or text(subscription, 'vid')}-{sequence:08d}",
            "billing_service_period_start": start_of_day(at),
            "billing_service_period_end": charges[0].get("service_period_ends"),
            "due_date": start_of_day(at),
            "invoice_date": start_of_day(at),
            "status": "Paid" if paid else "Due",
            "invoice_currency": text(subscription, "currency"),
            "invoice_balance": ZERO if paid else owed,
            "gross_charges_total": owed + credit - tax,
            "tax_charges_total": tax,
            "credit_total": credit,
            "payments_received_total": owed if paid else ZERO,
            "invoice_line_items": value_list(listed[:-1]),
            "invoice_tax_items": value_list(listed[-1:]),
            "account": link(subscription, "account"),
            "subscription": store["subscriptions"].link(subscription),
            "billing_sequence": sequence,
        },
    )
    transaction["_invoice"] = store["invoices"].link(invoice)


def _invoice_line(made: Document, index: int) -> Document:
    starts = made.get("service_period_starts")
    shown: Document = {
        "object": "InvoiceItem",
        "index_number": index,
        "type": "RecurringCharge",
        "sku": text(made, "sku"),
        "description": text(made, "name"),
        "quantity": made["quantity"],
        "unit_amount": made["price"],
        "tax_classification": made.get("tax_classification"),
        "item_added": starts,
        "item_serviceperiod_start": starts,
        "item_serviceperiod_end": made.get("service_period_ends"),
    }
    if text(made, "sku") == TOTAL_TAX:
        tax: Document = {"type": "Tax", "sku": "VIN_SALES_TAX", "description": "Sales Tax Total"}
        shown |= tax | {"unit_amount": made["total"]}
    for name, found in (("billing_plan", made.get("_plan")), ("subscription_item", made.get("subscription_item"))):
        if found is not None:
            shown[name] = found
    return shown
