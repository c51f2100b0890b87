"""Redeems campaign codes for subscriptions.

According to the operator's help, a campaign code must exist, apply to the product or plan, and be redeemed within the
offer period of the campaign. A coupon campaign has many generated codes, and in the sandbox, each code can be redeemed
once. The operator's help says that a promotion can't be used twice on one subscription, but the sandbox doesn't check
this limit.

The sandbox assumes that the service returns 400 if a code can't be redeemed.
"""

from __future__ import annotations

from datetime import datetime

from ...http.responses import billing_refusal
from ...store import Store
from ...values import Document, documents, is_within, keys_of, text, value_list


def redeem(store: Store, code: str, at: datetime, *, eligible: str, target: Document) -> str:
    """Redeem a code for a product or plan, and return the ID of the code's campaign.

    Args:
        store: The store that contains the campaigns.
        code: A promotion code, an alias, or a generated coupon code.
        at: The time of the redemption.
        eligible: The name of the campaign's field with the eligible products or plans: `products` or `billing_plans`.
        target: The product or plan that the code is redeemed for.
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
    """Return whether a campaign is active, and `at` is within the offer period of the campaign."""
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
