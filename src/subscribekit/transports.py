"""The types of a client's `transport`, for annotations.

A blocking client takes an `HttpTransport`, an async client an `AsyncHttpTransport`: transports of httpx and of httpx2
fit, and those of libraries that derive from them, such as httpx-aiohttp. A transport that goes through a proxy of its
own is taken at its word: it reports the request that opens the tunnel like the call's own, so a write that fails there
has an unknown outcome; the client's argument `proxy` can tell the two apart.
"""

from ._core.http.given import AsyncHttpTransport, HttpTransport

__all__ = ["AsyncHttpTransport", "HttpTransport"]
