"""A call before it is sent: its plan, the request that is prepared, and both as data in a ledger."""
