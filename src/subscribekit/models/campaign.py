"""Models of campaigns: coupons and promotions that customers redeem."""

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
    """The ISO 4217 code of the currency, such as `USD`."""
    amount: MoneyField = ABSENT
    """The amount of the discount in `currency`."""


class CampaignCoupon(Model):
    """A batch of coupon codes."""

    object: Text | None = None
    """The name of the resource type; no source documents the value."""
    id: Identifier | None = None
    """The ID of the batch of codes."""
    index: Integer | None = None
    """The position of the batch in the campaign."""
    expires: Timestamp | None = None
    """When the codes expire."""
    max_redemptions: Integer | None = None
    """The number of times that a code can be redeemed."""
    codes_requested: Integer | None = None
    """The number of codes that the merchant requested."""
    codes_generated: Integer | None = None
    """The number of codes that the service generated."""
    coupon_prefix: Text | None = None
    """The text at the start of each code."""
    coupon_code_separator: Text | None = None
    """The text between the prefix and the rest of the code."""
    requires_activation_before_use: bool | None = None
    """Whether a code must be activated before it's redeemed."""
    on_demand_codes_allowed: bool | None = None
    """Whether the service can generate codes on demand."""


class Campaign(Model):
    """A coupon or a promotion: a discount, by percentage or by amount, on products or billing plans."""

    object: Literal["Campaign"] = "Campaign"
    """The name of the resource type, always `Campaign`."""
    id: Identifier | None = None
    """The merchant's ID of the campaign, 1 to 128 characters. If a campaign has no ID, `vid` identifies the
    campaign."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    name: Text | None = None
    """The merchant's name for the campaign."""
    description: Text | None = None
    """The merchant's description of the campaign."""
    state: CampaignState | None = None
    """The state of the campaign, such as `Active`."""
    offer_start_date: Timestamp | None = None
    """The first date on which the campaign can be redeemed."""
    offer_end_date: Timestamp | None = None
    """The last date on which the campaign can be redeemed."""
    type: CampaignType | None = None
    """The type of the campaign, either a coupon with many codes or a promotion with one code."""
    percentage_discount: MoneyField = ABSENT
    """The discount as a percentage of the original price; can't be combined with `flat_amount_discounts`."""
    flat_amount_discounts: Many[FlatAmountDiscount] = ABSENT
    """Discounts of fixed amounts, one for each currency; can't be combined with `percentage_discount`."""
    products: Many[Ref[Product]] = ABSENT
    """The products that the campaign discounts."""
    eligible_products: Many[Ref[Product]] = ABSENT
    """The products that the campaign discounts; responses use this field name instead of `products`."""
    billing_plans: Many[Ref[BillingPlan]] = ABSENT
    """The billing plans that the campaign discounts."""
    eligible_billing_plans: Many[Ref[BillingPlan]] = ABSENT
    """The billing plans that the campaign discounts; responses use this field name instead of `billing_plans`."""
    restrict_to_new_subscription: bool | None = None
    """Whether only new subscriptions can redeem the campaign."""
    expiration_date: Timestamp | None = None
    """The end of a fixed campaign; absent for a rolling campaign."""
    number_of_periods: Integer | None = None
    """The number of periods for which the discount applies."""
    period_length: PeriodLength | None = None
    """The unit of `number_of_periods`, such as `BillingCycle`."""
    promotion_code: Text | None = None
    """The code that customers redeem for a promotion."""
    promotion_code_aliases: Many[Text] = ABSENT
    """Additional codes of the promotion. In an update, the codes that you send replace all additional codes."""
    campaign_discount_method: CampaignDiscountMethod | None = None
    """The method by which the service combines stackable discounts, `Compounded` or `Direct`."""
    apply_discount_per_item: bool | None = None
    """Whether the discount is multiplied by the quantity of the item; only for stackable discounts."""
    item_display_text: Text | None = None
    """The name that the service puts on the discounts of items; only for stackable discounts."""
    max_redemptions_per_customer: Integer | None = None
    """The maximum number of redemptions per account; only for stackable discounts."""
    max_redemptions_per_autobill: Integer | None = None
    """The maximum number of redemptions per subscription; only for stackable discounts."""
    stackability: Stackability | None = None
    """Whether the discount can be combined with other discounts. If this field is absent, the service uses
    `Stackable`."""
    total_code_marked_used: Integer | None = None
    """The number of coupon codes that are marked as used."""
    max_redemptions: Integer | None = None
    """The number of times that a coupon code can be redeemed."""
    coupon_code_quantity: Integer | None = None
    """The number of coupon codes to generate."""
    coupon_code_prefix: Text | None = None
    """The text at the start of each coupon code."""
    coupon_code_separator: Text | None = None
    """The text between the prefix and the rest of the code."""
    coupon_code_requires_activation: bool | None = None
    """Whether a code must be activated before it's redeemed."""
    on_demand_codes_allowed: bool | None = None
    """Whether the service can generate codes on demand."""
    coupons: Many[CampaignCoupon] = ABSENT
    """The batches of coupon codes."""
    voucher_credit: Credit | None = None
    """The credit that a voucher grants."""
    apply_voucher_pre_transaction: bool | None = None
    """Whether the service uses the voucher credit before the first transaction."""
    account_level_eligible: bool | None = None
    """The specification marks this field as not implemented."""
    purchase_level_eligible: bool | None = None
    """The specification marks this field as not implemented."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""

    # Each discount field has its own check, so that you can change other fields of a received campaign that has both
    # discounts (E2).
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
                "Input should be either a percentage discount or flat amount discounts, not both; set only one of the "
                "two fields",
            )
        return value


def _is_given(discount: object) -> bool:
    return discount is not None and discount != []


class CampaignCode(ConventionalModel):
    """A code that customers redeem. The model also accepts undocumented fields."""

    object: Literal["CampaignCode"] = "CampaignCode"
    """The name of the resource type, always `CampaignCode`."""
