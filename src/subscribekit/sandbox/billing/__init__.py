"""Handlers of the billing API."""
