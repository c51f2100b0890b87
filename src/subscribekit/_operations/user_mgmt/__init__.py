"""The operations of the account lifecycle interfaces (group C)."""
