"""Models of the billing API that refer to each other, such as accounts, products, subscriptions, and transactions.

These models share a file because the references between them form cycles.
The reasons are in docs/decisions/billing-models-in-one-file.md.
Parts such as prices and taxes, which don't refer to these models, are in `billing_parts`.
"""

from datetime import datetime
from typing import Literal, NoReturn

from pydantic import AliasChoices, Field

from ._base import Model
from ._entitlement_decision import EntitlementDecision, decide
from ._lists import Many
from ._ref import Ref, define
from ._scalars import ABSENT, Identifier, Integer, Masked, MetadataField, MoneyField, ReadOnly, Text, Timestamp
from .address import Address
from .billing_parts import (
    BillingPlanPeriod,
    CancelReason,
    ProductDescription,
    ProductPrice,
    RefundItem,
    ScoreCode,
    SubscriptionPolicy,
    TaxExemption,
    TaxItem,
    Token,
    TokenAmount,
    TransactionPolicy,
)
from .discount_ticket import DiscountTicket
from .enumerations import (
    BillingPlanStatus,
    BillingState,
    BrTaxCategory,
    EmailType,
    ProductStatus,
    RefundDistributionStrategy,
    RefundStatus,
    RefundTokenAction,
    StatementFormat,
    SubscriptionItemAction,
    SubscriptionStatus,
    TaxType,
    TransactionItemType,
    TransactionState,
)
from .mandate import Mandate
from .payment_method import PaymentMethod
from .rate_plan import RatePlan
from .season_set import SeasonSet
from .transaction_status import TransactionStatus


