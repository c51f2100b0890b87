"""Requests and responses on the wire: transports, authentication, routing, reading bodies, showing documents."""
