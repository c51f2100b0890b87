"""Requests and responses of the sandbox: authentication, routing, parsing of bodies, and paging."""
