"""Calls that the SDK has no method for, described with all its rules."""

import re
from collections.abc import Mapping
from typing import TypeVar, cast

from ..._json import JSON
from ...errors import RequestError
from ...models._base import Model, wire_names
from .arguments import MAX_TEXT, QueryValue, free_query, identifier
from .bodies import body_bytes
from .operation import Method, Operation, Safety
from .readers import Reader, ReadModel, ReadPlain

M = TypeVar("M", bound=Model)
T = TypeVar("T")

_GENERIC_SAFETY: dict[Method, Safety] = {
    "GET": Safety.READ,
    "PUT": Safety.PUT,
    "DELETE": Safety.DELETE,
    "POST": Safety.WRITE,
}
_CHARGE = re.compile(r"/v1/entitlement/[^/]+/charge")
"""The path of E8, which stays what it is when it is called without its method."""
_RECEIPT = "transactionReferenceId"


def free_operation(
    method: str, path: str, params: Mapping[str, QueryValue] | None, json: object, reader: Reader[T]
) -> Operation[T]:
    """Describe a call that the SDK has no method for.

    Raises:
        RequestError: An unknown method, an absolute URL, or a path with `?`, `#`, `%`, a backslash or a dot segment.
    """
    if method not in _GENERIC_SAFETY:
        raise RequestError("method must be GET, POST, PUT or DELETE")
    if not isinstance(path, str) or not path.startswith("/") or path.startswith("//"):
        raise RequestError("path must start with one '/'; absolute URLs are refused")
    segments = tuple(identifier("a segment of path", each, MAX_TEXT) for each in path[1:].split("/"))
    template = "/" + "/".join(each if re.fullmatch(r"[a-zA-Z_]+|v\d+", each) else "{…}" for each in segments)
    body: bytes | None = None
    if json is not None:
        if method == "GET":
            raise RequestError("a GET has no body")
        if not isinstance(json, Model | Mapping | list):
            raise RequestError("json must be a model, a mapping or a list")
        body = body_bytes("json", cast("Mapping[str, object]", json))
    return Operation(
        method=method,
        template=template,
        path=segments,
        reader=reader,
        query=free_query(params or {}),
        body=body,
        safety=Safety.MONEY if _CHARGE.fullmatch(path) else _GENERIC_SAFETY[method],
        resource_id=segments[-1],
        reconcile_key=segments[-1],
    )


def free_reader(result: type[M] | type[dict[str, JSON]], path: str) -> Reader[M] | ReadPlain:
    """Give the reader for the argument `result`; a charge is no success without its reference, as by its method."""
    is_charge = isinstance(path, str) and _CHARGE.fullmatch(path) is not None
    if isinstance(result, type) and issubclass(result, Model):
        names = {wire: name for name, wire in wire_names(result).items()}
        return ReadModel(result, required=names.get(_RECEIPT) if is_charge else None)
    if result is not dict:
        raise RequestError("result must be a model class or dict")
    return ReadPlain(_RECEIPT if is_charge else None)
