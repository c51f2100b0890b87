"""Redeeming campaign codes on subscriptions.

Observed (the operator's help): a code must be right, fit the product or plan, be inside the offer window, and a
promotion is not used twice on one subscription; a coupon is one of many generated codes, here each good for one
redemption. Assumed: a code that cannot be redeemed is a 400.
"""

from __future__ import annotations

from datetime import datetime

from ...http.responses import billing_refusal
from ...store import Store
from ...values import Document, documents, is_within, keys_of, text, value_list


def redeem(store: Store, code: str, at: datetime, *, eligible: str, target: Document) -> str:
    """Redeem a code for a product or plan, and return the id of its campaign.

    Args:
        store: Where the campaigns are.
        code: A promotion code, an alias, or a generated coupon code.
        at: The time of the redemption.
        eligible: The field of the campaign that lists what it applies to: `products` or `billing_plans`.
        target: The product or plan.
    """
    campaign = _holder(store, code)
    if campaign is None or not usable(campaign, at):
        raise billing_refusal(400, "The campaign code cannot be redeemed.")
    allowed = [*documents(campaign, eligible), *documents(campaign, f"eligible_{eligible}")]
    keys = keys_of(target)
    if allowed and not any(keys & keys_of(one) for one in allowed):
        raise billing_refusal(400, "The campaign code does not apply to this product or plan.")
    coupons = _texts(campaign, "_codes")
    if code in coupons:
        campaign["_codes"] = value_list(one for one in coupons if one != code)
    return text(campaign, "id") or text(campaign, "vid")


def usable(campaign: Document, at: datetime) -> bool:
    """Tell whether a campaign is active and inside its offer window."""
    return text(campaign, "state") == "Active" and is_within(campaign, at, "offer_start_date", "offer_end_date")


def _holder(store: Store, code: str) -> Document | None:
    for campaign in store["campaigns"]:
        listed = (*_texts(campaign, "promotion_code_aliases"), *_texts(campaign, "_codes"))
        if code in {text(campaign, "promotion_code"), *listed}:
            return campaign
    return None


def _texts(campaign: Document, name: str) -> list[str]:
    value = campaign.get(name)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
