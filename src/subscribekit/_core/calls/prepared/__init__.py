"""Prepared requests: the exact request of a call before it's sent, its pickle, and its stored form in a ledger."""
