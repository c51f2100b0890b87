"""Responses of a mocked route: one resource, a page of a list, an error in the shape of its group."""

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
"""A status; a documented code of groups B to D; or how the connection fails (`httpx.ReadTimeout`)."""

# Assumed, as in the sandbox: the specification shows no status for the codes of groups B to D.
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
"""The code of a status: the first one."""
_CURSORS = ("starting_after", "ending_before")
_PAGE = 20


def _response(status: int, body: object, headers: dict[str, str] | None = None) -> httpx.Response:
    sent = {"Content-Type": "application/json", **(headers or {})}
    return httpx.Response(status, headers=sent, content=encode(body))


def one(group: Group, model: Model, _: httpx.Request) -> httpx.Response:
    """Respond with one resource."""
    return _response(200, write(model), _request_id(group))


def named(group: Group, made: Model, named_by: int | str, request: httpx.Request) -> httpx.Response:
    """Respond with a resource with the identifier that the request names: in its path, or in its body."""
    if isinstance(named_by, int):
        identifier = unquote(request.url.raw_path.decode("ascii").partition("?")[0].split("/")[named_by])
    else:
        identifier = json.loads(request.content)[named_by]
    return one(group, made.model_copy(update={"id": identifier}), request)


def done(_: httpx.Request) -> httpx.Response:
    """Respond without a body."""
    return _empty(204)


def _empty(status: int) -> httpx.Response:
    return httpx.Response(status)


def error(group: Group, told: int | str, *, not_found: str | None = None) -> httpx.Response:
    """Respond with an error.

    Args:
        group: The group, which decides the body's shape.
        told: The status, or the code.
        not_found: The code that this operation has for 404.

    Raises:
        ValueError: The code is not a documented one, or group A was asked for a code.
    """
    if isinstance(told, str) and (group == "billing" or told not in _STATUS_OF):
        raise ValueError("error must be a status, or a documented code of groups B to D")
    status = _STATUS_OF[told] if isinstance(told, str) else told
    if group == "billing":
        return _response(status, {"object": "Error", "message": f"status {status}"}, _request_id(group))
    if isinstance(told, int) and status not in _CODE_OF and status < 500:
        return _empty(status)  # no documented code belongs to it
    code = told if isinstance(told, str) else (status == 404 and not_found) or _CODE_OF.get(status, "server-error")
    return _response(status, _coded(group, code))


def _coded(group: Group, code: str) -> dict[str, object]:
    plain: dict[str, object] = {"code": code, "message": code.replace("-", " ")}
    if group != "user_mgmt" or code == "user-not-found":
        return plain
    return {"operationError": {**plain, "type": "operation", "authorities": []}, "operationErrors": [plain]}


def cursor_page(items: Sequence[Model], request: httpx.Request) -> httpx.Response:
    """Respond with the page of a group A list that a request asks for."""
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
    """Respond with the page of a group C list that a request asks for."""
    offset, size = (int(request.url.params.get(*given)) for given in (("offset", 0), ("size", _PAGE)))
    page = items[offset:] if size == 0 else items[offset : offset + size]
    return _response(200, [write(item) for item in page], {"X-Total-Count": str(len(items))})


def _identity(item: Model) -> str:
    """Return the cursor of a resource: its id, or its vid, or for one without both its place in memory."""
    for name in ("id", "vid"):
        value = getattr(item, name, None)
        if isinstance(value, str):
            return value
    return f"object-{id(item)}"


def _request_id(group: Group) -> dict[str, str]:
    return {"Request-Id": "req-respx"} if group == "billing" else {}
