"""Group C: the account lifecycle."""
