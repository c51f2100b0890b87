"""Handlers for campaigns: the update (E2), and the published operations to list, create, and retrieve campaigns.

The specification defines E2 and the sets of values. A campaign has either a percentage discount or flat discounts. An
update replaces the aliases. Numbers that are sent as strings, and 1 or 0 for a Boolean, are returned as numbers and
Booleans.

A new campaign is `Pending`, according to the operator's help.
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
        raise billing_refusal(400, "Send either percentage_discount or flat_amount_discounts, not both.")
