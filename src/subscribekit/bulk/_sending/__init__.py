"""Sends the items of a run: the engine and its workers, with leases, stop rules, rate limits, and interrupts."""
