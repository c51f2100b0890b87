"""The command `subscribekit doctor`."""
