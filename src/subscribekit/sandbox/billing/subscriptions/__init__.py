"""The sandbox's handlers for subscriptions: creation, changes, and cancellation."""
