"""Discounts that customers redeem: coupons and promotions."""

from decimal import Decimal
from typing import Literal

from pydantic import ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from ._base import ConventionalModel, Model
from ._context import READING
from ._lists import Many, ModelList
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Integer, MoneyField, Text, Timestamp
from .billing import BillingPlan, Credit, Product
from .enumerations import CampaignDiscountMethod, CampaignState, CampaignType, PeriodLength, Stackability


class FlatAmountDiscount(Model):
    """A discount of a fixed amount in one currency."""

    currency: Text | None = None
    """Currency code."""
    amount: MoneyField = ABSENT
    """Amount taken off."""


class CampaignCoupon(Model):
    """A batch of coupon codes."""

    object: Text | None = None
    """Resource type; its value is not shown."""
    id: Identifier | None = None
    """Identifier of the batch."""
    index: Integer | None = None
    """Position of the batch."""
    expires: Timestamp | None = None
    """When its codes expire."""
    max_redemptions: Integer | None = None
    """How often a code may be redeemed."""
    codes_requested: Integer | None = None
    """Number of codes asked for."""
    codes_generated: Integer | None = None
    """Number of codes made."""
    coupon_prefix: Text | None = None
    """Prefix of the codes."""
    coupon_code_separator: Text | None = None
    """Separator between prefix and code."""
    requires_activation_before_use: bool | None = None
    """Whether a code has to be activated before it is used."""
    on_demand_codes_allowed: bool | None = None
    """Whether codes may be made on demand."""


class Campaign(Model):
    """A discount, by percentage or by amount, on products or billing plans."""

    object: Literal["Campaign"] = "Campaign"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller; without one, `vid` identifies the campaign."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    name: Text | None = None
    """Name."""
    description: Text | None = None
    """Description."""
    state: CampaignState | None = None
    """State."""
    offer_start_date: Timestamp | None = None
    """First date of redemption."""
    offer_end_date: Timestamp | None = None
    """Last date of redemption."""
    type: CampaignType | None = None
    """Coupon (many codes) or promotion (one code)."""
    percentage_discount: MoneyField = ABSENT
    """Discount as a percentage of the original price; excludes `flat_amount_discounts`."""
    flat_amount_discounts: Many[FlatAmountDiscount] = ABSENT
    """Discounts of fixed amounts; excludes `percentage_discount`."""
    products: Many[Ref[Product]] = ABSENT
    """Eligible products."""
    eligible_products: Many[Ref[Product]] = ABSENT
    """Eligible products, under the name used in responses."""
    billing_plans: Many[Ref[BillingPlan]] = ABSENT
    """Eligible billing plans."""
    eligible_billing_plans: Many[Ref[BillingPlan]] = ABSENT
    """Eligible billing plans, under the name used in responses."""
    restrict_to_new_subscription: bool | None = None
    """Whether the offer is for new subscriptions only."""
    expiration_date: Timestamp | None = None
    """End of a fixed campaign; a rolling one has none."""
    number_of_periods: Integer | None = None
    """Number of discounted cycles."""
    period_length: PeriodLength | None = None
    """Unit of those cycles."""
    promotion_code: Text | None = None
    """Code by which the promotion is redeemed."""
    promotion_code_aliases: Many[Text] = ABSENT
    """Further codes; setting them replaces the existing ones."""
    campaign_discount_method: CampaignDiscountMethod | None = None
    """How stackable discounts add up."""
    apply_discount_per_item: bool | None = None
    """Whether an item's discount is multiplied by its quantity; stackable discounts only."""
    item_display_text: Text | None = None
    """Name on the discounts made; stackable discounts only."""
    max_redemptions_per_customer: Integer | None = None
    """Redemptions per account; stackable discounts only."""
    max_redemptions_per_autobill: Integer | None = None
    """Redemptions per subscription; stackable discounts only."""
    stackability: Stackability | None = None
    """Whether the discount adds to others; the service takes `Stackable` when none is given."""
    total_code_marked_used: Integer | None = None
    """Number of coupon codes marked as used."""
    max_redemptions: Integer | None = None
    """How often a coupon code may be redeemed."""
    coupon_code_quantity: Integer | None = None
    """Number of coupon codes."""
    coupon_code_prefix: Text | None = None
    """Prefix of coupon codes."""
    coupon_code_separator: Text | None = None
    """Separator between prefix and code."""
    coupon_code_requires_activation: bool | None = None
    """Whether a code has to be activated before it is used."""
    on_demand_codes_allowed: bool | None = None
    """Whether codes may be made on demand."""
    coupons: Many[CampaignCoupon] = ABSENT
    """Batches of coupon codes."""
    voucher_credit: Credit | None = None
    """Credit of a voucher."""
    apply_voucher_pre_transaction: bool | None = None
    """Whether voucher credit is used before the first transaction."""
    account_level_eligible: bool | None = None
    """Marked as not implemented."""
    purchase_level_eligible: bool | None = None
    """Marked as not implemented."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""

    # Checked field by field, so that a campaign which was read with both can still be changed elsewhere (E2).
    @field_validator("percentage_discount", "flat_amount_discounts")
    @classmethod
    def _one_kind_of_discount(
        cls, value: Decimal | ModelList[FlatAmountDiscount] | None, info: ValidationInfo
    ) -> Decimal | ModelList[FlatAmountDiscount] | None:
        is_flat = info.field_name == "flat_amount_discounts"
        other = info.data.get("percentage_discount" if is_flat else "flat_amount_discounts")
        if info.context is not READING and _is_given(value) and _is_given(other):
            raise PydanticCustomError(
                "exclusive_discounts",
                "Input should be either a percentage discount or flat amount discounts, not both",
            )
        return value


def _is_given(discount: object) -> bool:
    return discount is not None and discount != []


class CampaignCode(ConventionalModel):
    """A code that customers redeem; its other fields are not documented."""

    object: Literal["CampaignCode"] = "CampaignCode"
    """Resource type."""
