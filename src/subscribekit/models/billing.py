"""The models of the billing API that refer to each other: accounts, products, subscriptions, transactions, and others.

They are in one file because they refer to each other in circles: see docs/decisions/one-file-of-models.md.
"""

from datetime import datetime
from typing import Literal, NoReturn

from pydantic import AliasChoices, Field

from ._base import Model, OpenModel
from ._entitlement_decision import EntitlementDecision, decide
from ._lists import Many
from ._ref import Ref
from ._scalars import ABSENT, Identifier, Integer, Masked, MetadataField, MoneyField, ReadOnly, Text, Timestamp
from .address import Address
from .discount_ticket import DiscountTicket
from .enumerations import (
    BillingPlanPeriodType,
    BillingPlanStatus,
    BillingState,
    BrTaxCategory,
    EmailType,
    ImmediateAuthFailurePolicy,
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


class Token(Model):
    """A kind of token, such as purchase points."""

    object: Literal["Token"] = "Token"
    """Resource type."""
    id: Identifier | None = None
    """Name of the kind of token, chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    description: Text | None = None
    """The meaning of the token."""


class TokenAmount(Model):
    """A number of tokens of one kind."""

    object: Literal["TokenAmount"] = "TokenAmount"
    """Resource type."""
    token: Token | None = None
    """Kind of token."""
    amount: MoneyField = ABSENT
    """Number of tokens."""
    source: Text | None = None
    """Where the tokens come from."""
    vid: Identifier | None = None
    """Identifier assigned by the service. Published, not in the specification."""


class CurrencyAmount(Model):
    """An amount of credit in one currency."""

    object: Literal["CurrencyAmount"] = "CurrencyAmount"
    """Resource type."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    currency: Text | None = None
    """Currency code."""
    amount: MoneyField = ABSENT
    """Amount of credit."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    sort_value: Integer | None = None
    """Order in which grants are used."""
    description: Text | None = None
    """Description given with the grant."""
    reason: Text | None = None
    """Reason given with the grant."""
    granted_by_service: bool | None = Field(
        default=None, validation_alias=AliasChoices("granted_by_service", "granted_by_cashbox")
    )
    """Whether the service made the grant by itself; also read from the published name `granted_by_cashbox`."""
    granted: Timestamp | None = None
    """When the credit was first granted."""
    account: "Ref[Account] | None" = None
    """Account that holds the credit (reference)."""
    subscription: "Ref[Subscription] | None" = None
    """Subscription that holds the credit (reference)."""
    source: Text | None = None
    """Where the credit comes from. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class Credit(Model):
    """A service credit granted to an account or a subscription."""

    object: Literal["Credit"] = "Credit"
    """Resource type."""
    token_amounts: Many[TokenAmount] = ABSENT
    """Credit in tokens."""
    currency_amounts: Many[CurrencyAmount] = ABSENT
    """Credit in currencies."""


class Entitlement(Model):
    """A right in the caller's application."""

    id: Identifier | None = None
    """Name of the right, chosen by the caller."""
    object: Literal["Entitlement"] = "Entitlement"
    """Resource type."""
    description: Text | None = None
    """Description of the right."""
    account: "Ref[Account] | None" = None
    """Account that has the right (reference). Published, not in the specification."""
    subscription: "Ref[Subscription] | None" = None
    """Subscription that gives the right (reference). Published, not in the specification."""
    subscription_item: "Ref[SubscriptionItem] | None" = None
    """Item that gives the right (reference). Published, not in the specification."""
    product: "Ref[Product] | None" = None
    """Product that gives the right (reference). Published, not in the specification."""
    billing_plan: "Ref[BillingPlan] | None" = None
    """Billing plan that gives the right (reference). Published, not in the specification."""
    starts: Timestamp | None = None
    """When the right begins. Published, not in the specification."""
    ends: Timestamp | None = None
    """When the right ends, grace included. Published, not in the specification."""
    active: bool | None = None
    """Whether the right is active. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class EntitlementCheck(Model):
    """A yes or no: whether an account has an entitlement."""

    object: Literal["Boolean"] = "Boolean"
    """Resource type. Published, not in the specification."""
    state: bool | None = None
    """Yes or no. Published, not in the specification."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a EntitlementCheck is neither true nor false: write .state")


class BillingPlanPrice(Model):
    """Price of one period in one currency."""

    object: Literal["BillingPlanPrice"] = "BillingPlanPrice"
    """Resource type."""
    amount: MoneyField = ABSENT
    """Price."""
    currency: Text | None = None
    """Currency code."""
    price_list_name: Text | None = None
    """Price list."""
    token_amount: TokenAmount | None = None
    """Price in tokens."""


