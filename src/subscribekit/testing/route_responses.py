"""Creates the responses of mocked routes: a resource, a page of a list, or an error in the format of its API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias
from urllib.parse import unquote, urlencode

import httpx

from .._core.config.environments import Group
from .._json import encode
from ..models._base import Model, write

Error: TypeAlias = int | str | type[httpx.TransportError]
"""An HTTP status; a documented error code of an API other than billing; or a class of httpx exceptions to raise."""

# Of these statuses, the specification documents only those of the page errors. All others are assumptions, as in the
# sandbox.
_STATUS_OF = {
    "invalid-request": 400,
    "authentication-required": 401,
    "forbidden": 403,
    "ACCESS_FORBIDDEN": 403,
    "not-found": 404,
    "partner-subscription-not-found": 404,
    "user-not-found": 404,
    "input-conflict": 409,
    "server-error": 500,
    "page-size-error": 400,
    "max-return-page-size": 400,
    "invalid-page-offset": 400,
}
_CODE_OF = {status: code for code, status in reversed(_STATUS_OF.items()) if code != "server-error"}
"""For each status, the first error code in `_STATUS_OF` with this status."""
_CURSORS = ("starting_after", "ending_before")
_PAGE = 20


def _response(status: int, body: object, headers: dict[str, str] | None = None) -> httpx.Response:
    sent = {"Content-Type": "application/json", **(headers or {})}
    return httpx.Response(status, headers=sent, content=encode(body))


def one(group: Group, model: Model, _: httpx.Request) -> httpx.Response:
    """Return a response with one resource."""
    return _response(200, write(model), _request_id(group))


def named(group: Group, model: Model, named_by: int | str, request: httpx.Request) -> httpx.Response:
    """Return a response with a resource that has the ID in the request.

    Args:
        group: The API.
        model: The resource.
        named_by: The position of the ID in the path, or the name of the ID in the body.
        request: The request.
    """
    if isinstance(named_by, int):
        identifier = unquote(request.url.raw_path.decode("ascii").partition("?")[0].split("/")[named_by])
    else:
        identifier = json.loads(request.content)[named_by]
    return one(group, model.model_copy(update={"id": identifier}), request)


def done(_: httpx.Request) -> httpx.Response:
    """Return a 204 response without a body."""
    return _empty(204)


def _empty(status: int) -> httpx.Response:
    return httpx.Response(status)


def error(group: Group, error: int | str, *, not_found: str | None = None) -> httpx.Response:
    """Return an error response.

    Args:
        group: The API, which determines the format of the body.
        error: The HTTP status, or the error code.
        not_found: The error code that this operation returns with status 404.

    Raises:
        ValueError: The error code isn't documented, or the API is billing, which has no error codes.
    """
    if isinstance(error, str) and (group == "billing" or error not in _STATUS_OF):
        raise ValueError(
            "error must be an HTTP status, or a documented error code of the gateway, the account-lifecycle API, or "
            "the storefront"
        )
    status = _STATUS_OF[error] if isinstance(error, str) else error
    if group == "billing":
        return _response(status, {"object": "Error", "message": f"status {status}"}, _request_id(group))
    if isinstance(error, int) and status not in _CODE_OF and status < 500:
        return _empty(status)  # no error code is documented for this status
    code = error if isinstance(error, str) else (status == 404 and not_found) or _CODE_OF.get(status, "server-error")
    return _response(status, _coded(group, code))


def _coded(group: Group, code: str) -> dict[str, object]:
    plain: dict[str, object] = {"code": code, "message": code.replace("-", " ")}
    if group != "user_mgmt" or code == "user-not-found":
        return plain
    return {"operationError": {**plain, "type": "operation", "authorities": []}, "operationErrors": [plain]}


def cursor_page(items: Sequence[Model], request: httpx.Request) -> httpx.Response:
    """Return the requested page of a billing API list."""
    query = dict(request.url.params)
    limit = int(query.get("limit", _PAGE))
    names = [_identity(item) for item in items]
    after, before = (query.get(name) for name in _CURSORS)
    if before is not None:
        end = names.index(before)
        page = items[max(end - limit, 0) : end]
    else:
        start = names.index(after) + 1 if after is not None else 0
        page = items[start : start + limit]
    path = request.url.raw_path.decode("ascii")
    body: dict[str, object] = {
        "object": "List",
        "data": [write(item) for item in page],
        "total_count": len(items),
        "url": path,
    }
    if page:
        kept = {name: value for name, value in query.items() if name not in _CURSORS}
        bare = path.partition("?")[0]
        body["next"] = f"{bare}?{urlencode({**kept, 'starting_after': _identity(page[-1])})}"
        body["previous"] = f"{bare}?{urlencode({**kept, 'ending_before': _identity(page[0])})}"
    return _response(200, body, _request_id("billing"))


def offset_page(items: Sequence[Model], request: httpx.Request) -> httpx.Response:
    """Return the requested page of an account-lifecycle API list."""
    offset, size = (int(request.url.params.get(*given)) for given in (("offset", 0), ("size", _PAGE)))
    page = items[offset:] if size == 0 else items[offset : offset + size]
    return _response(200, [write(item) for item in page], {"X-Total-Count": str(len(items))})


def _identity(item: Model) -> str:
    """Return the cursor of a resource: its `id` or `vid`, or if it has neither, a string with its memory address."""
    for name in ("id", "vid"):
        value = getattr(item, name, None)
        if isinstance(value, str):
            return value
    return f"object-{id(item)}"


def _request_id(group: Group) -> dict[str, str]:
    return {"Request-Id": "req-respx"} if group == "billing" else {}
