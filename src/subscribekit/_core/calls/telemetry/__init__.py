"""Observers, B3 trace IDs, and log records of calls."""