class BillingPlanPeriod(Model):
    """A stretch of equal billing cycles."""

    object: Literal["BillingPlanPeriod"] = "BillingPlanPeriod"
    """Resource type."""
    type: BillingPlanPeriodType | None = None
    """Unit of time."""
    quantity: Integer | None = None
    """Units of time in a cycle."""
    cycles: Integer | None = None
    """Number of cycles; 0 without end."""
    prices: Many[BillingPlanPrice] = ABSENT
    """Prices."""
    do_not_notify_first_bill: bool | None = None
    """Whether the first bill goes without a notice. Published, not in the specification."""
    expire_warning_days: Integer | None = None
    """Days before the end at which the customer is warned. Published, not in the specification."""


class BillingPlan(Model):
    """A billing and pricing schedule made of one or more periods."""

    object: Literal["BillingPlan"] = "BillingPlan"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    description: Text | None = None
    """Description."""
    status: BillingPlanStatus | None = None
    """Whether the plan is offered."""
    tax_classification: Text | None = None
    """Class of tax."""
    br_tax_category: BrTaxCategory | None = None
    """Category of tax in Brazil."""
    trial: BillingPlanPeriod | None = None
    """Trial period."""
    periods: Many[BillingPlanPeriod] = ABSENT
    """Periods, in order; only the last may be without end."""
    billing_notification_days: Integer | None = None
    """Days before a billing at which the customer is notified; none or 0 for no notice."""
    trial_end_notification_days: Integer | None = None
    """Days before the end of the trial at which the customer is notified."""
    skip_initial_billing_notification: bool | None = None
    """Whether the first billing goes without a notice."""
    end_of_life: Timestamp | None = None
    """When the plan ends; for information only."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    entitlements: Many[Entitlement] = ABSENT
    """Rights that the plan gives."""
    billing_descriptor: Text | None = None
    """Text on the customer's statement."""
    times_to_run: Text | None = None
    """How often the plan runs."""
    entitlements_valid_for: Text | None = None
    """How long rights hold."""
    repeat_every: Text | None = None
    """Interval at which the plan repeats."""
    season_set: SeasonSet | None = None
    """Seasons of a seasonal plan."""
    days_before_season_to_bill: Integer | None = None
    """Days before a season at which it is billed."""
    days_entitled_before_season: Integer | None = None
    """Days before a season at which rights begin."""
    days_entitled_after_season: Integer | None = None
    """Days after a season at which rights end."""
    entitled_off_season: bool | None = None
    """Whether rights hold between seasons."""
    used_on_subscriptions: bool | None = None
    """Whether subscriptions use the plan; read only."""
    grace_period_override: Integer | None = None
    """Days of grace, in place of the merchant's own."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class BillingPlanHistory(Model):
    """A billing plan that a subscription had from some moment on."""

    object: Literal["BillingPlanHistory"] = "BillingPlanHistory"
    """Resource type. Published, not in the specification."""
    billing_plan: BillingPlan | None = None
    """Billing plan (reference). Published, not in the specification."""
    starts: Timestamp | None = None
    """When the plan took effect. Published, not in the specification."""


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
    amount: MoneyField = ABSENT
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
    descriptions: Many[ProductDescription] = ABSENT
    """Descriptions, one for each language."""
    status: ProductStatus | None = None
    """Whether the product is sold."""
    created: Timestamp | None = None
    """When it was created."""
    tax_classification: Text | None = None
    """Class of tax."""
    br_tax_category: BrTaxCategory | None = None
    """Category of tax in Brazil."""
    default_billing_plan: Ref[BillingPlan] | None = None
    """Billing plan used where a subscription names none."""
    default_rate_plan: Ref[RatePlan] | None = None
    """Rate plan used where an item names none (reference)."""
    end_of_life: Timestamp | None = None
    """When the product ends; for information only."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    entitlements: Many[Entitlement] = ABSENT
    """Rights that the product gives."""
    inherited_entitlements: Many[Entitlement] = ABSENT
    """Rights that bundled products give."""
    billing_descriptor: Text | None = None
    """Text on the customer's statement."""
    credit_granted: Credit | None = None
    """Credit granted on purchase."""
    prices: Many[ProductPrice] = ABSENT
    """Prices; sending them replaces the whole list."""
    bundled_products: "Many[Product]" = ABSENT
    """Products in the bundle."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


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
    parent: "Account | None" = None
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
    payment_methods: Many[PaymentMethod] = ABSENT
    """Payment methods on file; in an update, those to add or change."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    tax_exemptions: Many[TaxExemption] = ABSENT
    """Exemptions from tax."""
    tokens: Many[TokenAmount] = ABSENT
    """Tokens that the account holds."""
    credit: Many[Credit] = ABSENT
    """Credit that the account holds; the service may return one object."""
    entitlements: Many[Entitlement] = ABSENT
    """Rights of the account."""
    tax_use_code: Text | None = None
    """Use code for tax."""
    discount_tickets: Many[DiscountTicket] = ABSENT
    """Discounts of the account. Published, not in the specification."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class SubscriptionItem(Model):
    """A product-based line of a subscription."""

    object: Literal["SubscriptionItem"] = "SubscriptionItem"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    index: Integer | None = None
    """Position, from 0."""
    product: Ref[Product] | None = None
    """Product."""
    campaign_id: Text | None = None
    """Campaign that discounts the item; responses only."""
    amount: MoneyField = ABSENT
    """Price in place of the product's own."""
    currency: Text | None = None
    """Currency code."""
    rate_plan: Ref[RatePlan] | None = None
    """Rate plan (reference)."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    quantity: Integer | None = None
    """Number of the product; the service takes 1 when none is given."""
    token: Token | None = None
    """Kind of token, for a price in tokens."""
    cycles: Integer | None = None
    """Number of cycles that the item is billed."""
    cycles_remaining: Integer | None = None
    """Cycles still to come."""
    created: Timestamp | None = None
    """When it was added."""
    starts: Timestamp | None = None
    """When it begins."""
    ends: Timestamp | None = None
    """When it ends."""
    discount_tickets: Many[DiscountTicket] = ABSENT
    """Discounts of the item."""
    replaces: "SubscriptionItem | None" = None
    """Item that this one replaces (reference)."""
    replaced_by: "SubscriptionItem | None" = None
    """Item that replaces this one (reference); an empty one in a request removes the item."""
    campaign_code: Text | None = None
    """Coupon or promotion code to redeem on an item that is new or replaces another one; request only.

    Published, not in the specification.
    """


class SubscriptionItemHistory(Model):
    """A change of the items of a subscription."""

    object: Literal["SubscriptionItemHistory"] = "SubscriptionItemHistory"
    """Resource type. Published, not in the specification."""
    action: SubscriptionItemAction | None = None
    """The change. Published, not in the specification."""
    effective: Timestamp | None = None
    """When it takes effect. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was done. Published, not in the specification."""
    subscription_item: SubscriptionItem | None = None
    """Item concerned. Published, not in the specification."""


class CancelReason(Model):
    """Why a subscription was cancelled."""

    reason_code: Text | None = None
    """Code of the reason; 0 to 99 are the service's own."""
    description: Text | None = None
    """Text of the reason."""
    object: Literal["CancelReason"] = "CancelReason"
    """Resource type. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service, by the conventions of the billing API."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class SubscriptionPolicy(OpenModel):
    """How the first billing is treated, request only; fields that are not documented may be given."""

    ignore_cvn_policy: bool | None = None
    """Skip the policy on card security codes. Published, not in the specification."""
    ignore_avs_policy: bool | None = None
    """Skip the policy on address checks. Published, not in the specification."""
    min_chargeback_probability: Integer | None = None
    """Risk score at which the subscription is refused, 0 to 100. Published, not in the specification."""
    immediate_auth_failure_policy: ImmediateAuthFailurePolicy | None = None
    """Reaction to a failed first authorization. Published, not in the specification."""
    validate_for_future_payment: bool | None = None
    """Check the payment method now when nothing is due. Published, not in the specification."""


class Subscription(Model):
    """An account billed over time, by a billing plan, for its items."""

    object: Literal["Subscription"] = "Subscription"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    account: Ref[Account] | None = None
    """Account that is billed."""
    status: SubscriptionStatus | None = None
    """State of the service."""
    items: Many[SubscriptionItem] = ABSENT
    """Items; in an update, the list of changes."""
    created: Timestamp | None = None
    """When the subscription was requested."""
    billing_plan: Ref[BillingPlan] | None = None
    """Billing plan."""
    payment_method: Ref[PaymentMethod] | None = None
    """Payment method."""
    source_payment_method: Ref[PaymentMethod] | None = None
    """Payment method that the payment method was made from."""
    currency: Text | None = None
    """Currency code."""
    billing_state: BillingState | None = None
    """State of the money."""
    starts: Timestamp | None = None
    """When the service begins."""
    ends: Timestamp | None = None
    """When the service ends; while it renews the same as `entitled_through` in every published sample."""
    entitled_through: Timestamp | None = None
    """Until when the customer has paid, grace included."""
    source_ip: Masked[Text | None] = None
    """Customer's address at sign-up."""
    billing_descriptor: Text | None = None
    """Text on the customer's statement."""
    billing_day: Integer | None = None
    """Usual day of the month of billing."""
    minimum_commitment: Integer | None = None
    """Cycles before which a cancellation has to be forced; 0 for none."""
    affiliate: Text | None = None
    """Affiliate."""
    sub_affiliate: Text | None = None
    """Sub-affiliate."""
    notify_on_transition: bool | None = None
    """Whether the customer is notified of the end of the trial or of the service."""
    most_recent_billing: "Ref[Transaction] | None" = None
    """Last transaction; in the response of a dry run also one that would be made now."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller; transactions inherit them."""
    credit: Credit | None = None
    """Credit of the subscription."""
    statement_format: StatementFormat | None = None
    """Form of statements."""
    invoice_terms: Integer | None = None
    """Days from a billing until its invoice is delinquent."""
    statement_offset: Integer | None = None
    """Days before a billing at which the statement is sent."""
    statement_template: Text | None = None
    """Template of statements."""
    billing_plan_campaign_code: Text | None = None
    """Coupon or promotion code for the billing plan; request only."""
    billing_plan_campaign_id: ReadOnly[Text | None] = None
    """Campaign of the billing plan; read only, refused when built."""
    unkonwn_starts: bool | None = None  # sic
    """Create in Pending Activation; misspelled on the wire, see `unknown_starts`."""
    balance: MoneyField = ABSENT
    """Amount due."""
    mandate: Mandate | None = None
    """Approval of direct debits."""
    cancel_reason: CancelReason | None = None
    """Why it was cancelled."""
    policy: SubscriptionPolicy | list[Text] | None = None
    """How the subscription is treated: an object in requests, a list of texts in responses."""
    description: Text | None = None
    """Description of the caller. Published, not in the specification."""
    next_billing: "Ref[Transaction] | None" = None
    """Preview of the next charge; absent when nothing more is due. Published, not in the specification."""
    most_recent_refunds: "Many[Ref[Refund]]" = ABSENT
    """Refunds of the last billing. Published, not in the specification."""
    billing_plan_history: ReadOnly[Many[Ref[BillingPlanHistory]]] = Field(
        default=ABSENT, validation_alias=AliasChoices("billing_plan_history", "billingPlanHistory")
    )
    """Billing plans that it had, in a response of E6 that was asked for them; read only. The name is not specified."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""

    @property
    def unknown_starts(self) -> bool | None:
        """Whether the subscription is created in Pending Activation; `unkonwn_starts` on the wire."""
        return self.unkonwn_starts

    @unknown_starts.setter
    def unknown_starts(self, value: bool | None) -> None:
        self.unkonwn_starts = value

    def entitlement_at(self, at: datetime) -> EntitlementDecision:
        """Tell whether the subscription entitles its customer at a moment, from its state and dates.

        The states are those at the time of the response: for another moment, only the dates speak.

        Raises:
            ValueError: `at` has no time zone.
            TypeError: `at` is no datetime.
        """
        return decide(self, at)


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
    amount: MoneyField = ABSENT
    """Amount of tax. Published, not in the specification."""
    external_tax_name: Text | None = None
    """Name at the tax engine. Published, not in the specification."""
    external_jurisdiction_name: Text | None = None
    """Jurisdiction at the tax engine. Published, not in the specification."""
    tax_rate: MoneyField = ABSENT
    """Rate. Published, not in the specification."""


class TransactionItemRefundSummary(Model):
    """A refund of one item."""

    object: Literal["TransactionItemRefundSummary"] = "TransactionItemRefundSummary"
    """Resource type. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was made. Published, not in the specification."""
    amount: MoneyField = ABSENT
    """Amount refunded. Published, not in the specification."""
    tax: MoneyField = ABSENT
    """Tax refunded. Published, not in the specification."""
    tax_only: bool | None = None
    """Whether only tax was refunded. Published, not in the specification."""
    refund: "Ref[Refund] | None" = None
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
    price: MoneyField = ABSENT
    """Price of one. Published, not in the specification."""
    quantity: MoneyField = ABSENT
    """Number. Published, not in the specification."""
    tax_classification: Text | None = None
    """Class of tax. Published, not in the specification."""
    tax_type: TaxType | None = None
    """Whether tax is added to the price or contained in it. Published, not in the specification."""
    tax: Many[TaxItem] = ABSENT
    """Taxes. Published, not in the specification."""
    discount: MoneyField = ABSENT
    """Discount, negative. Published, not in the specification."""
    subtotal: MoneyField = ABSENT
    """Price times quantity. Published, not in the specification."""
    total: MoneyField = ABSENT
    """Subtotal with discount and added tax. Published, not in the specification."""
    campaign_id: Text | None = None
    """Campaign that discounts it. Published, not in the specification."""
    campaign_description: Text | None = None
    """Text of that campaign. Published, not in the specification."""
    subscription_item: Ref[SubscriptionItem] | None = None
    """Subscription item (reference). Published, not in the specification."""
    service_period_starts: Timestamp | None = None
    """Begin of the period served. Published, not in the specification."""
    service_period_ends: Timestamp | None = None
    """End of the period served. Published, not in the specification."""
    related_transactions: Many[Text] = ABSENT
    """Transactions behind a credit. Published, not in the specification."""
    item_refunds: Many[TransactionItemRefundSummary] = ABSENT
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
    amount: MoneyField = ABSENT
    """Amount charged."""
    original_amount: MoneyField = ABSENT
    """Amount at first."""
    currency: Text | None = None
    """Currency code."""
    division_number: Text | None = None
    """Division of the merchant at the processor."""
    previous_id: Text | None = None
    """Transaction before this one."""
    account: Ref[Account] | None = None
    """Account that is charged."""
    source_payment_method: Ref[PaymentMethod] | None = None
    """Payment method that is charged."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller and the service."""
    credit: Credit | None = None
    """Credit used."""
    status: TransactionState | None = None
    """State; responses often carry `status_log` in its place."""
    discount: MoneyField = ABSENT
    """Discount."""
    subtotal: MoneyField = ABSENT
    """Sum before discount and tax."""
    total: MoneyField = ABSENT
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
    subscription: Ref[Subscription] | None = None
    """Subscription (reference)."""
    score: MoneyField = ABSENT
    """Risk score, 0 to 100; -1 when not computed."""
    score_calculated: bool | Text | None = None
    """Calculation of the score; its kind is not shown."""
    score_calculated_orig: bool | Text | None = None
    """First calculation of the score; its kind is not shown."""
    score_codes: Many[ScoreCode] = ABSENT
    """Reasons for the score."""
    distance_ip_ba: MoneyField = ABSENT
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
    status_log: Many[TransactionStatus] = ABSENT
    """States, newest first. Published, not in the specification."""
    payment_processor: Text | None = None
    """Processor. Published, not in the specification."""
    payment_processor_transaction_id: Text | None = None
    """Transaction at the processor. Published, not in the specification."""
    shipping_address: Address | None = None
    """Shipping address. Published, not in the specification."""
    items: Many[TransactionItem] = ABSENT
    """Lines. Published, not in the specification."""
    purchase_level_discount_tickets: Many[DiscountTicket] = ABSENT
    """Discounts of the whole purchase. Published, not in the specification."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


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
    amount: MoneyField = ABSENT
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
    transaction: Ref[Transaction] | None = None
    """Transaction that is refunded. Published, not in the specification."""
    refund_items: Many[RefundItem] = ABSENT
    """Spread over the items. Published, not in the specification."""
    refund_distribution_strategy: RefundDistributionStrategy | None = None
    """How it is spread. Published, not in the specification."""
    amount: MoneyField = ABSENT
    """Amount, at most what is not yet refunded. Published, not in the specification."""
    amount_includes_tax: bool | None = None
    """Whether `amount` contains the tax. Published, not in the specification."""
    currency: Text | None = None
    """Currency code. Published, not in the specification."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller. Published, not in the specification."""
    note: Text | None = None
    """Remark. Published, not in the specification."""
    token_action: RefundTokenAction | None = None
    """Treatment of tokens that were granted. Published, not in the specification."""
    status: RefundStatus | None = None
    """State. Published, not in the specification."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


# These models refer to models that are defined below them, whose names pydantic can resolve now.
CurrencyAmount.model_rebuild()
Entitlement.model_rebuild()
Subscription.model_rebuild()
TransactionItemRefundSummary.model_rebuild()
