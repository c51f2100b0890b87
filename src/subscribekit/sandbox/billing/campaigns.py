"""Handlers for campaigns: the update (E2), and the published operations to list, create, and retrieve campaigns.

The specification defines the update of campaigns and the values of their enumerated fields. A campaign has either a
percentage discount or flat discounts. An update replaces all code aliases of a campaign.
If a request contains a number as a string, or a Boolean as 1 or 0, the response contains a number or a Boolean.

According to the operator's help, the state of a new campaign is `Pending`.
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