class CurrencyAmount(Model):
    """An amount of credit in one currency."""

    object: Literal["CurrencyAmount"] = "CurrencyAmount"
    """The name of the resource type, always `CurrencyAmount`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    amount: MoneyField = ABSENT
    """The amount of credit, as a `Decimal`."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    sort_value: Integer | None = None
    """The position of this amount in the order in which the service uses the credit."""
    description: Text | None = None
    """The description in the request that granted the credit."""
    reason: Text | None = None
    """The reason in the request that granted the credit."""
    granted_by_service: bool | None = Field(
        default=None, validation_alias=AliasChoices("granted_by_service", "granted_by_cashbox")
    )
    """Whether the service granted the credit itself. The public reference calls this field `granted_by_cashbox`, and
    the SDK reads both names."""
    granted: Timestamp | None = None
    """When the credit was first granted."""
    account: Ref["Account"] | None = None
    """Reference to the account that holds the credit."""
    subscription: Ref["Subscription"] | None = None
    """Reference to the subscription that holds the credit."""
    source: Text | None = None
    """The origin of the credit; the samples contain only `Account`. Only the public reference documents this field."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class Credit(Model):
    """Credit that an account or a subscription holds, in tokens or in currencies."""

    object: Literal["Credit"] = "Credit"
    """The name of the resource type, always `Credit`."""
    token_amounts: Many[TokenAmount] = ABSENT
    """The part of the credit that is in tokens."""
    currency_amounts: Many[CurrencyAmount] = ABSENT
    """The part of the credit that is in currencies."""


class Entitlement(Model):
    """A customer's right to use something in the merchant's application, such as a channel."""

    id: Identifier | None = None
    """The merchant's ID of the entitlement, 1 to 128 characters."""
    object: Literal["Entitlement"] = "Entitlement"
    """The name of the resource type, always `Entitlement`."""
    description: Text | None = None
    """The merchant's description of the entitlement."""
    account: Ref["Account"] | None = None
    """Reference to the account that has the entitlement. Only the public reference documents this field."""
    subscription: Ref["Subscription"] | None = None
    """Reference to the subscription that grants the entitlement. Only the public reference documents this field."""
    subscription_item: Ref["SubscriptionItem"] | None = None
    """Reference to the subscription item that grants the entitlement. Only the public reference documents this
    field."""
    product: Ref["Product"] | None = None
    """Reference to the product that grants the entitlement. Only the public reference documents this field."""
    billing_plan: Ref["BillingPlan"] | None = None
    """Reference to the billing plan that grants the entitlement. Only the public reference documents this field."""
    starts: Timestamp | None = None
    """When the entitlement starts. Only the public reference documents this field."""
    ends: Timestamp | None = None
    """When the entitlement ends, including the grace period. Only the public reference documents this field."""
    active: bool | None = None
    """Whether the customer can use the entitlement. Only the public reference documents this field."""
    vid: Identifier | None = None
    """The service's ID of the resource; no source shows this field here, but every resource has a `vid`."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class EntitlementCheck(Model):
    """The result of a check whether an account has an entitlement."""

    object: Literal["Boolean"] = "Boolean"
    """The name of the resource type, always `Boolean`. Only the public reference documents this field."""
    state: bool | None = None
    """Whether the account has the entitlement. Only the public reference documents this field."""

    def __bool__(self) -> NoReturn:
        raise TypeError("an EntitlementCheck has no truth value; read .state instead")


class BillingPlan(Model):
    """The schedule of a subscription's bills, and the price of each period."""

    object: Literal["BillingPlan"] = "BillingPlan"
    """The name of the resource type, always `BillingPlan`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    created: Timestamp | None = None
    """When the service created the resource, in UTC."""
    description: Text | None = None
    """The merchant's description of the plan."""
    status: BillingPlanStatus | None = None
    """`Active` if the merchant offers the plan, or else `Suspended`."""
    tax_classification: Text | None = None
    """The tax classification, such as `TaxExempt`."""
    br_tax_category: BrTaxCategory | None = None
    """The tax category in Brazil; the only known value is `Goods`."""
    trial: BillingPlanPeriod | None = None
    """The trial period."""
    periods: Many[BillingPlanPeriod] = ABSENT
    """The periods, in order; only the last period can be without an end."""
    billing_notification_days: Integer | None = None
    """The number of days before a bill at which the service notifies the customer; absent or 0 for no notice."""
    trial_end_notification_days: Integer | None = None
    """The number of days before the end of the trial at which the service notifies the customer."""
    skip_initial_billing_notification: bool | None = None
    """Whether the service skips the notice before the first bill."""
    end_of_life: Timestamp | None = None
    """When the plan ends; this date is informational only."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    entitlements: Many[Entitlement] = ABSENT
    """The entitlements that the plan grants."""
    billing_descriptor: Text | None = None
    """The text on the customer's card or bank statement; the service sends this text to the payment processor."""
    times_to_run: Text | None = None
    """The number of times that the plan runs, as a string such as `1`."""
    entitlements_valid_for: Text | None = None
    """The time for which the plan's entitlements are valid; no source shows the format."""
    repeat_every: Text | None = None
    """The interval at which the plan repeats; no source shows the format."""
    season_set: SeasonSet | None = None
    """The seasons of a seasonal plan."""
    days_before_season_to_bill: Integer | None = None
    """The number of days before a season at which the service bills the season."""
    days_entitled_before_season: Integer | None = None
    """The number of days before a season at which the entitlements start."""
    days_entitled_after_season: Integer | None = None
    """The number of days after a season at which the entitlements end."""
    entitled_off_season: bool | None = None
    """Whether the customer keeps the entitlements between seasons."""
    used_on_subscriptions: bool | None = None
    """Whether subscriptions use the plan; only the service sets this field."""
    grace_period_override: Integer | None = None
    """The grace period in days, which overrides the merchant's default."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class BillingPlanHistory(Model):
    """A billing plan of a subscription, with the time at which it took effect."""

    object: Literal["BillingPlanHistory"] = "BillingPlanHistory"
    """The name of the resource type, always `BillingPlanHistory`. Only the public reference documents this field."""
    billing_plan: BillingPlan | None = None
    """Reference to the billing plan, with its `id` and `vid`. Only the public reference documents this field."""
    starts: Timestamp | None = None
    """When the subscription changed to the plan. Only the public reference documents this field."""


class Product(Model):
    """A good or service that is sold. A product has prices and grants entitlements."""

    object: Literal["Product"] = "Product"
    """The name of the resource type, always `Product`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    descriptions: Many[ProductDescription] = ABSENT
    """The descriptions, one for each language."""
    status: ProductStatus | None = None
    """`Active` if the merchant sells the product, or else `Suspended`."""
    created: Timestamp | None = None
    """When the service created the resource, in UTC."""
    tax_classification: Text | None = None
    """The tax classification, such as `TaxExempt`."""
    br_tax_category: BrTaxCategory | None = None
    """The tax category in Brazil; the only known value is `Goods`."""
    default_billing_plan: Ref[BillingPlan] | None = None
    """The billing plan that applies if a subscription to the product doesn't name a billing plan."""
    default_rate_plan: Ref[RatePlan] | None = None
    """Reference to the default rate plan of the product's subscription items."""
    end_of_life: Timestamp | None = None
    """When the product ends; this date is informational only."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    entitlements: Many[Entitlement] = ABSENT
    """The entitlements that the product grants."""
    inherited_entitlements: Many[Entitlement] = ABSENT
    """The entitlements that the bundled products grant."""
    billing_descriptor: Text | None = None
    """The text on the customer's card or bank statement; the service sends this text to the payment processor."""
    credit_granted: Credit | None = None
    """The credit that a purchase of the product grants."""
    prices: Many[ProductPrice] = ABSENT
    """The prices, one for each currency or kind of token. In an update, the prices that you send replace all prices."""
    bundled_products: "Many[Product]" = ABSENT
    """The products in the bundle, if the product is a bundle."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class Account(Model):
    """The record of an end customer, who is a person or an organization."""

    object: Literal["Account"] = "Account"
    """The name of the resource type, always `Account`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    external_id: Text | None = None
    """A second ID that the merchant chooses for the account; the ID is unique or null."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    created: Timestamp | None = None
    """When the service created the resource, in UTC."""
    parent: "Account | None" = None
    """Reference to the parent account; an account has at most one parent."""
    default_currency: Text | None = None
    """The ISO 4217 code of the default currency of the account's subscriptions and transactions."""
    email: Masked[Text | None] = None
    """The customer's email address."""
    email_type: EmailType | None = None
    """The format of the emails to the customer, such as `html`."""
    language: Text | None = None
    """The language of messages to the customer, as a code."""
    notify_before_billing: bool | None = None
    """Whether the service notifies the customer before each bill."""
    company: Text | None = None
    """The name of the company, if the customer is an organization."""
    name: Masked[Text | None] = None
    """The customer's name."""
    shipping_address: Address | None = None
    """The address to which the merchant ships goods."""
    payment_methods: Many[PaymentMethod] = ABSENT
    """The payment methods on file. In an update, set only the payment methods that you add or change."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    tax_exemptions: Many[TaxExemption] = ABSENT
    """The customer's tax exemptions, each for one region."""
    tokens: Many[TokenAmount] = ABSENT
    """The tokens that the account holds."""
    credit: Many[Credit] = ABSENT
    """The credit that the account holds, as a list even if the service returns a single object."""
    entitlements: Many[Entitlement] = ABSENT
    """The account's entitlements."""
    tax_use_code: Text | None = None
    """The customer's tax use code, for the tax calculation."""
    discount_tickets: Many[DiscountTicket] = ABSENT
    """The discounts that apply to the account. Only the public reference documents this field."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class SubscriptionItem(Model):
    """One product of a subscription."""

    object: Literal["SubscriptionItem"] = "SubscriptionItem"
    """The name of the resource type, always `SubscriptionItem`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    index: Integer | None = None
    """The position of the item in the subscription, starting at 0."""
    product: Ref[Product] | None = None
    """The product that the item bills."""
    campaign_id: Text | None = None
    """The ID of the campaign that discounts the item; only in responses."""
    amount: MoneyField = ABSENT
    """The price of one unit, which overrides the product's price."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    rate_plan: Ref[RatePlan] | None = None
    """Reference to the rate plan that prices the item's usage."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    quantity: Integer | None = None
    """The quantity of the product that the item bills; the service uses 1 if this field is absent."""
    token: Token | None = None
    """The kind of token, if the price is in tokens."""
    cycles: Integer | None = None
    """The number of billing cycles in which the item is billed."""
    cycles_remaining: Integer | None = None
    """The number of billing cycles that remain."""
    created: Timestamp | None = None
    """When the item was added to the subscription."""
    starts: Timestamp | None = None
    """The time from which the item is served, in UTC."""
    ends: Timestamp | None = None
    """The time until which the item is served, in UTC."""
    discount_tickets: Many[DiscountTicket] = ABSENT
    """The discounts that apply to the item."""
    replaces: "SubscriptionItem | None" = None
    """Reference to the item that this item replaces."""
    replaced_by: "SubscriptionItem | None" = None
    """Reference to the item that replaces this item. To remove an item in a request, set `replaced_by` to an empty
    `SubscriptionItem`."""
    campaign_code: Text | None = None
    """The campaign code to redeem on a new item or on a replacing item; only in requests. Only the public reference
    documents this field."""


