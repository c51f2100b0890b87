"""Transactions: charges, their items and their taxes."""

from __future__ import annotations

from typing import Literal

from ._base import Model, OpenModel
from ._lists import Many
from ._references import Account, PaymentMethod, Refund, Subscription, SubscriptionItem
from ._scalars import UNSET, Identifier, Integer, Masked, MetadataField, MoneyField, Text, Timestamp
from .address import Address
from .credit import Credit
from .discount_ticket import DiscountTicket
from .enumerations import TaxType, TransactionItemType, TransactionState
from .mandate import Mandate
from .transaction_status import TransactionStatus


class ScoreCode(Model):
    """One reason for a risk score."""

    object: Literal["ScoreCode"] = "ScoreCode"
    """Resource type."""
    id: Text | None = None
    """Number of the reason, as text."""
    description: Text | None = None
    """Text of the reason."""


class TaxItem(Model):
    """One tax on an item."""

    object: Literal["TaxItem"] = "TaxItem"
    """Resource type. Published, not in the specification."""
    jurisdiction: Text | None = None
    """Jurisdiction. Published, not in the specification."""
    name: Text | None = None
    """Name of the tax. Published, not in the specification."""
    amount: MoneyField = UNSET
    """Amount of tax. Published, not in the specification."""
    external_tax_name: Text | None = None
    """Name at the tax engine. Published, not in the specification."""
    external_jurisdiction_name: Text | None = None
    """Jurisdiction at the tax engine. Published, not in the specification."""
    tax_rate: MoneyField = UNSET
    """Rate. Published, not in the specification."""


class TransactionItemRefundSummary(Model):
    """A refund of one item."""

    object: Literal["TransactionItemRefundSummary"] = "TransactionItemRefundSummary"
    """Resource type. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was made. Published, not in the specification."""
    amount: MoneyField = UNSET
    """Amount refunded. Published, not in the specification."""
    tax: MoneyField = UNSET
    """Tax refunded. Published, not in the specification."""
    tax_only: bool | None = None
    """Whether only tax was refunded. Published, not in the specification."""
    refund: Refund | None = None
    """Refund (reference). Published, not in the specification."""


class TransactionItem(Model):
    """One line of a transaction."""

    object: Literal["TransactionItem"] = "TransactionItem"
    """Resource type. Published, not in the specification."""
    sku: Text | None = None
    """Billing plan, product or free text. Published, not in the specification."""
    index_number: Integer | None = None
    """Position, from 1. Published, not in the specification."""
    item_type: TransactionItemType | None = None
    """Kind of line. Published, not in the specification."""
    name: Text | None = None
    """Name. Published, not in the specification."""
    price: MoneyField = UNSET
    """Price of one. Published, not in the specification."""
    quantity: MoneyField = UNSET
    """Number. Published, not in the specification."""
    tax_classification: Text | None = None
    """Class of tax. Published, not in the specification."""
    tax_type: TaxType | None = None
    """Whether tax is added to the price or contained in it. Published, not in the specification."""
    tax: Many[TaxItem] = UNSET
    """Taxes. Published, not in the specification."""
    discount: MoneyField = UNSET
    """Discount, negative. Published, not in the specification."""
    subtotal: MoneyField = UNSET
    """Price times quantity. Published, not in the specification."""
    total: MoneyField = UNSET
    """Subtotal with discount and added tax. Published, not in the specification."""
    campaign_id: Text | None = None
    """Campaign that discounts it. Published, not in the specification."""
    campaign_description: Text | None = None
    """Text of that campaign. Published, not in the specification."""
    subscription_item: SubscriptionItem | None = None
    """Subscription item (reference). Published, not in the specification."""
    service_period_starts: Timestamp | None = None
    """Begin of the period served. Published, not in the specification."""
    service_period_ends: Timestamp | None = None
    """End of the period served. Published, not in the specification."""
    related_transactions: Many[Text] = UNSET
    """Transactions behind a credit. Published, not in the specification."""
    item_refunds: Many[TransactionItemRefundSummary] = UNSET
    """Refunds of the item. Published, not in the specification."""


