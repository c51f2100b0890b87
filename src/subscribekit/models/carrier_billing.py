"""Payment through the bill of a telephone carrier."""

from typing import Literal

from ._base import Model
from ._scalars import ABSENT, Integer, Masked, MetadataField, Text
from .enumerations import (
    CarrierBillingAccountIdentifierType,
    CustomerIdentifierType,
    DynamicPriceMode,
    PhoneType,
    PricePointDeviationPolicy,
)


class PhoneNumber(Model):
    """A telephone number in its parts."""

    object: Literal["PhoneNumber"] = "PhoneNumber"
    """Resource type."""
    phone_type: PhoneType | None = None
    """Kind of telephone."""
    country_code: Text | None = None
    """Country code."""
    area_code: Masked[Text | None] = None
    """Area code."""
    local_number: Masked[Text | None] = None
    """Local number."""
    extension: Masked[Text | None] = None
    """Extension."""
    raw_input: Masked[Text | None] = None
    """The number as it was entered."""


class PaymentProvider(Model):
    """The company that collects the payment."""

    object: Literal["PaymentProvider"] = "PaymentProvider"
    """Resource type."""
    name: Text | None = None
    """Name of the provider."""
    dispute_address: Masked[Text | None] = None
    """Postal address for disputes."""
    dispute_email: Masked[Text | None] = None
    """E-mail address for disputes."""
    dispute_uri: Text | None = None
    """Web address for disputes."""
    auth_expiration_days: Integer | None = None
    """Days until an authorization expires."""
    auth_currency_override: Text | None = None
    """Currency used for authorizations in place of the charge's own."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""


class PriceCriteria(Model):
    """How a price point of the carrier is chosen."""

    object: Literal["PriceCriteria"] = "PriceCriteria"
    """Resource type."""
    payment_provider: Text | None = None
    """Name of the provider."""
    currency: Text | None = None
    """Currency code."""
    country_code: Text | None = None
    """Country code."""
    price_point_deviation_policy: PricePointDeviationPolicy | None = None
    """Which price point is taken where none fits exactly."""
    dynamic_price_mode: DynamicPriceMode | None = None
    """The base of a dynamic price."""
    merchant_service_identifier: Text | None = None
    """Service of the merchant at the carrier."""
    sub_merchant_identifier: Text | None = None
    """Sub-merchant at the carrier."""
    description: Text | None = None
    """Description."""
    fwd_url: Text | None = None
    """Address that the customer is forwarded to."""
    static_selection_row_ref: Integer | None = None
    """Row of the static price table."""
    static_price_inc_sales_tax: Text | None = None
    """Static price with sales tax, as text."""
    dynamic_deviation: Integer | None = None
    """Permitted deviation of a dynamic price."""
    dynamic_match: Integer | None = None
    """Match of a dynamic price."""
    dynamic_target_price: Text | None = None
    """Price aimed at, as text."""


class CarrierBilling(Model):
    """The customer's account with a telephone carrier."""

    object: Literal["CarrierBilling"] = "CarrierBilling"
    """Resource type."""
    phone_number: PhoneNumber | None = None
    """Telephone number that is billed."""
    encoded_phone_number: Masked[Text | None] = None
    """Telephone number in the carrier's encoding."""
    carrier: Text | None = None
    """Carrier."""
    payment_provider: PaymentProvider | None = None
    """The company that collects the payment."""
    currency: Text | None = None
    """Currency code."""
    country_code: Text | None = None
    """Country code."""
    price_criteria: PriceCriteria | None = None
    """How a price point is chosen."""
    account_identifier: Masked[Text | None] = None
    """Account at the carrier."""
    carrier_billing_account_identifier_type: CarrierBillingAccountIdentifierType | None = None
    """Kind of `account_identifier`."""
    customer_identifier: Masked[Text | None] = None
    """Customer at the carrier."""
    customer_identifier_type: CustomerIdentifierType | None = None
    """Kind of `customer_identifier`."""
    validated: Text | None = None
    """Whether the account was validated, as text."""
