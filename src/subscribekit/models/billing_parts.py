"""Models that are parts of the resources in `billing`, and don't refer to these resources."""

from typing import Literal

from ._base import Model, OpenModel
from ._lists import Many
from ._scalars import ABSENT, Identifier, Integer, Masked, MoneyField, Text, Timestamp
from .enumerations import BillingPlanPeriodType, ImmediateAuthFailurePolicy


class Token(Model):
    """A kind of token that the merchant defines, such as purchase points."""

    object: Literal["Token"] = "Token"
    """The name of the resource type, always `Token`."""
    id: Identifier | None = None
    """The merchant's ID of this kind of token, 1 to 128 characters."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    description: Text | None = None
    """The merchant's description of this kind of token."""


class TokenAmount(Model):
    """A number of tokens of one kind."""

    object: Literal["TokenAmount"] = "TokenAmount"
    """The name of the resource type, always `TokenAmount`."""
    token: Token | None = None
    """The kind of token that `amount` counts."""
    amount: MoneyField = ABSENT
    """The number of tokens, as a `Decimal`."""
    source: Text | None = None
    """The origin of the tokens; no source lists the values."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource. Only the public reference documents this field."""


class BillingPlanPrice(Model):
    """The price of one billing cycle in one currency."""

    object: Literal["BillingPlanPrice"] = "BillingPlanPrice"
    """The name of the resource type, always `BillingPlanPrice`."""
    amount: MoneyField = ABSENT
    """The price of one billing cycle in `currency`."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    price_list_name: Text | None = None
    """The name of the price list that the price belongs to."""
    token_amount: TokenAmount | None = None
    """The price of one billing cycle in tokens."""


class BillingPlanPeriod(Model):
    """A series of billing cycles that have the same length and prices."""

    object: Literal["BillingPlanPeriod"] = "BillingPlanPeriod"
    """The name of the resource type, always `BillingPlanPeriod`."""
    type: BillingPlanPeriodType | None = None
    """The unit of `quantity`, such as `Month`."""
    quantity: Integer | None = None
    """The length of a billing cycle, in the unit that `type` specifies."""
    cycles: Integer | None = None
    """The number of billing cycles; 0 if the period doesn't end."""
    prices: Many[BillingPlanPrice] = ABSENT
    """The prices of a cycle, one for each currency."""
    do_not_notify_first_bill: bool | None = None
    """Whether the service skips the notice before the first bill. Only the public reference documents this field."""
    expire_warning_days: Integer | None = None
    """The number of days before the end of the period at which the service warns the customer. Only the public
    reference documents this field."""


class ProductDescription(Model):
    """The description of a product in one language."""

    object: Literal["ProductDescription"] = "ProductDescription"
    """The name of the resource type, always `ProductDescription`."""
    language: Text | None = None
    """The code of the language; a product has one description for each language."""
    description: Text | None = None
    """The description of the product, in the language that `language` names."""


