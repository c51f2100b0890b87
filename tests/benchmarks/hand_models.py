"""Handwritten pydantic models for the accounts of the benchmarks."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Generic, TypeVar

from pydantic import BaseModel

T = TypeVar("T")


class ListOf(BaseModel, Generic[T]):
    object: str
    total_count: int | None = None
    data: list[T]


class Address(BaseModel):
    object: str
    vid: str | None = None
    name: str | None = None
    line1: str | None = None
    line2: str | None = None
    line3: str | None = None
    city: str | None = None
    county: str | None = None
    district: str | None = None
    postal_code: str | None = None
    country: str | None = None
    phone: str | None = None
    latitude: Decimal | None = None
    longitude: Decimal | None = None


class CreditCard(BaseModel):
    object: str
    vid: str | None = None
    account: str | None = None
    bin: str | None = None
    last_digits: str | None = None
    account_length: int | None = None
    hash_type: str | None = None
    expiration_date: str | None = None


class PaymentMethod(BaseModel):
    object: str
    id: str
    vid: str | None = None
    created: datetime | None = None
    type: str | None = None
    credit_card: CreditCard | None = None
    account_holder: str | None = None
    billing_address: Address | None = None
    customer_description: str | None = None
    currency: str | None = None
    primary: bool | None = None
    active: bool | None = None


class CurrencyAmount(BaseModel):
    object: str
    vid: str | None = None
    currency: str
    amount: Decimal
    sort_value: int | None = None
    description: str | None = None
    granted: datetime | None = None


class Credit(BaseModel):
    object: str
    currency_amounts: list[CurrencyAmount] | None = None


class TaxExemption(BaseModel):
    object: str
    region: str
    exemption_id: str
    active: bool


class Entitlement(BaseModel):
    object: str
    id: str
    description: str | None = None


class Account(BaseModel):
    object: str
    id: str
    external_id: str | None = None
    vid: str | None = None
    created: datetime | None = None
    default_currency: str | None = None
    email: str | None = None
    email_type: str | None = None
    language: str | None = None
    notify_before_billing: bool | None = None
    company: str | None = None
    name: str | None = None
    shipping_address: Address | None = None
    payment_methods: ListOf[PaymentMethod] | None = None
    metadata: dict[str, str] | None = None
    tax_exemptions: list[TaxExemption] | None = None
    credit: list[Credit] | None = None
    entitlements: list[Entitlement] | None = None


class AccountPage(ListOf[Account]):
    next: str | None = None
