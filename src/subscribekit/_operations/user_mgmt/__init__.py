"""The operations of the account-lifecycle API."""
