"""The HTTP backends: clients and transports of httpx and httpx2, with or without the SDK's own connections."""
