"""The types of a client's `transport`, for annotations.

A blocking client takes an `HttpTransport`, an async client an `AsyncHttpTransport`: transports of httpx and of httpx2
fit, and those of libraries that derive from them, such as httpx-aiohttp.
"""

from ._core.http.given import AsyncHttpTransport, HttpTransport

__all__ = ["AsyncHttpTransport", "HttpTransport"]
