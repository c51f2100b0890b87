"""Prepared requests: the request of a call before it is sent, its pickle, and its data in a ledger."""
