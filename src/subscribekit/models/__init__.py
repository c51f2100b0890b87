"""Models of the resources of the service, imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from subscribekit.models._names import MODULE_OF

if TYPE_CHECKING:
    from subscribekit.models._base import CamelModel, Model, OpenModel, sensitive_fields
    from subscribekit.models._lists import ModelList
    from subscribekit.models._scalars import Sensitive
    from subscribekit.models._stored import from_json, to_json
    from subscribekit.models.account import Account, TaxExemption
    from subscribekit.models.account_association import (
        AccountAssociation,
        AccountAssociationAttributes,
        BssAccount,
        BssAddress,
        PaymentDetail,
        PaymentProviderSubscription,
        SubscriptionEntity,
        SubscriptionEntityAttributes,
    )
    from subscribekit.models.activity import (
        Activity,
        ActivityCancellation,
        ActivityFulfillment,
        ActivityLogin,
        ActivityLogout,
        ActivityNamedValue,
        ActivityNote,
        ActivityPhone,
        ActivityURIView,
        ActivityUsage,
    )
    from subscribekit.models.address import Address
    from subscribekit.models.billing_plan import BillingPlan, BillingPlanHistory, BillingPlanPeriod, BillingPlanPrice
    from subscribekit.models.campaign import Campaign, CampaignCode, CampaignCoupon, FlatAmountDiscount
    from subscribekit.models.carrier_billing import CarrierBilling, PaymentProvider, PhoneNumber, PriceCriteria
    from subscribekit.models.credit import Credit, CurrencyAmount, Token, TokenAmount
    from subscribekit.models.credit_card import CreditCard, ExtendedCardAttributes
    from subscribekit.models.discount_ticket import DiscountTicket
    from subscribekit.models.dispute import Charge, Chargeback
    from subscribekit.models.entitlement import BooleanAnswer, Entitlement
    from subscribekit.models.entitlement_charge import EntitlementCharge, EntitlementChargeReceipt
    from subscribekit.models.entity import Association, Entity
    from subscribekit.models.enumerations import (
        ActivityInitiator,
        ActivityPhoneType,
        ActivityType,
        AddressVerification,
        BillingPlanPeriodType,
        BillingPlanStatus,
        BillingState,
        BillingStatus,
        BrTaxCategory,
        CampaignDiscountMethod,
        CampaignState,
        CampaignType,
        CarrierBillingAccountIdentifierType,
        ChargeCustomer,
        CustomerIdentifierType,
        DynamicPriceMode,
        EmailType,
        EntityStatus,
        HashType,
        ImmediateAuthFailurePolicy,
        InvoiceItemType,
        InvoiceStatus,
        MandateStatus,
        OverageDisposition,
        PartnerSubscriptionType,
        PaymentMethodType,
        PaymentStatus,
        PeriodLength,
        PhoneType,
        PricePointDeviationPolicy,
        ProductStatus,
        RatedUnitMultiplication,
        RatePlanModel,
        RatePlanStatus,
        RefundDistributionStrategy,
        RefundStatus,
        RefundTokenAction,
        Stackability,
        StatementFormat,
        StorefrontPaymentMethodType,
        SubscriptionItemAction,
        SubscriptionStatus,
        TaxType,
        TransactionItemType,
        TransactionState,
        TransactionStatusValue,
    )
    from subscribekit.models.gift_card import GiftCard, GiftCardRedemption
    from subscribekit.models.invoice import Invoice, InvoiceItem
    from subscribekit.models.mandate import Mandate
    from subscribekit.models.partner_subscription import PartnerSubscription
    from subscribekit.models.payment import Payment
    from subscribekit.models.payment_instruments import (
        Amazon,
        ApplePay,
        DirectDebit,
        ExternalBilling,
        GooglePay,
        MerchantAcceptedPayment,
        PayPal,
    )
    from subscribekit.models.payment_method import PaymentMethod, PaymentMethodPolicy
    from subscribekit.models.policies import CancelFeePolicy, Diagnostics, ReasonCode
    from subscribekit.models.product import Product, ProductDescription, ProductPrice
    from subscribekit.models.rate_plan import RatedUnit, RatePlan, RatePlanPrice, RatePlanTier
    from subscribekit.models.refund import Refund, RefundItem
    from subscribekit.models.season_set import Season, SeasonSet
    from subscribekit.models.storefront import (
        StorefrontCreditCard,
        StorefrontDebitCard,
        StorefrontExternalBilling,
        StorefrontMerchantAcceptedPayment,
        StorefrontPaymentMethod,
    )
    from subscribekit.models.subscription import CancelReason, Entitled, Subscription, SubscriptionPolicy
    from subscribekit.models.subscription_item import SubscriptionItem, SubscriptionItemHistory
    from subscribekit.models.transaction import (
        ScoreCode,
        TaxItem,
        Transaction,
        TransactionItem,
        TransactionItemRefundSummary,
        TransactionPolicy,
    )
    from subscribekit.models.transaction_status import (
        TransactionStatus,
        TransactionStatusCreditCard,
        TransactionStatusDirectDebit,
        TransactionStatusPayPal,
    )
    from subscribekit.models.usage import Event, EventSummary, RatableUsageMetric

__all__ = [
    "Account",
    "AccountAssociation",
    "AccountAssociationAttributes",
    "Activity",
    "ActivityCancellation",
    "ActivityFulfillment",
    "ActivityInitiator",
    "ActivityLogin",
    "ActivityLogout",
    "ActivityNamedValue",
    "ActivityNote",
    "ActivityPhone",
    "ActivityPhoneType",
    "ActivityType",
    "ActivityURIView",
    "ActivityUsage",
    "Address",
    "AddressVerification",
    "Amazon",
    "ApplePay",
    "Association",
    "BillingPlan",
    "BillingPlanHistory",
    "BillingPlanPeriod",
    "BillingPlanPeriodType",
    "BillingPlanPrice",
    "BillingPlanStatus",
    "BillingState",
    "BillingStatus",
    "BooleanAnswer",
    "BrTaxCategory",
    "BssAccount",
    "BssAddress",
    "CamelModel",
    "Campaign",
    "CampaignCode",
    "CampaignCoupon",
    "CampaignDiscountMethod",
    "CampaignState",
    "CampaignType",
    "CancelFeePolicy",
    "CancelReason",
    "CarrierBilling",
    "CarrierBillingAccountIdentifierType",
    "Charge",
    "ChargeCustomer",
    "Chargeback",
    "Credit",
    "CreditCard",
    "CurrencyAmount",
    "CustomerIdentifierType",
    "Diagnostics",
    "DirectDebit",
    "DiscountTicket",
    "DynamicPriceMode",
    "EmailType",
    "Entitled",
    "Entitlement",
    "EntitlementCharge",
    "EntitlementChargeReceipt",
    "Entity",
    "EntityStatus",
    "Event",
    "EventSummary",
    "ExtendedCardAttributes",
    "ExternalBilling",
    "FlatAmountDiscount",
    "GiftCard",
    "GiftCardRedemption",
    "GooglePay",
    "HashType",
    "ImmediateAuthFailurePolicy",
    "Invoice",
    "InvoiceItem",
    "InvoiceItemType",
    "InvoiceStatus",
    "Mandate",
    "MandateStatus",
    "MerchantAcceptedPayment",
    "Model",
    "ModelList",
    "OpenModel",
    "OverageDisposition",
    "PartnerSubscription",
    "PartnerSubscriptionType",
    "PayPal",
    "Payment",
    "PaymentDetail",
    "PaymentMethod",
    "PaymentMethodPolicy",
    "PaymentMethodType",
    "PaymentProvider",
    "PaymentProviderSubscription",
    "PaymentStatus",
    "PeriodLength",
    "PhoneNumber",
    "PhoneType",
    "PriceCriteria",
    "PricePointDeviationPolicy",
    "Product",
    "ProductDescription",
    "ProductPrice",
    "ProductStatus",
    "RatableUsageMetric",
    "RatePlan",
    "RatePlanModel",
    "RatePlanPrice",
    "RatePlanStatus",
    "RatePlanTier",
    "RatedUnit",
    "RatedUnitMultiplication",
    "ReasonCode",
    "Refund",
    "RefundDistributionStrategy",
    "RefundItem",
    "RefundStatus",
    "RefundTokenAction",
    "ScoreCode",
    "Season",
    "SeasonSet",
    "Sensitive",
    "Stackability",
    "StatementFormat",
    "StorefrontCreditCard",
    "StorefrontDebitCard",
    "StorefrontExternalBilling",
    "StorefrontMerchantAcceptedPayment",
    "StorefrontPaymentMethod",
    "StorefrontPaymentMethodType",
    "Subscription",
    "SubscriptionEntity",
    "SubscriptionEntityAttributes",
    "SubscriptionItem",
    "SubscriptionItemAction",
    "SubscriptionItemHistory",
    "SubscriptionPolicy",
    "SubscriptionStatus",
    "TaxExemption",
    "TaxItem",
    "TaxType",
    "Token",
    "TokenAmount",
    "Transaction",
    "TransactionItem",
    "TransactionItemRefundSummary",
    "TransactionItemType",
    "TransactionPolicy",
    "TransactionState",
    "TransactionStatus",
    "TransactionStatusCreditCard",
    "TransactionStatusDirectDebit",
    "TransactionStatusPayPal",
    "TransactionStatusValue",
    "from_json",
    "sensitive_fields",
    "to_json",
]


def __getattr__(name: str) -> object:
    module = MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
