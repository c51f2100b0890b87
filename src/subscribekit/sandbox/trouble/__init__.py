"""Trouble on command: what a fault waits for, and what it makes of a response."""