class TransactionPolicy(OpenModel):
    """How a transaction is treated, request only; fields that are not documented may be given."""

    min_chargeback_probability: Integer | None = None
    """Risk score above which it is refused. Published, not in the specification."""
    send_email_notification: bool | None = None
    """Tell the customer of success. Published, not in the specification."""
    ignore_avs_policy: bool | None = None
    """Skip the policy on address checks. Published, not in the specification."""
    ignore_cvn_policy: bool | None = None
    """Skip the policy on card security codes. Published, not in the specification."""


class Transaction(Model):
    """A charge against a payment method."""

    object: Literal["Transaction"] = "Transaction"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller, or generated."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created; of a preview, when it is due."""
    amount: MoneyField = UNSET
    """Amount charged."""
    original_amount: MoneyField = UNSET
    """Amount at first."""
    currency: Text | None = None
    """Currency code."""
    division_number: Text | None = None
    """Division of the merchant at the processor."""
    previous_id: Text | None = None
    """Transaction before this one."""
    account: Account | None = None
    """Account that is charged."""
    source_payment_method: PaymentMethod | None = None
    """Payment method that is charged."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller and the service."""
    credit: Credit | None = None
    """Credit used."""
    status: TransactionState | None = None
    """State; responses often carry `status_log` in its place."""
    discount: MoneyField = UNSET
    """Discount."""
    subtotal: MoneyField = UNSET
    """Sum before discount and tax."""
    total: MoneyField = UNSET
    """Sum."""
    affiliate: Text | None = None
    """Affiliate."""
    sub_affiliate: Text | None = None
    """Sub-affiliate."""
    user_agent: Masked[Text | None] = None
    """Customer's browser."""
    preferred_notification_language: Text | None = None
    """Language of messages."""
    source_mac_address: Masked[Text | None] = None
    """Customer's hardware address."""
    source_ip: Masked[Text | None] = None
    """Customer's address."""
    billing_descriptor: Text | None = None
    """Text on the customer's statement."""
    sales_tax_address: Address | None = None
    """Address by which tax is computed."""
    verification_code: Masked[Text | None] = None
    """Verification code."""
    subscription_sequence: Integer | None = None
    """Number of this billing of the subscription, from 1."""
    billing_plan_sequence: Integer | None = None
    """Number of this billing under the plan."""
    mandate: Mandate | None = None
    """Approval of direct debits."""
    original_billing_date: Timestamp | None = None
    """When the billing was due at first."""
    billing_attempt: Integer | None = None
    """Number of the attempt; 0 is the first."""
    subscription: Subscription | None = None
    """Subscription (reference)."""
    score: MoneyField = UNSET
    """Risk score, 0 to 100; -1 when not computed."""
    score_calculated: bool | Text | None = None
    """Calculation of the score; its kind is not shown."""
    score_calculated_orig: bool | Text | None = None
    """First calculation of the score; its kind is not shown."""
    score_codes: Many[ScoreCode] = UNSET
    """Reasons for the score."""
    distance_ip_ba: MoneyField = UNSET
    """Distance between the customer's network and billing addresses."""
    avs_code: Text | None = None
    """Result of the address check."""
    cvn_code: Text | None = None
    """Result of the security code check."""
    cvn_checked: bool | None = None
    """Whether the security code was checked."""
    policy: TransactionPolicy | list[Text] | None = None
    """How the transaction is treated: an object in requests, a list of texts in responses."""
    to_be_captured: bool | None = None
    """Whether it is captured at once after authorization; request only."""
    status_log: Many[TransactionStatus] = UNSET
    """States, newest first. Published, not in the specification."""
    payment_processor: Text | None = None
    """Processor. Published, not in the specification."""
    payment_processor_transaction_id: Text | None = None
    """Transaction at the processor. Published, not in the specification."""
    shipping_address: Address | None = None
    """Shipping address. Published, not in the specification."""
    items: Many[TransactionItem] = UNSET
    """Lines. Published, not in the specification."""
    purchase_level_discount_tickets: Many[DiscountTicket] = UNSET
    """Discounts of the whole purchase. Published, not in the specification."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
