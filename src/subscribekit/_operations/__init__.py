"""Describes each API operation once, with a function that does no I/O and returns an `Operation` or a `Listing`.

A module is one resource of a client, and a function with `describes` is one of its methods. Positional parameters
before a `/` and without a default come from the resource, not from the caller. `scripts/generate.py` generates the
classes from these functions.
"""
