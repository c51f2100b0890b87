"""Subscriptions: accounts billed over time for products."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import AliasChoices, Field

from ._base import Model, OpenModel
from ._entitlement_decision import EntitlementDecision, decide
from ._lists import Many
from ._references import Account, BillingPlan, BillingPlanHistory, PaymentMethod, Refund, Transaction
from ._scalars import UNSET, Identifier, Integer, Masked, MetadataField, MoneyField, ReadOnly, Text, Timestamp
from .credit import Credit
from .enumerations import BillingState, ImmediateAuthFailurePolicy, StatementFormat, SubscriptionStatus
from .mandate import Mandate
from .subscription_item import SubscriptionItem


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
    account: Account | None = None
    """Account that is billed."""
    status: SubscriptionStatus | None = None
    """State of the service."""
    items: Many[SubscriptionItem] = UNSET
    """Items; in an update, the list of changes."""
    created: Timestamp | None = None
    """When the subscription was requested."""
    billing_plan: BillingPlan | None = None
    """Billing plan."""
    payment_method: PaymentMethod | None = None
    """Payment method."""
    source_payment_method: PaymentMethod | None = None
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
    most_recent_billing: Transaction | None = None
    """Last transaction; in the response of a dry run also one that would be made now."""
    metadata: Masked[MetadataField] = UNSET
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
    balance: MoneyField = UNSET
    """Amount due."""
    mandate: Mandate | None = None
    """Approval of direct debits."""
    cancel_reason: CancelReason | None = None
    """Why it was cancelled."""
    policy: SubscriptionPolicy | list[Text] | None = None
    """How the subscription is treated: an object in requests, a list of texts in responses."""
    description: Text | None = None
    """Description of the caller. Published, not in the specification."""
    next_billing: Transaction | None = None
    """Preview of the next charge; absent when nothing more is due. Published, not in the specification."""
    most_recent_refunds: Many[Refund] = UNSET
    """Refunds of the last billing. Published, not in the specification."""
    billing_plan_history: ReadOnly[Many[BillingPlanHistory]] = Field(
        default=UNSET, validation_alias=AliasChoices("billing_plan_history", "billingPlanHistory")
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
