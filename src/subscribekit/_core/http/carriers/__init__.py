"""Carriers of requests: clients and transports of httpx and httpx2, with the SDK's own connections in them or not."""
