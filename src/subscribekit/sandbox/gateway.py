"""Handlers of the gateway's operations (E5 to E8).

For the gateway, the specification defines the paths, the bodies, the lengths, the formats of the B3 headers, and the
error codes. The specification says that a cancellation (E7) sets the status `CANCELLED`, and that entitlement charges
(E8) are only for subscriptions that the platform manages. The specification also defines the `originalTransactionId` of
a refund.

The sandbox assumes the HTTP status of each error code of the gateway. The sandbox assumes that a cancellation (E7) or
an entitlement charge (E8) returns the error `invalid-request` for the wrong type of partner subscription. The sandbox
assumes that `campaigns.activate` (E5) returns the error `invalid-request` for a campaign that can't be used. The
sandbox assumes that the gateway returns the unchanged record if a partner subscription is canceled again. In the
sandbox, `campaigns.activate` (E5) only checks the campaign, and changes nothing.

The sandbox records every charge, because the sources don't document whether the service ignores a repeated
`transactionId`.
"""

from __future__ import annotations

from .billing.presenters import envelope, plan_history
from .billing.rules.redemption import usable
from .http.call import Call
from .http.responses import Reply, coded_refusal, invalid, present
from .store import RecordedCharge
from .values import Document, amount, read_boolean, read_timestamp, text

MAX_PATH_ID = 36
MAX_PARTNER_CODE = 32
PARTNER_CODE_HEADER = "x-partner-code"
HISTORY_FLAG = "include_billing_plan_history"

_CHARGE_LENGTHS = {"transactionId": 128, "productCode": 128, "currency": 3, "originalTransactionId": 128}


def activate_campaign(call: Call) -> Reply:
    """Check whether a campaign can be used (E5)."""
    campaign = present(call.store["campaigns"].find(call.params["campaign"]), "campaign")
    if not usable(campaign, call.now):
        raise invalid("campaign", "the campaign isn't active, or its offer period hasn't started or has ended")
    return Reply(call.show(campaign))


def retrieve_subscription(call: Call) -> Reply:
    """Return a subscription (E6)."""
    call.check_trace()
    if len(call.request.headers.get(PARTNER_CODE_HEADER, "")) > MAX_PARTNER_CODE:
        raise invalid(PARTNER_CODE_HEADER, f"must have at most {MAX_PARTNER_CODE} characters")
    wants_history = read_boolean(call.query.get(HISTORY_FLAG, "0"))
    if wants_history is None:
        raise invalid(HISTORY_FLAG, "must be a boolean")
    subscription = present(call.store["subscriptions"].find(call.params["id"]), "subscription")
    shown = call.show(subscription)
    if wants_history:
        shown["billing_plan_history"] = envelope(call.show(entry) for entry in plan_history(subscription))
    return Reply(shown)


def cancel_partner_subscription(call: Call) -> Reply:
    """Cancel a partner subscription of type BILLING (E7)."""
    call.check_trace()
    _check_path_id(call)
    found = call.store.partner_subscriptions.get(call.params["id"])
    record = present(found, "partner subscription", "partner-subscription-not-found")
    if text(record, "type") != "BILLING":
        raise invalid("type", "only a partner subscription of type BILLING can be canceled")
    if text(record, "billingStatus") != "CANCELLED":
        record["billingStatus"] = "CANCELLED"
        record["updatedDate"] = call.now
    return Reply(call.show(record))


def charge_entitlement(call: Call) -> Reply:
    """Record an entitlement charge or refund (E8)."""
    call.check_trace()
    _check_path_id(call)
    body = call.fields()
    _check_charge(body)
    record = present(call.store.partner_subscriptions.get(call.params["id"]), "partner subscription")
    if text(record, "type") != "ENTITLEMENT":
        raise invalid("type", "only a partner subscription of type ENTITLEMENT can be charged")
    receipt = call.store.new_receipt()
    call.store.entitlement_charges.append(RecordedCharge(text(record, "id"), receipt, body, call.now))
    return Reply({"transactionReferenceId": receipt})


def _check_charge(body: Document) -> None:
    wrong: list[tuple[str, str]] = []
    for name, longest in _CHARGE_LENGTHS.items():
        value = body.get(name)
        if value is not None and (not isinstance(value, str) or len(value) > longest):
            wrong.append(("invalid-field", f"{name} must be a string of at most {longest} characters"))
    wrong.extend(
        ("invalid-field", f"{name} must be a number")
        for name in ("amount", "taxAmount")
        if body.get(name) is not None and amount(body, name) is None
    )
    if body.get("taxIncluded") is not None and not isinstance(body.get("taxIncluded"), bool):
        wrong.append(("invalid-field", "taxIncluded must be a boolean"))
    if body.get("chargeDate") is not None and read_timestamp(body.get("chargeDate")) is None:
        wrong.append(("invalid-field", "chargeDate must be a date-time"))
    charged = amount(body, "amount")
    if charged is not None and charged < 0 and not text(body, "originalTransactionId"):
        wrong.append(("missing-field", "a refund needs originalTransactionId"))
    if wrong:
        raise coded_refusal("invalid-request", "the request is not valid", *wrong)


def _check_path_id(call: Call) -> None:
    if len(call.params["id"]) > MAX_PATH_ID:
        raise invalid("id", f"must have at most {MAX_PATH_ID} characters")
