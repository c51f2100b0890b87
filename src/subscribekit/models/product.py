"""Products that are sold."""

from __future__ import annotations

from typing import Literal

from ._base import Model
from ._lists import Many
from ._references import BillingPlan, RatePlan
from ._scalars import UNSET, Identifier, Masked, MetadataField, MoneyField, Text, Timestamp
from .credit import Credit, Token
from .entitlement import Entitlement
from .enumerations import BrTaxCategory, ProductStatus


class ProductDescription(Model):
    """Description of a product in one language."""

    object: Literal["ProductDescription"] = "ProductDescription"
    """Resource type."""
    language: Text | None = None
    """Language."""
    description: Text | None = None
    """Description."""


class ProductPrice(Model):
    """Price of a product in one currency or kind of token."""

    object: Literal["ProductPrice"] = "ProductPrice"
    """Resource type."""
    amount: MoneyField = UNSET
    """Price."""
    currency: Text | None = None
    """Currency code."""
    token: Token | None = None
    """Kind of token, for a price in tokens."""


class Product(Model):
    """Something that is sold."""

    object: Literal["Product"] = "Product"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    descriptions: Many[ProductDescription] = UNSET
    """Descriptions, one for each language."""
    status: ProductStatus | None = None
    """Whether the product is sold."""
    created: Timestamp | None = None
    """When it was created."""
    tax_classification: Text | None = None
    """Class of tax."""
    br_tax_category: BrTaxCategory | None = None
    """Category of tax in Brazil."""
    default_billing_plan: BillingPlan | None = None
    """Billing plan used where a subscription names none."""
    default_rate_plan: RatePlan | None = None
    """Rate plan used where an item names none (reference)."""
    end_of_life: Timestamp | None = None
    """When the product ends; for information only."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""
    entitlements: Many[Entitlement] = UNSET
    """Rights that the product gives."""
    inherited_entitlements: Many[Entitlement] = UNSET
    """Rights that bundled products give."""
    billing_descriptor: Text | None = None
    """Text on the customer's statement."""
    credit_granted: Credit | None = None
    """Credit granted on purchase."""
    prices: Many[ProductPrice] = UNSET
    """Prices; sending them replaces the whole list."""
    bundled_products: Many[Product] = UNSET
    """Products in the bundle."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
