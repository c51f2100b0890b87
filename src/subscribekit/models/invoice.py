"""Invoices of subscriptions."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Integer, MoneyField, Text, Timestamp
from .billing import Account, BillingPlan, Subscription, SubscriptionItem, Transaction
from .enumerations import InvoiceItemType, InvoiceStatus


class InvoiceItem(Model):
    """One line of an invoice: a charge or a tax."""

    object: Literal["InvoiceItem"] = "InvoiceItem"
    """Resource type. Published, not in the specification."""
    index_number: Integer | None = None
    """Position, from 0, through lines and taxes. Published, not in the specification."""
    type: InvoiceItemType | None = None
    """Kind of line. Published, not in the specification."""
    sku: Text | None = None
    """Billing plan or product. Published, not in the specification."""
    description: Text | None = None
    """Text. Published, not in the specification."""
    quantity: Integer | None = None
    """Number. Published, not in the specification."""
    unit_amount: MoneyField = ABSENT
    """Price of one. Published, not in the specification."""
    tax_classification: Text | None = None
    """Class of tax. Published, not in the specification."""
    item_added: Timestamp | None = None
    """When the item was added. Published, not in the specification."""
    item_removed: Timestamp | None = None
    """When the item was removed. Published, not in the specification."""
    item_serviceperiod_start: Timestamp | None = None
    """Begin of the period served. Published, not in the specification."""
    item_serviceperiod_end: Timestamp | None = None
    """End of the period served. Published, not in the specification."""
    billing_plan: Ref[BillingPlan] | None = None
    """Billing plan (reference), on its own line. Published, not in the specification."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """Subscription item (reference), on a product's line. Published, not in the specification."""


class Invoice(Model):
    """The bill for one period of a subscription."""

    object: Literal["Invoice"] = "Invoice"
    """Resource type. Published, not in the specification."""
    id: Identifier | None = None
    """Subscription and number of the billing. Published, not in the specification."""
    billing_service_period_start: Timestamp | None = None
    """Begin of the period served. Published, not in the specification."""
    billing_service_period_end: Timestamp | None = None
    """End of the period served. Published, not in the specification."""
    due_date: Timestamp | None = None
    """When it is due. Published, not in the specification."""
    invoice_date: Timestamp | None = None
    """Date of the invoice. Published, not in the specification."""
    status: InvoiceStatus | None = None
    """State. Published, not in the specification."""
    invoice_currency: Text | None = None
    """Currency code. Published, not in the specification."""
    invoice_balance: MoneyField = ABSENT
    """Amount still owed. Published, not in the specification."""
    gross_charges_total: MoneyField = ABSENT
    """Sum of the charges. Published, not in the specification."""
    tax_charges_total: MoneyField = ABSENT
    """Sum of the taxes. Published, not in the specification."""
    credit_total: MoneyField = ABSENT
    """Sum of the credit used. Published, not in the specification."""
    payments_received_total: MoneyField = ABSENT
    """Sum of the payments. Published, not in the specification."""
    invoice_line_items: Many[InvoiceItem] = ABSENT
    """Lines of plan and products. Published, not in the specification."""
    invoice_tax_items: Many[InvoiceItem] = ABSENT
    """Lines of taxes. Published, not in the specification."""
    invoice_payments: Many[Ref[Transaction]] = ABSENT
    """Payments. Published, not in the specification."""
    account: Ref[Account] | None = None
    """Account (reference). Published, not in the specification."""
    subscription: Ref[Subscription] | None = None
    """Subscription (reference). Published, not in the specification."""
    billing_sequence: Integer | None = None
    """Number of the billing, from 0. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
