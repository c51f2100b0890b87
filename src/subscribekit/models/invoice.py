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
    """The name of the resource type, always `InvoiceItem`. Only the public reference documents this field."""
    index_number: Integer | None = None
    """The position of the item among all items and taxes of the invoice, starting at 0. Only the public reference
    documents this field."""
    type: InvoiceItemType | None = None
    """The type of the item, such as `RecurringCharge`. Only the public reference documents this field."""
    sku: Text | None = None
    """The ID of the billing plan or the product. Only the public reference documents this field."""
    description: Text | None = None
    """The text that the invoice shows for the item. Only the public reference documents this field."""
    quantity: Integer | None = None
    """The number of units, a whole number. Only the public reference documents this field."""
    unit_amount: MoneyField = ABSENT
    """The price of one unit. Only the public reference documents this field."""
    tax_classification: Text | None = None
    """The tax classification, such as `TaxExempt`. Only the public reference documents this field."""
    item_added: Timestamp | None = None
    """When the item was added. Only the public reference documents this field."""
    item_removed: Timestamp | None = None
    """When the item was removed. Only the public reference documents this field."""
    item_serviceperiod_start: Timestamp | None = None
    """The start of the period for which the item is billed. Only the public reference documents this field."""
    item_serviceperiod_end: Timestamp | None = None
    """The end of the period for which the item is billed. Only the public reference documents this field."""
    billing_plan: Ref[BillingPlan] | None = None
    """Reference to the billing plan, if the item is a billing plan. Only the public reference documents this field."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """Reference to the subscription item, if the item is a product. Only the public reference documents this field."""


class Invoice(Model):
    """The invoice for one billing period of a subscription."""

    object: Literal["Invoice"] = "Invoice"
    """The name of the resource type, always `Invoice`. Only the public reference documents this field."""
    id: Identifier | None = None
    """The subscription's ID, `-`, and the number of the bill in eight digits, such as `sub-1-00000003`. Only the public
    reference documents this field."""
    billing_service_period_start: Timestamp | None = None
    """The start of the period that the invoice bills. Only the public reference documents this field."""
    billing_service_period_end: Timestamp | None = None
    """The end of the period that the invoice bills. Only the public reference documents this field."""
    due_date: Timestamp | None = None
    """When the invoice is due. Only the public reference documents this field."""
    invoice_date: Timestamp | None = None
    """The date of the invoice. Only the public reference documents this field."""
    status: InvoiceStatus | None = None
    """The status of the invoice, such as `Due` or `Paid`. Only the public reference documents this field."""
    invoice_currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Only the public reference documents this field."""
    invoice_balance: MoneyField = ABSENT
    """The amount that the customer still owes. Only the public reference documents this field."""
    gross_charges_total: MoneyField = ABSENT
    """The sum of the charges. Only the public reference documents this field."""
    tax_charges_total: MoneyField = ABSENT
    """The sum of the taxes. Only the public reference documents this field."""
    credit_total: MoneyField = ABSENT
    """The sum of the used credit. Only the public reference documents this field."""
    payments_received_total: MoneyField = ABSENT
    """The sum of the payments. Only the public reference documents this field."""
    invoice_line_items: Many[InvoiceItem] = ABSENT
    """The items for the billing plan and the products. Only the public reference documents this field."""
    invoice_tax_items: Many[InvoiceItem] = ABSENT
    """The tax items of the invoice. Only the public reference documents this field."""
    invoice_payments: Many[Ref[Transaction]] = ABSENT
    """The transactions that paid the invoice. Only the public reference documents this field."""
    account: Ref[Account] | None = None
    """Reference to the account that is billed. Only the public reference documents this field."""
    subscription: Ref[Subscription] | None = None
    """Reference to the subscription that is billed. Only the public reference documents this field."""
    billing_sequence: Integer | None = None
    """The number of the bill, starting at 0. Only the public reference documents this field."""
    vid: Identifier | None = None
    """The service's ID of the resource; no source shows this field here, but every resource has a `vid`."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
