"""The billing REST API (group A)."""

from .client import AsyncBillingClient, BillingClient

__all__ = ["AsyncBillingClient", "BillingClient"]
