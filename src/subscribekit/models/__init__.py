"""Models of the service's resources. Python imports each model when it's first used.

`tests/models/models_public_names.py` generates the two lists of names in this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy import imported
from ._names import MODULE_OF

if TYPE_CHECKING:
    from ._base import CamelModel as CamelModel
    from ._base import Model as Model
    from ._base import OpenModel as OpenModel
    from ._entitlement_decision import EntitlementDecision as EntitlementDecision
    from ._fields import sensitive_fields as sensitive_fields
    from ._lists import ModelList as ModelList
    from ._scalars import Sensitive as Sensitive
    from ._stored import from_json as from_json
    from ._stored import to_json as to_json
    from .account_association import AccountAssociation as AccountAssociation
    from .account_association import AccountAssociationAttributes as AccountAssociationAttributes
    from .account_association import BssAccount as BssAccount
    from .account_association import BssAddress as BssAddress
    from .account_association import PaymentDetail as PaymentDetail
    from .account_association import PaymentProviderSubscription as PaymentProviderSubscription
    from .account_association import SubscriptionEntity as SubscriptionEntity
    from .account_association import SubscriptionEntityAttributes as SubscriptionEntityAttributes
    from .activity import Activity as Activity
    from .activity import ActivityCancellation as ActivityCancellation
    from .activity import ActivityFulfillment as ActivityFulfillment
    from .activity import ActivityLogin as ActivityLogin
    from .activity import ActivityLogout as ActivityLogout
    from .activity import ActivityNamedValue as ActivityNamedValue
    from .activity import ActivityNote as ActivityNote
    from .activity import ActivityPhone as ActivityPhone
    from .activity import ActivityURIView as ActivityURIView
    from .activity import ActivityUsage as ActivityUsage
    from .address import Address as Address
    from .billing import Account as Account
    from .billing import BillingPlan as BillingPlan
    from .billing import BillingPlanHistory as BillingPlanHistory
    from .billing import Credit as Credit
    from .billing import CurrencyAmount as CurrencyAmount
    from .billing import Entitlement as Entitlement
    from .billing import EntitlementCheck as EntitlementCheck
    from .billing import Product as Product
    from .billing import Refund as Refund
    from .billing import Subscription as Subscription
    from .billing import SubscriptionItem as SubscriptionItem
    from .billing import SubscriptionItemHistory as SubscriptionItemHistory
    from .billing import Transaction as Transaction
    from .billing import TransactionItem as TransactionItem
    from .billing import TransactionItemRefundSummary as TransactionItemRefundSummary
    from .billing_parts import BillingPlanPeriod as BillingPlanPeriod
    from .billing_parts import BillingPlanPrice as BillingPlanPrice
    from .billing_parts import CancelReason as CancelReason
    from .billing_parts import ProductDescription as ProductDescription
    from .billing_parts import ProductPrice as ProductPrice
    from .billing_parts import RefundItem as RefundItem
    from .billing_parts import ScoreCode as ScoreCode
    from .billing_parts import SubscriptionPolicy as SubscriptionPolicy
    from .billing_parts import TaxExemption as TaxExemption
    from .billing_parts import TaxItem as TaxItem
    from .billing_parts import Token as Token
    from .billing_parts import TokenAmount as TokenAmount
    from .billing_parts import TransactionPolicy as TransactionPolicy
    from .campaign import Campaign as Campaign
    from .campaign import CampaignCode as CampaignCode
    from .campaign import CampaignCoupon as CampaignCoupon
    from .campaign import FlatAmountDiscount as FlatAmountDiscount
    from .carrier_billing import CarrierBilling as CarrierBilling
    from .carrier_billing import PaymentProvider as PaymentProvider
    from .carrier_billing import PhoneNumber as PhoneNumber
    from .carrier_billing import PriceCriteria as PriceCriteria
    from .credit_card import CreditCard as CreditCard
    from .credit_card import ExtendedCardAttributes as ExtendedCardAttributes
    from .discount_ticket import DiscountTicket as DiscountTicket
    from .dispute import Charge as Charge
    from .dispute import Chargeback as Chargeback
    from .entitlement_charge import EntitlementCharge as EntitlementCharge
    from .entitlement_charge import EntitlementChargeReceipt as EntitlementChargeReceipt
    from .entity import Association as Association
    from .entity import Entity as Entity
    from .enumerations import ActivityInitiator as ActivityInitiator
    from .enumerations import ActivityPhoneType as ActivityPhoneType
    from .enumerations import ActivityType as ActivityType
    from .enumerations import AddressVerification as AddressVerification
    from .enumerations import BillingPlanPeriodType as BillingPlanPeriodType
    from .enumerations import BillingPlanStatus as BillingPlanStatus
    from .enumerations import BillingState as BillingState
    from .enumerations import BillingStatus as BillingStatus
    from .enumerations import BrTaxCategory as BrTaxCategory
    from .enumerations import CampaignDiscountMethod as CampaignDiscountMethod
    from .enumerations import CampaignState as CampaignState
    from .enumerations import CampaignType as CampaignType
    from .enumerations import CarrierBillingAccountIdentifierType as CarrierBillingAccountIdentifierType
    from .enumerations import ChargeCustomer as ChargeCustomer
    from .enumerations import CustomerIdentifierType as CustomerIdentifierType
    from .enumerations import DynamicPriceMode as DynamicPriceMode
    from .enumerations import EmailType as EmailType
    from .enumerations import EntityStatus as EntityStatus
    from .enumerations import HashType as HashType
    from .enumerations import ImmediateAuthFailurePolicy as ImmediateAuthFailurePolicy
    from .enumerations import InvoiceItemType as InvoiceItemType
    from .enumerations import InvoiceStatus as InvoiceStatus
    from .enumerations import MandateStatus as MandateStatus
    from .enumerations import OverageDisposition as OverageDisposition
    from .enumerations import PartnerSubscriptionType as PartnerSubscriptionType
    from .enumerations import PaymentMethodType as PaymentMethodType
    from .enumerations import PaymentStatus as PaymentStatus
    from .enumerations import PeriodLength as PeriodLength
    from .enumerations import PhoneType as PhoneType
    from .enumerations import PricePointDeviationPolicy as PricePointDeviationPolicy
    from .enumerations import ProductStatus as ProductStatus
    from .enumerations import RatedUnitMultiplication as RatedUnitMultiplication
    from .enumerations import RatePlanModel as RatePlanModel
    from .enumerations import RatePlanStatus as RatePlanStatus
    from .enumerations import RefundDistributionStrategy as RefundDistributionStrategy
    from .enumerations import RefundStatus as RefundStatus
    from .enumerations import RefundTokenAction as RefundTokenAction
    from .enumerations import Stackability as Stackability
    from .enumerations import StatementFormat as StatementFormat
    from .enumerations import StorefrontPaymentMethodType as StorefrontPaymentMethodType
    from .enumerations import SubscriptionItemAction as SubscriptionItemAction
    from .enumerations import SubscriptionStatus as SubscriptionStatus
    from .enumerations import TaxType as TaxType
    from .enumerations import TransactionItemType as TransactionItemType
    from .enumerations import TransactionState as TransactionState
    from .enumerations import TransactionStatusValue as TransactionStatusValue
    from .gift_card import GiftCard as GiftCard
    from .gift_card import GiftCardRedemption as GiftCardRedemption
    from .invoice import Invoice as Invoice
    from .invoice import InvoiceItem as InvoiceItem
    from .mandate import Mandate as Mandate
    from .partner_subscription import PartnerSubscription as PartnerSubscription
    from .payment import Payment as Payment
    from .payment_instruments import Amazon as Amazon
    from .payment_instruments import ApplePay as ApplePay
    from .payment_instruments import DirectDebit as DirectDebit
    from .payment_instruments import ExternalBilling as ExternalBilling
    from .payment_instruments import GooglePay as GooglePay
    from .payment_instruments import MerchantAcceptedPayment as MerchantAcceptedPayment
    from .payment_instruments import PayPal as PayPal
    from .payment_method import PaymentMethod as PaymentMethod
    from .payment_method import PaymentMethodPolicy as PaymentMethodPolicy
    from .policies import CancelFeePolicy as CancelFeePolicy
    from .policies import Diagnostics as Diagnostics
    from .policies import ReasonCode as ReasonCode
    from .rate_plan import RatedUnit as RatedUnit
    from .rate_plan import RatePlan as RatePlan
    from .rate_plan import RatePlanPrice as RatePlanPrice
    from .rate_plan import RatePlanTier as RatePlanTier
    from .season_set import Season as Season
    from .season_set import SeasonSet as SeasonSet
    from .storefront import StorefrontCreditCard as StorefrontCreditCard
    from .storefront import StorefrontDebitCard as StorefrontDebitCard
    from .storefront import StorefrontExternalBilling as StorefrontExternalBilling
    from .storefront import StorefrontMerchantAcceptedPayment as StorefrontMerchantAcceptedPayment
    from .storefront import StorefrontPaymentMethod as StorefrontPaymentMethod
    from .transaction_status import TransactionStatus as TransactionStatus
    from .transaction_status import TransactionStatusCreditCard as TransactionStatusCreditCard
    from .transaction_status import TransactionStatusDirectDebit as TransactionStatusDirectDebit
    from .transaction_status import TransactionStatusPayPal as TransactionStatusPayPal
    from .usage import Event as Event
    from .usage import EventSummary as EventSummary
    from .usage import RatableUsageMetric as RatableUsageMetric

    __all__: list[str]
else:
    __all__ = sorted(MODULE_OF)  # noqa: PLE0605  the imports say of each name that it is public


def __getattr__(name: str) -> object:
    value = imported(__name__, MODULE_OF, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
