"""The command `subscribekit bulk`."""
