"""Describes each API operation once, with a function that does no I/O and returns an `Operation` or a `Listing`.

Each module describes the methods of one resource, such as `client.accounts`. Each function with the decorator
`describes` describes one method. If the signature of the function contains `/`, the resource itself passes the
arguments before `/` that have no default. The caller of the method passes all other arguments. `scripts/generate.py`
generates the classes of the resources from these functions.
"""
