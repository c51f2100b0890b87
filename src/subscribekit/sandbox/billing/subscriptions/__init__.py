"""The handlers of subscriptions: sign-up, changes, cancellation."""