class SubscriptionItemHistory(Model):
    """A change to an item of a subscription."""

    object: Literal["SubscriptionItemHistory"] = "SubscriptionItemHistory"
    """The name of the resource type, always `SubscriptionItemHistory`. Only the public reference documents this
    field."""
    action: SubscriptionItemAction | None = None
    """The change, such as `Add` or `Remove`. Only the public reference documents this field."""
    effective: Timestamp | None = None
    """When the change takes effect. Only the public reference documents this field."""
    created: Timestamp | None = None
    """When the change was made. Only the public reference documents this field."""
    subscription_item: SubscriptionItem | None = None
    """The item that was added or removed. Only the public reference documents this field."""


class Subscription(Model):
    """An agreement to bill an account periodically for products."""

    object: Literal["Subscription"] = "Subscription"
    """The name of the resource type, always `Subscription`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    account: Ref[Account] | None = None
    """The account that is billed."""
    status: SubscriptionStatus | None = None
    """The status, such as `Active`, which determines whether the subscription is served."""
    items: Many[SubscriptionItem] = ABSENT
    """The items. In an update, set only the items that you add, replace, or remove."""
    created: Timestamp | None = None
    """When the subscription was requested."""
    billing_plan: Ref[BillingPlan] | None = None
    """The billing plan, which sets the periods and prices."""
    payment_method: Ref[PaymentMethod] | None = None
    """The payment method that pays the bills."""
    source_payment_method: Ref[PaymentMethod] | None = None
    """The payment method from which `payment_method` was created."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    billing_state: BillingState | None = None
    """The billing state, such as `Good Standing`, which determines whether the subscription is paid."""
    starts: Timestamp | None = None
    """The time from which the subscription is served, in UTC."""
    ends: Timestamp | None = None
    """The time until which the subscription is served, in UTC. In all published samples, a subscription that renews has
    the same time in `ends` and `entitled_through`."""
    entitled_through: Timestamp | None = None
    """The end of the paid time, including the grace period."""
    source_ip: Masked[Text | None] = None
    """The customer's IP address at sign-up."""
    billing_descriptor: Text | None = None
    """The text on the customer's card or bank statement; the service sends this text to the payment processor."""
    billing_day: Integer | None = None
    """The day of the month on which the subscription is usually billed."""
    minimum_commitment: Integer | None = None
    """The number of billing cycles that the customer must keep the subscription; 0 for none. To cancel a subscription
    earlier, pass `force=True`."""
    affiliate: Text | None = None
    """The affiliate, as a string; the specification doesn't define affiliates."""
    sub_affiliate: Text | None = None
    """The sub-affiliate, as a string; the specification doesn't define sub-affiliates."""
    notify_on_transition: bool | None = None
    """Whether the service notifies the customer when the trial or the subscription ends."""
    most_recent_billing: Ref["Transaction"] | None = None
    """The last transaction; after a dry run, the transaction that the service would make now."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters. The subscription's
    transactions inherit these key-value pairs."""
    credit: Credit | None = None
    """The credit that the subscription holds."""
    statement_format: StatementFormat | None = None
    """The way in which the service sends statements, such as `Attachment`."""
    invoice_terms: Integer | None = None
    """The number of days from a bill until the invoice for that bill is delinquent."""
    statement_offset: Integer | None = None
    """The number of days before a bill at which the service sends the statement."""
    statement_template: Text | None = None
    """The template of the statements, as a string."""
    billing_plan_campaign_code: Text | None = None
    """The campaign code to redeem on the billing plan; only in requests."""
    billing_plan_campaign_id: ReadOnly[Text | None] = None
    """The ID of the campaign that discounts the billing plan. Only the service sets this field, so creating a model
    with this field raises an error."""
    unkonwn_starts: bool | None = None  # sic
    """Whether to create the subscription as `Pending Activation`. The wire name `unkonwn_starts` is misspelled; use
    `unknown_starts`."""
    balance: MoneyField = ABSENT
    """The amount due, in `currency`; 0 if everything is paid."""
    mandate: Mandate | None = None
    """The customer's approval of direct debits."""
    cancel_reason: CancelReason | None = None
    """The reason for the cancellation, if the subscription was canceled."""
    policy: SubscriptionPolicy | list[Text] | None = None
    """The rules for the first bill, as an object in requests and as a list of strings in responses."""
    description: Text | None = None
    """The merchant's description of the subscription. Only the public reference documents this field."""
    next_billing: Ref["Transaction"] | None = None
    """A preview of the next charge; absent if nothing more is due. Only the public reference documents this field."""
    most_recent_refunds: Many[Ref["Refund"]] = ABSENT
    """The refunds of the last bill. Only the public reference documents this field."""
    billing_plan_history: ReadOnly[Many[Ref[BillingPlanHistory]]] = Field(
        default=ABSENT, validation_alias=AliasChoices("billing_plan_history", "billingPlanHistory")
    )
    """The earlier billing plans, if you read the subscription with `include_billing_plan_history` (E6). Only the
    service sets this field. No source states the name of this field."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""

    @property
    def unknown_starts(self) -> bool | None:
        """Whether to create the subscription as `Pending Activation`. The wire name is `unkonwn_starts`."""
        return self.unkonwn_starts

    @unknown_starts.setter
    def unknown_starts(self, value: bool | None) -> None:
        self.unkonwn_starts = value

    def entitlement_at(self, at: datetime) -> EntitlementDecision:
        """Return whether the subscription entitles its customer at the time `at`.

        The decision uses the dates, `status`, and `billing_state` of the response. If `at` isn't the time of the
        response, the decision can be wrong, because `status` and `billing_state` change over time. Sends nothing.

        Raises:
            ValueError: `at` has no time zone.
            TypeError: `at` isn't a datetime.
        """
        return decide(self, at)


class TransactionItemRefundSummary(Model):
    """A refund of one item of a transaction."""

    object: Literal["TransactionItemRefundSummary"] = "TransactionItemRefundSummary"
    """The name of the resource type, always `TransactionItemRefundSummary`. Only the public reference documents this
    field."""
    created: Timestamp | None = None
    """When the refund was made. Only the public reference documents this field."""
    amount: MoneyField = ABSENT
    """The amount refunded, in the transaction's currency. Only the public reference documents this field."""
    tax: MoneyField = ABSENT
    """The tax refunded, in the transaction's currency. Only the public reference documents this field."""
    tax_only: bool | None = None
    """Whether only tax was refunded. Only the public reference documents this field."""
    refund: Ref["Refund"] | None = None
    """Reference to the refund, with its `id` and `vid`. Only the public reference documents this field."""


