"""Describes each API operation once, with a function that does no I/O and returns an `Operation` or a `Listing`.

Each module is for one resource of a client. Each function with the decorator `describes` is for one method of the
resource. The resource passes the positional parameters that precede a `/` and have no default; the caller passes all
other parameters. `scripts/generate.py` generates the classes from these functions.
"""
