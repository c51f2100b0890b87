"""Stores the items of a run in a SQLite or PostgreSQL database."""
