"""Typed Python SDK for a subscription-billing platform."""
