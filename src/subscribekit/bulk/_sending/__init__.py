"""Sending: the engine that hands out items, and the brakes, leases and interrupts around it."""
