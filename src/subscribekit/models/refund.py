"""Refunds of captured transactions."""

from __future__ import annotations

from typing import Literal

from ._base import Model
from ._lists import Many
from ._references import Transaction
from ._scalars import UNSET, Identifier, Integer, Masked, MetadataField, MoneyField, Text, Timestamp
from .enumerations import RefundDistributionStrategy, RefundStatus, RefundTokenAction


class RefundItem(Model):
    """The part of a refund that falls on one item of the transaction."""

    object: Literal["RefundItem"] = "RefundItem"
    """Resource type. Published, not in the specification."""
    transaction_item_index_number: Integer | None = None
    """Position of the item in the transaction. Published, not in the specification."""
    sku: Text | None = None
    """Sku of the item. Published, not in the specification."""
    description: Text | None = None
    """Text of the item; responses only. Published, not in the specification."""
    amount: MoneyField = UNSET
    """Amount refunded. Published, not in the specification."""
    tax_only: bool | None = None
    """Whether only the tax not yet refunded is refunded. Published, not in the specification."""


class Refund(Model):
    """The reversal of a charge, in whole or in part."""

    object: Literal["Refund"] = "Refund"
    """Resource type. Published, not in the specification."""
    id: Identifier | None = None
    """Identifier chosen by the caller, or generated. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was made. Published, not in the specification."""
    transaction: Transaction | None = None
    """Transaction that is refunded. Published, not in the specification."""
    refund_items: Many[RefundItem] = UNSET
    """Spread over the items. Published, not in the specification."""
    refund_distribution_strategy: RefundDistributionStrategy | None = None
    """How it is spread. Published, not in the specification."""
    amount: MoneyField = UNSET
    """Amount, at most what is not yet refunded. Published, not in the specification."""
    amount_includes_tax: bool | None = None
    """Whether `amount` contains the tax. Published, not in the specification."""
    currency: Text | None = None
    """Currency code. Published, not in the specification."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller. Published, not in the specification."""
    note: Text | None = None
    """Remark. Published, not in the specification."""
    token_action: RefundTokenAction | None = None
    """Treatment of tokens that were granted. Published, not in the specification."""
    status: RefundStatus | None = None
    """State. Published, not in the specification."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
