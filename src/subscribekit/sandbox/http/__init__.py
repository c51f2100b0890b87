"""The sandbox's handling of HTTP requests and responses: authentication, routing, parsing of bodies, and paging."""
