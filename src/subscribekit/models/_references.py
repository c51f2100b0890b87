"""The models that models of other files refer to, as field types without the import of their files.

Checkers see the models themselves. When a program runs, each name is a reference that is bound late.
"""

# ruff: noqa: PLC0414  the alias says that a name is for other modules

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from ._late import Late
from ._names import MODULE_OF

if TYPE_CHECKING:
    from .account import Account as Account
    from .billing_plan import BillingPlan as BillingPlan
    from .billing_plan import BillingPlanHistory as BillingPlanHistory
    from .carrier_billing import CarrierBilling as CarrierBilling
    from .payment_instruments import Amazon as Amazon
    from .payment_instruments import ApplePay as ApplePay
    from .payment_instruments import DirectDebit as DirectDebit
    from .payment_instruments import ExternalBilling as ExternalBilling
    from .payment_instruments import GooglePay as GooglePay
    from .payment_instruments import MerchantAcceptedPayment as MerchantAcceptedPayment
    from .payment_instruments import PayPal as PayPal
    from .payment_method import PaymentMethod as PaymentMethod
    from .product import Product as Product
    from .rate_plan import RatePlan as RatePlan
    from .refund import Refund as Refund
    from .subscription import Subscription as Subscription
    from .subscription_item import SubscriptionItem as SubscriptionItem
    from .transaction import Transaction as Transaction
    from .transaction_status import TransactionStatus as TransactionStatus
else:

    @cache
    def __getattr__(name):
        if name not in MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return Annotated[Any, Late(MODULE_OF[name], name)]