class TransactionItem(Model):
    """An item of a transaction, such as a product, a billing plan, or a tax."""

    object: Literal["TransactionItem"] = "TransactionItem"
    """The name of the resource type, always `TransactionItem`. Only the public reference documents this field."""
    sku: Text | None = None
    """The ID of a billing plan or a product, or free text. Only the public reference documents this field."""
    index_number: Integer | None = None
    """The position of the item in the transaction, starting at 1. Only the public reference documents this field."""
    item_type: TransactionItemType | None = None
    """The type of the item; the service uses `Purchase` if this field is absent. Only the public reference documents
    this field."""
    name: Text | None = None
    """The name of the item, such as `Total Tax`. Only the public reference documents this field."""
    price: MoneyField = ABSENT
    """The price of one unit; absent if the item is free. Only the public reference documents this field."""
    quantity: MoneyField = ABSENT
    """The number of units, as a `Decimal`. Only the public reference documents this field."""
    tax_classification: Text | None = None
    """The tax classification, such as `TaxExempt`. Only the public reference documents this field."""
    tax_type: TaxType | None = None
    """Whether the tax is added to the price or included in it. Only the public reference documents this field."""
    tax: Many[TaxItem] = ABSENT
    """The taxes on the item. Only the public reference documents this field."""
    discount: MoneyField = ABSENT
    """The discount, as a negative amount. Only the public reference documents this field."""
    subtotal: MoneyField = ABSENT
    """The price times the quantity. Only the public reference documents this field."""
    total: MoneyField = ABSENT
    """The subtotal with the discount and the added tax. Only the public reference documents this field."""
    campaign_id: Text | None = None
    """The ID of the campaign that discounts the item. Only the public reference documents this field."""
    campaign_description: Text | None = None
    """The description of the campaign that discounts the item. Only the public reference documents this field."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """Reference to the subscription item that is billed. Only the public reference documents this field."""
    service_period_starts: Timestamp | None = None
    """The start of the period for which the item is billed. Only the public reference documents this field."""
    service_period_ends: Timestamp | None = None
    """The end of the period for which the item is billed. Only the public reference documents this field."""
    related_transactions: Many[Text] = ABSENT
    """The IDs of the transactions to which a credit refers. Only the public reference documents this field."""
    item_refunds: Many[TransactionItemRefundSummary] = ABSENT
    """A summary of each refund of the item. Only the public reference documents this field."""


class Transaction(Model):
    """A movement of money on a payment method, from authorization to capture."""

    object: Literal["Transaction"] = "Transaction"
    """The name of the resource type, always `Transaction`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters; the service generates an ID if the request has none."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    created: Timestamp | None = None
    """When the transaction was created or, for a preview of a transaction, when it's due."""
    amount: MoneyField = ABSENT
    """The amount charged, in `currency`."""
    original_amount: MoneyField = ABSENT
    """The original amount; no source says how it differs from `amount`."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    division_number: Text | None = None
    """The number of the merchant's division at the payment processor."""
    previous_id: Text | None = None
    """The ID of an earlier transaction; no source says which one."""
    account: Ref[Account] | None = None
    """The account that is charged."""
    source_payment_method: Ref[PaymentMethod] | None = None
    """The payment method that is charged."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant and the service; keys and text values have at most 1,024 characters."""
    credit: Credit | None = None
    """The credit that paid part of the transaction."""
    status: TransactionState | None = None
    """The status; responses often contain `status_log` instead."""
    discount: MoneyField = ABSENT
    """The discount of the whole transaction."""
    subtotal: MoneyField = ABSENT
    """The sum before discount and tax."""
    total: MoneyField = ABSENT
    """The sum after discount and tax."""
    affiliate: Text | None = None
    """The affiliate, as a string; the specification doesn't define affiliates."""
    sub_affiliate: Text | None = None
    """The sub-affiliate, as a string; the specification doesn't define sub-affiliates."""
    user_agent: Masked[Text | None] = None
    """The user agent of the customer's browser."""
    preferred_notification_language: Text | None = None
    """The language of messages about the transaction, as a code."""
    source_mac_address: Masked[Text | None] = None
    """The MAC address of the customer's device."""
    source_ip: Masked[Text | None] = None
    """The customer's IP address."""
    billing_descriptor: Text | None = None
    """The text on the customer's card or bank statement; the service sends this text to the payment processor."""
    sales_tax_address: Address | None = None
    """The address for which the tax is calculated."""
    verification_code: Masked[Text | None] = None
    """A verification code. No source states what it means."""
    subscription_sequence: Integer | None = None
    """The number of the bill among all bills of the subscription, starting at 1."""
    billing_plan_sequence: Integer | None = None
    """The number of the bill among the bills of the billing plan."""
    mandate: Mandate | None = None
    """The customer's approval of direct debits."""
    original_billing_date: Timestamp | None = None
    """When the bill was originally due."""
    billing_attempt: Integer | None = None
    """The number of the attempt to collect the bill; the first attempt has the number 0."""
    subscription: Ref[Subscription] | None = None
    """Reference to the subscription that the transaction bills."""
    score: MoneyField = ABSENT
    """The risk score, 0 to 100; -1 if the score wasn't calculated."""
    score_calculated: bool | Text | None = None
    """Whether or how the score was calculated; the type of the field isn't documented."""
    score_calculated_orig: bool | Text | None = None
    """Whether or how the score was first calculated; the type of the field isn't documented."""
    score_codes: Many[ScoreCode] = ABSENT
    """The reasons for the score."""
    distance_ip_ba: MoneyField = ABSENT
    """The distance between the customer's IP address and billing address; no source documents the unit."""
    avs_code: Text | None = None
    """The result code of the address verification."""
    cvn_code: Text | None = None
    """The result code of the security code check."""
    cvn_checked: bool | None = None
    """Whether the card security code was checked."""
    policy: TransactionPolicy | list[Text] | None = None
    """The rules for the transaction, as an object in requests and as a list of strings in responses."""
    to_be_captured: bool | None = None
    """Whether to capture the amount right after the authorization; only in requests."""
    status_log: Many[TransactionStatus] = ABSENT
    """All statuses that the transaction has had, newest first. Only the public reference documents this field."""
    payment_processor: Text | None = None
    """The name of the payment processor, such as `PayPal`. Only the public reference documents this field."""
    payment_processor_transaction_id: Text | None = None
    """The payment processor's ID of the transaction. Only the public reference documents this field."""
    shipping_address: Address | None = None
    """The address to which the merchant ships goods. Only the public reference documents this field."""
    items: Many[TransactionItem] = ABSENT
    """The items that make up the amount. Only the public reference documents this field."""
    purchase_level_discount_tickets: Many[DiscountTicket] = ABSENT
    """The discounts of the whole purchase. Only the public reference documents this field."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


class Refund(Model):
    """A full or partial refund of a transaction."""

    object: Literal["Refund"] = "Refund"
    """The name of the resource type, always `Refund`. Only the public reference documents this field."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters; the service generates an ID if the request has none. Only
    the public reference documents this field."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource. Only the public reference documents this field."""
    created: Timestamp | None = None
    """When the refund was made. Only the public reference documents this field."""
    transaction: Ref[Transaction] | None = None
    """The transaction that is refunded. Only the public reference documents this field."""
    refund_items: Many[RefundItem] = ABSENT
    """The parts of the refund, each of which belongs to one item. Only the public reference documents this field."""
    refund_distribution_strategy: RefundDistributionStrategy | None = None
    """The method by which the service distributes the amount over the items. Only the public reference documents this
    field."""
    amount: MoneyField = ABSENT
    """The amount to refund, up to the amount that isn't refunded yet. Only the public reference documents this
    field."""
    amount_includes_tax: bool | None = None
    """Whether `amount` includes the tax. Only the public reference documents this field."""
    currency: Text | None = None
    """The ISO 4217 code of the currency, such as `USD`. Only the public reference documents this field."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters. Only the public reference
    documents this field."""
    note: Text | None = None
    """The merchant's note about the refund. Only the public reference documents this field."""
    token_action: RefundTokenAction | None = None
    """How the service handles the tokens that the transaction granted; the only known value is `None`. Only the public
    reference documents this field."""
    status: RefundStatus | None = None
    """The status of the refund, such as `Complete` or `Failed`. Only the public reference documents this field."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""


# Fields refer to these models by name, because this file defines the classes after the fields.
define(Account, BillingPlan, Product, Refund, Subscription, SubscriptionItem, Transaction)
