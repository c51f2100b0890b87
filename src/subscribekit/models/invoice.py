"""Models of the invoices of subscriptions."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Integer, MoneyField, Text, Timestamp
from .billing import Account, BillingPlan, Subscription, SubscriptionItem, Transaction
from .enumerations import InvoiceItemType, InvoiceStatus


class InvoiceItem(Model):
    """An item of an invoice: a charge or a tax."""

    object: Literal["InvoiceItem"] = "InvoiceItem"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    index_number: Integer | None = None
    """The position of the item among all items and taxes, starting at 0. Published, not in the specification."""
    type: InvoiceItemType | None = None
    """The type of the item. Published, not in the specification."""
    sku: Text | None = None
    """The ID of the billing plan or the product. Published, not in the specification."""
    description: Text | None = None
    """The text on the invoice. Published, not in the specification."""
    quantity: Integer | None = None
    """The number of units. Published, not in the specification."""
    unit_amount: MoneyField = ABSENT
    """The price of one unit. Published, not in the specification."""
    tax_classification: Text | None = None
    """The tax classification, such as `TaxExempt`. Published, not in the specification."""
    item_added: Timestamp | None = None
    """When the item was added. Published, not in the specification."""
    item_removed: Timestamp | None = None
    """When the item was removed. Published, not in the specification."""
    item_serviceperiod_start: Timestamp | None = None
    """The start of the service period. Published, not in the specification."""
    item_serviceperiod_end: Timestamp | None = None
    """The end of the service period. Published, not in the specification."""
    billing_plan: Ref[BillingPlan] | None = None
    """The billing plan (reference), if the item is a billing plan. Published, not in the specification."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """The subscription item (reference), if the item is a product. Published, not in the specification."""


class Invoice(Model):
    """The invoice for one billing period of a subscription."""

    object: Literal["Invoice"] = "Invoice"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    id: Identifier | None = None
    """The ID of the invoice, made of the subscription and the number of the bill. Published, not in the
    specification."""
    billing_service_period_start: Timestamp | None = None
    """The start of the service period. Published, not in the specification."""
    billing_service_period_end: Timestamp | None = None
    """The end of the service period. Published, not in the specification."""
    due_date: Timestamp | None = None
    """When the invoice is due. Published, not in the specification."""
    invoice_date: Timestamp | None = None
    """The date of the invoice. Published, not in the specification."""
    status: InvoiceStatus | None = None
    """The status of the invoice. Published, not in the specification."""
    invoice_currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Published, not in the specification."""
    invoice_balance: MoneyField = ABSENT
    """The amount that the customer still owes. Published, not in the specification."""
    gross_charges_total: MoneyField = ABSENT
    """The sum of the charges. Published, not in the specification."""
    tax_charges_total: MoneyField = ABSENT
    """The sum of the taxes. Published, not in the specification."""
    credit_total: MoneyField = ABSENT
    """The sum of the used credit. Published, not in the specification."""
    payments_received_total: MoneyField = ABSENT
    """The sum of the payments. Published, not in the specification."""
    invoice_line_items: Many[InvoiceItem] = ABSENT
    """The items for the billing plan and the products. Published, not in the specification."""
    invoice_tax_items: Many[InvoiceItem] = ABSENT
    """The items for taxes. Published, not in the specification."""
    invoice_payments: Many[Ref[Transaction]] = ABSENT
    """The transactions that paid the invoice. Published, not in the specification."""
    account: Ref[Account] | None = None
    """The account (reference). Published, not in the specification."""
    subscription: Ref[Subscription] | None = None
    """The subscription (reference). Published, not in the specification."""
    billing_sequence: Integer | None = None
    """The number of the bill, starting at 0. Published, not in the specification."""
    vid: Identifier | None = None
    """The service's ID of the resource, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When the resource was created, by the conventions of the billing API."""
    url: Text | None = None
    """The URL of the resource, by the conventions of the billing API."""
