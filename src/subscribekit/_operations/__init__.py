"""Describes each API operation once, with a function that does no I/O and returns an `Operation` or a `Listing`.

Each module is for one resource of a client. Each function with the decorator `describes` is for one method of the
resource. If a function has a `/`, the resource passes the parameters before the `/` that have no default. The caller of
the method passes all other parameters. `scripts/generate.py` generates the classes from these functions.
"""
