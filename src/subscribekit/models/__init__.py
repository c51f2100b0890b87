"""Models of the resources of the service, imported when first used.

The two lists of names are written by `tests/models/models_public_names.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ._names import MODULE_OF

if TYPE_CHECKING:
    from ._base import CamelModel, Model, OpenModel, sensitive_fields
    from ._entitled import Entitled
    from ._lists import ModelList
    from ._scalars import Sensitive
    from ._stored import from_json, to_json
    from .account import Account, TaxExemption
    from .account_association import (
        AccountAssociation,
        AccountAssociationAttributes,
        BssAccount,
        BssAddress,
        PaymentDetail,
        PaymentProviderSubscription,
        SubscriptionEntity,
        SubscriptionEntityAttributes,
    )
    from .activity import (
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
    from .address import Address
    from .billing_plan import BillingPlan, BillingPlanHistory, BillingPlanPeriod, BillingPlanPrice
    from .campaign import Campaign, CampaignCode, CampaignCoupon, FlatAmountDiscount
    from .carrier_billing import CarrierBilling, PaymentProvider, PhoneNumber, PriceCriteria
    from .credit import Credit, CurrencyAmount, Token, TokenAmount
    from .credit_card import CreditCard, ExtendedCardAttributes
    from .discount_ticket import DiscountTicket
    from .dispute import Charge, Chargeback
    from .entitlement import BooleanAnswer, Entitlement
    from .entitlement_charge import EntitlementCharge, EntitlementChargeReceipt
    from .entity import Association, Entity
    from .enumerations import (
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
    from .gift_card import GiftCard, GiftCardRedemption
    from .invoice import Invoice, InvoiceItem
    from .mandate import Mandate
    from .partner_subscription import PartnerSubscription
    from .payment import Payment
    from .payment_instruments import (
        Amazon,
        ApplePay,
        DirectDebit,
        ExternalBilling,
        GooglePay,
        MerchantAcceptedPayment,
        PayPal,
    )
    from .payment_method import PaymentMethod, PaymentMethodPolicy
    from .policies import CancelFeePolicy, Diagnostics, ReasonCode
    from .product import Product, ProductDescription, ProductPrice
    from .rate_plan import RatedUnit, RatePlan, RatePlanPrice, RatePlanTier
    from .refund import Refund, RefundItem
    from .season_set import Season, SeasonSet
    from .storefront import (
        StorefrontCreditCard,
        StorefrontDebitCard,
        StorefrontExternalBilling,
        StorefrontMerchantAcceptedPayment,
        StorefrontPaymentMethod,
    )
    from .subscription import CancelReason, Subscription, SubscriptionPolicy
    from .subscription_item import SubscriptionItem, SubscriptionItemHistory
    from .transaction import (
        ScoreCode,
        TaxItem,
        Transaction,
        TransactionItem,
        TransactionItemRefundSummary,
        TransactionPolicy,
    )
    from .transaction_status import (
        TransactionStatus,
        TransactionStatusCreditCard,
        TransactionStatusDirectDebit,
        TransactionStatusPayPal,
    )
    from .usage import Event, EventSummary, RatableUsageMetric

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
