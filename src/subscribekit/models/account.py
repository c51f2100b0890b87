"""Customers: persons or organizations that are billed."""

from __future__ import annotations

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import UNSET, Identifier, Masked, MetadataField, Text, Timestamp
from .address import Address
from .credit import Credit, TokenAmount
from .discount_ticket import DiscountTicket
from .entitlement import Entitlement
from .enumerations import EmailType
from .payment_method import PaymentMethod


class TaxExemption(Model):
    """An exemption from tax in one region."""

    object: Literal["TaxExemption"] = "TaxExemption"
    """Resource type."""
    region: Text | None = None
    """Region in which it holds."""
    exemption_id: Masked[Text | None] = None
    """Number of the exemption."""
    active: bool | None = None
    """Whether it holds."""


class Account(Model):
    """An end customer, person or organization."""

    object: Literal["Account"] = "Account"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    external_id: Text | None = None
    """Second identifier of the caller, unique or null."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    parent: Account | None = None
    """Parent account (reference)."""
    default_currency: Text | None = None
    """Currency used where a subscription or transaction names none."""
    email: Masked[Text | None] = None
    """E-mail address."""
    email_type: EmailType | None = None
    """Form of the e-mails sent."""
    language: Text | None = None
    """Language of messages."""
    notify_before_billing: bool | None = None
    """Whether the customer is notified before each billing."""
    company: Text | None = None
    """Company."""
    name: Masked[Text | None] = None
    """Name."""
    shipping_address: Address | None = None
    """Shipping address."""
    payment_methods: Many[PaymentMethod] = UNSET
    """Payment methods on file; in an update, those to add or change."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""
    tax_exemptions: Many[TaxExemption] = UNSET
    """Exemptions from tax."""
    tokens: Many[TokenAmount] = UNSET
    """Tokens that the account holds."""
    credit: Many[Credit] = UNSET
    """Credit that the account holds; the service may return one object."""
    entitlements: Many[Entitlement] = UNSET
    """Rights of the account."""
    tax_use_code: Text | None = None
    """Use code for tax."""
    discount_tickets: Many[DiscountTicket] = UNSET
    """Discounts of the account. Published, not in the specification."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
