"""Campaigns (E2 and the published list, create and read).

Specified: E2, the enumerations, percentage and flat discounts exclude each other, aliases are replaced and not
added, numbers as texts and 1/0 booleans come back as numbers and booleans. Assumed: a new campaign is `Pending`, as
the operator's help says.
"""

from __future__ import annotations

from ..http.call import Call
from ..http.responses import Reply, billing_refusal
from ..values import Document
from .resources import fresh, in_path, merge, refuse_duplicate, reply_with


def update(call: Call) -> Reply:
    """Update a campaign (E2)."""
    campaign = in_path(call, "campaigns", "campaign")
    body = call.body("Campaign")
    _refuse_both_discounts(body)
    if body.get("percentage_discount") is not None:
        campaign.pop("flat_amount_discounts", None)
    if body.get("flat_amount_discounts"):
        campaign.pop("percentage_discount", None)
    merge(campaign, body)
    return reply_with(call, campaign)


def create(call: Call) -> Reply:
    """Create a campaign."""
    body = call.body("Campaign")
    _refuse_both_discounts(body)
    refuse_duplicate(call.store["campaigns"], body)
    made: Document = {"state": "Pending", "stackability": "Stackable", **fresh(call, body)}
    return reply_with(call, call.store.add("campaigns", made))


def _refuse_both_discounts(body: Document) -> None:
    if body.get("percentage_discount") is not None and body.get("flat_amount_discounts"):
        raise billing_refusal(400, "percentage_discount and flat_amount_discounts exclude each other.")
