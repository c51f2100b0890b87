"""Handlers of the account-lifecycle API."""