class ProductPrice(Model):
    """The price of a product in one currency or in one kind of token."""

    object: Literal["ProductPrice"] = "ProductPrice"
    """The name of the resource type, always `ProductPrice`."""
    amount: MoneyField = ABSENT
    """The price in `currency`, or in tokens of the kind `token`."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    token: Token | None = None
    """The kind of token, if the price is in tokens."""


class TaxExemption(Model):
    """A tax exemption in one region."""

    object: Literal["TaxExemption"] = "TaxExemption"
    """The name of the resource type, always `TaxExemption`."""
    region: Text | None = None
    """The region in which the exemption is valid."""
    exemption_id: Masked[Text | None] = None
    """The ID of the exemption, as a string."""
    active: bool | None = None
    """Whether the exemption is valid."""


class CancelReason(Model):
    """The reason for the cancellation of a subscription."""

    reason_code: Text | None = None
    """The code of the reason, such as `106`. In a request, you can't use the codes 0 to 99, which the service
    reserves."""
    description: Text | None = None
    """The description of the reason, as free text."""
    object: Literal["CancelReason"] = "CancelReason"
    """The name of the resource type, always `CancelReason`. Only the public reference documents this field."""
    vid: Identifier | None = None
    """The service's ID of the resource; no source shows this field here, but every resource has a `vid`."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class SubscriptionPolicy(OpenModel):
    """The rules for the first bill of a subscription. Responses contain a list of strings instead of this model.

    You can also set undocumented fields.
    """

    ignore_cvn_policy: bool | None = None
    """Whether to skip the merchant's policy for security codes. Only the public reference documents this field."""
    ignore_avs_policy: bool | None = None
    """Whether to skip the merchant's policy for address checks. Only the public reference documents this field."""
    min_chargeback_probability: Integer | None = None
    """The lowest risk score, 0 to 100, at which the service rejects the subscription. Only the public reference
    documents this field."""
    immediate_auth_failure_policy: ImmediateAuthFailurePolicy | None = None
    """The service's action if the first authorization fails, such as `doNotSaveAutoBill`. Only the public reference
    documents this field."""
    validate_for_future_payment: bool | None = None
    """Whether to check the payment method now if nothing is due yet. Only the public reference documents this field."""


class ScoreCode(Model):
    """A reason for a risk score."""

    object: Literal["ScoreCode"] = "ScoreCode"
    """The name of the resource type, always `ScoreCode`."""
    id: Text | None = None
    """The number of the reason, as a string."""
    description: Text | None = None
    """The service's explanation of the reason."""


class TaxItem(Model):
    """A tax on an item of a transaction."""

    object: Literal["TaxItem"] = "TaxItem"
    """The name of the resource type, always `TaxItem`. Only the public reference documents this field."""
    jurisdiction: Text | None = None
    """The jurisdiction that collects the tax, such as `STATE_06`. Only the public reference documents this field."""
    name: Text | None = None
    """The service's name for the tax. Only the public reference documents this field."""
    amount: MoneyField = ABSENT
    """The amount of the tax, in the transaction's currency. Only the public reference documents this field."""
    external_tax_name: Text | None = None
    """The name that the tax engine uses for the tax. Only the public reference documents this field."""
    external_jurisdiction_name: Text | None = None
    """The name that the tax engine uses for the jurisdiction. Only the public reference documents this field."""
    tax_rate: MoneyField = ABSENT
    """The tax rate; no source says whether the rate is a percentage. Only the public reference documents this field."""


class TransactionPolicy(OpenModel):
    """The rules for a transaction. Responses contain a list of strings instead of this model.

    You can also set undocumented fields.
    """

    min_chargeback_probability: Integer | None = None
    """The risk score, 0 to 100, above which the service rejects the transaction. Only the public reference documents
    this field."""
    send_email_notification: bool | None = None
    """Whether the service emails the customer after a success. Only the public reference documents this field."""
    ignore_avs_policy: bool | None = None
    """Whether to skip the merchant's policy for address checks. Only the public reference documents this field."""
    ignore_cvn_policy: bool | None = None
    """Whether to skip the merchant's policy for security codes. Only the public reference documents this field."""


class RefundItem(Model):
    """The part of a refund that belongs to one item of the transaction."""

    object: Literal["RefundItem"] = "RefundItem"
    """The name of the resource type, always `RefundItem`. Only the public reference documents this field."""
    transaction_item_index_number: Integer | None = None
    """The position of the item in the transaction, starting at 1. Only the public reference documents this field."""
    sku: Text | None = None
    """The `sku` of the refunded item. Only the public reference documents this field."""
    description: Text | None = None
    """The description of the item; only in responses. Only the public reference documents this field."""
    amount: MoneyField = ABSENT
    """The amount to refund, which the service ignores if `tax_only` is true. Only the public reference documents this
    field."""
    tax_only: bool | None = None
    """Whether to refund only the tax that isn't refunded yet. Only the public reference documents this field."""
