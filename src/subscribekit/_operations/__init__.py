"""Describes each operation once, in a function that does no I/O and returns an `Operation` or a `Listing`.

A module is a resource of a client, and a function with `describes` is one of its methods. Positional-only parameters
without a default come from the resource, not from the caller. `scripts/generate.py` generates the classes from these
functions.

Most modules set `__tracebackhide__`, so that pytest shows the caller's line for an error, not a line of the SDK.
"""
