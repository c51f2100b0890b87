"""Functions that change responses for faults: they add headers, change pages of lists, and create errors."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from typing import cast
from urllib.parse import urlencode

from ..._json import decode, encode
from ..http.wire import Group, SandboxRequest, SandboxResponse
from ..service import Service
from ..values import Document, Value

_CURSORS = frozenset({"starting_after", "ending_before"})


def continues(request: SandboxRequest) -> bool:
    """Return whether a request fetches the page after a cursor."""
    return "starting_after" in dict(request.query)


def goes_ahead(request: SandboxRequest) -> bool:
    """Return whether a request reads a list from the first item to the last item, and not backward."""
    return "ending_before" not in dict(request.query)


def next_address(request: SandboxRequest, cursor: str) -> str:
    """Return the address of the page after a cursor, with the other query parameters of the request."""
    others = [(name, value) for name, value in request.query if name not in _CURSORS]
    return f"{request.path}?{urlencode([*others, ('starting_after', cursor)])}"


def on_page(
    change: Callable[[SandboxRequest, Document, Service], None],
) -> Callable[[Service, SandboxRequest], SandboxResponse]:
    """Return the `act` function of a fault that changes pages of lists, but no other responses.

    `change` is a function that changes a page.
    """

    def act(service: Service, request: SandboxRequest) -> SandboxResponse:
        response = service.handle(request)
        packed = response.headers.get("Content-Encoding") == "gzip"
        page = cast("Value", decode(gzip.decompress(response.body) if packed else response.body))
        if not isinstance(page, dict) or "data" not in page:
            return response
        change(request, page, service)
        body = encode(page)
        return replace(response, body=gzip.compress(body, mtime=0) if packed else body)

    return act


def with_header(response: SandboxResponse, name: str, value: str) -> SandboxResponse:
    """Return a copy of a response with an additional header."""
    return replace(response, headers={**response.headers, name: value})


def error_response(group: Group, status: int, message: str, retry_after: int | str | None = None) -> SandboxResponse:
    """Return an error in the format of the API.

    Outside the billing API, an error with status 429 has no body, because no source documents the body.
    """
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    body: Document = {"code": "server-error", "message": message}
    if group == "billing":
        body = {"object": "Error", "message": message}
    elif status == 429:
        return SandboxResponse(status, headers)
    return SandboxResponse(status, {"Content-Type": "application/json", **headers}, encode(body))
