"""Handlers for subscriptions: creation, changes, and cancellation."""
