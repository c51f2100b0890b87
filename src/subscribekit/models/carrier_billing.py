"""Models for payment through the bill of a telephone carrier."""

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
    """A telephone number, split into its parts."""

    object: Literal["PhoneNumber"] = "PhoneNumber"
    """The name of the resource type, always `PhoneNumber`."""
    phone_type: PhoneType | None = None
    """The type of the telephone; the only known value is `CS`."""
    country_code: Text | None = None
    """The country code of the telephone number."""
    area_code: Masked[Text | None] = None
    """The area code, as a string."""
    local_number: Masked[Text | None] = None
    """The number without country code and area code."""
    extension: Masked[Text | None] = None
    """The extension, as a string."""
    raw_input: Masked[Text | None] = None
    """The telephone number as the customer entered it."""


class PaymentProvider(Model):
    """The company that collects the payment."""

    object: Literal["PaymentProvider"] = "PaymentProvider"
    """The name of the resource type, always `PaymentProvider`."""
    name: Text | None = None
    """The name of the company that collects the payment."""
    dispute_address: Masked[Text | None] = None
    """The postal address for disputes."""
    dispute_email: Masked[Text | None] = None
    """The email address for disputes."""
    dispute_uri: Text | None = None
    """The URI for disputes."""
    auth_expiration_days: Integer | None = None
    """The number of days until an authorization expires."""
    auth_currency_override: Text | None = None
    """The currency of authorizations, which overrides the currency of the charge."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""


class PriceCriteria(Model):
    """The rules that choose a price point of the carrier."""

    object: Literal["PriceCriteria"] = "PriceCriteria"
    """The name of the resource type, always `PriceCriteria`."""
    payment_provider: Text | None = None
    """The name of the payment provider, as a string."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    country_code: Text | None = None
    """The code of the country, such as `DE`."""
    price_point_deviation_policy: PricePointDeviationPolicy | None = None
    """The rule that selects a price point if no price point matches exactly, such as `HiOnly`."""
    dynamic_price_mode: DynamicPriceMode | None = None
    """The basis of a dynamic price, such as `PayoutGross`."""
    merchant_service_identifier: Text | None = None
    """The carrier's ID of the merchant's service."""
    sub_merchant_identifier: Text | None = None
    """The carrier's ID of the sub-merchant."""
    description: Text | None = None
    """The description of the price, as a string."""
    fwd_url: Text | None = None
    """The URL that the customer is forwarded to."""
    static_selection_row_ref: Integer | None = None
    """The number of a row in the static price table."""
    static_price_inc_sales_tax: Text | None = None
    """The static price including sales tax, as a string."""
    dynamic_deviation: Integer | None = None
    """The permitted deviation of a dynamic price."""
    dynamic_match: Integer | None = None
    """The method that matches a dynamic price, as a number."""
    dynamic_target_price: Text | None = None
    """The target of a dynamic price, as a string."""


class CarrierBilling(Model):
    """The customer's account with a telephone carrier."""

    object: Literal["CarrierBilling"] = "CarrierBilling"
    """The name of the resource type, always `CarrierBilling`."""
    phone_number: PhoneNumber | None = None
    """The telephone number that is billed."""
    encoded_phone_number: Masked[Text | None] = None
    """The telephone number in the carrier's encoding."""
    carrier: Text | None = None
    """The name of the telephone carrier."""
    payment_provider: PaymentProvider | None = None
    """The company that collects the payment."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    country_code: Text | None = None
    """The code of the country, such as `DE`."""
    price_criteria: PriceCriteria | None = None
    """The rules that choose a price point."""
    account_identifier: Masked[Text | None] = None
    """The ID of the account at the carrier."""
    carrier_billing_account_identifier_type: CarrierBillingAccountIdentifierType | None = None
    """The type of `account_identifier`, such as `MSISDN`."""
    customer_identifier: Masked[Text | None] = None
    """The ID of the customer at the carrier."""
    customer_identifier_type: CustomerIdentifierType | None = None
    """The type of `customer_identifier`, such as `Web`."""
    validated: Text | None = None
    """Whether the account was validated, as a string; no source lists the values."""
