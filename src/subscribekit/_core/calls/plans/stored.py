"""A planned call as plain data that a ledger keeps, and back: text and bytes, nothing that could run when it is read.

The common part of many calls (the shape) is apart from each call's own part, so that a ledger keeps it once. Neither
credential nor trace is in it, and of extra headers only the names: their values may be secrets, and are those of the
client that sends.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, cast, get_args
from urllib.parse import unquote

from .... import _json as json
from .... import models
from ...._articles import with_article
from ...._json import JSON, DamagedJSONError
from ....errors import RequestError
from ....models._base import Model, read
from ....models._names import MODULE_OF
from ...config.wire_names import RESERVED_HEADERS
from ...http.decoding import BodyDecoder, DamagedBodyError, TooLargeError
from ...operations.arguments import Pairs
from ...operations.generic import ReadArray
from ...operations.identity import REFERENCE, Identity
from ...operations.operation import Method, Operation, Safety
from ...operations.readers import NOTHING, Reader, ReadModel, ReadOneOf, ReadPlain
from ..request import RawHeader, encoded
from ..settings import Settings
from ..telemetry import trace
from .prepared import Prepared

Fields: TypeAlias = dict[str, JSON]

_LENGTH = b"Content-Length"
_TARGET = re.compile(r"/[!-~]*")
_VALUE = re.compile(r"[ -~]*")


class DamagedCallError(ValueError):
    """The stored data is not a call."""


@dataclass(frozen=True, slots=True, repr=False)
class StoredCall:
    """A planned call as data.

    Attributes:
        name: The SDK's name of the operation.
        method: HTTP method.
        safety: The effect of a second request, by its short name.
        target: Path and query, quoted.
        body: The exact bytes.
        shape: The common part of the operation's calls, JSON text.
        own: This call's own part, JSON text; empty for nothing.
    """

    name: str
    method: str
    safety: str
    target: str
    body: bytes | None
    shape: str
    own: str


def store(settings: Settings, name: str, prepared: Prepared[object]) -> StoredCall:
    """Turn a planned call into data.

    Args:
        settings: Those of the client that will send it, of the same group and origin.
        name: The SDK's name of the operation.
        prepared: The call.

    Raises:
        RequestError: Its result is of a class that could not be found again, or it has extra headers that the sending
            client does not set.
    """
    operation = prepared.operation
    reader, wanted = _describe_reader(name, operation.reader)
    identity = operation.identity
    headers, extra = _split_headers(settings, name, prepared)
    shape: Fields = {
        "name": name,
        "method": operation.method,
        "template": operation.template,
        "safety": operation.safety.value,
        "reader": reader,
        "by": operation.reconcile_by,
        "credential": operation.needs_credential,
        "compared": operation.is_compared,
        "identity": None if identity is None else list(identity.fields),
        "headers": headers,
        "extra": extra,
    }
    if operation.is_dry_run:
        shape["dry"] = True
    last = operation.path[-1] if operation.path else None
    own: Fields = {}
    if operation.resource_id != last:
        own["id"] = operation.resource_id
    if operation.reconcile_key != last:
        own["key"] = operation.reconcile_key
    if operation.original_transaction_id is not None:
        own["original"] = operation.original_transaction_id
    if wanted is not None:
        own["wanted"] = wanted
    if identity is not None and identity != Identity(identity.fields, _named(identity.fields, operation.reconcile_key)):
        own["named"] = list(identity.wanted)
    return StoredCall(
        name=name,
        method=operation.method,
        safety=operation.safety.value,
        target=prepared.target,
        body=prepared.body,
        shape=json.encode(shape).decode(),
        own=json.encode(own).decode() if own else "",
    )


def restore(settings: Settings, stored: StoredCall) -> Prepared[object]:
    """Turn data into the call again, with its own trace.

    Raises:
        RequestError: The client does not set the extra headers of the call.
        DamagedCallError: The data is not a call.
    """
    shape = _shape(stored.shape)
    own = _object(stored.own) if stored.own else {}
    if not _TARGET.fullmatch(stored.target) or not stored.target.startswith(f"{settings.address.prefix}/"):
        raise DamagedCallError("the target is not one")
    if shape.extra != tuple(sorted(each.lower() for each, _ in settings.headers)):
        raise RequestError(_other_headers(shape.name, shape.extra))
    path = _path(stored.target, shape.template)
    last = path[-1] if path else None
    operation: Operation[object] = Operation(
        method=shape.method,
        template=shape.template,
        path=path,
        reader=_reader(shape.reader, _text(own, "wanted", None)),
        safety=shape.safety,
        resource_id=_text(own, "id", last),
        reconcile_key=_text(own, "key", last),
        reconcile_by=shape.by,
        original_transaction_id=_text(own, "original", None),
        needs_credential=shape.credential,
        query=_query(stored.target),
        body=_plain(stored.body, shape),
        is_compared=shape.compared,
        is_dry_run=shape.dry,
        identity=_identity(shape, own, _text(own, "key", last)),
    )
    length = b"%d" % len(stored.body or b"")
    sdk = [(name, length if name == _LENGTH else value) for name, value in shape.headers]
    return Prepared(
        operation=operation,
        group=settings.group,
        origin=settings.address.origin,
        prefix=settings.address.prefix,
        target=stored.target,
        headers=(*sdk, *encoded(list(settings.headers))),
        body=stored.body,
        trace=trace.start(settings.trace),
        name=shape.name,
        environment=settings.environment,
    )


def result_of(shape: str, data: bytes) -> object:
    """Read a kept result as the call of this shape gives it.

    Raises:
        DamagedCallError: It is not one.
    """
    try:
        found = json.decode(data)
        described = _shape(shape).reader
        if described.get("kind") not in ("model", "one_of"):
            return found
        return read(model_named(described.get("model")), found)
    except ValueError:
        raise DamagedCallError("a kept result is not one") from None


def gives_something(shape: str) -> bool:
    """Whether a call of this shape gives a result."""
    return _shape(shape).reader.get("kind") != "nothing"


# Headers


def _split_headers(settings: Settings, name: str, prepared: Prepared[object]) -> tuple[list[JSON], list[JSON]]:
    """Give the headers that the SDK sets, and the names of the extra ones, which must be those of the client."""
    common: list[JSON] = []
    extra: list[RawHeader] = []
    for header, value in prepared.headers:
        if header == _LENGTH:
            common.append([header.decode(), ""])
        elif header.decode().lower() in RESERVED_HEADERS:
            common.append([header.decode(), value.decode()])
        else:
            extra.append((header, value))
    names = sorted(header.decode().lower() for header, _ in extra)
    if sorted(extra) != sorted(encoded(list(settings.headers))):
        raise RequestError(_other_headers(name, tuple(names)))
    return common, list(names)


def _other_headers(name: str, extra: tuple[str, ...]) -> str:
    has = f"has the extra headers {', '.join(extra)}" if extra else "has no extra headers"
    return (
        f"the plan of {name} {has}, and the client that would send it sets others. Values of extra headers are not "
        f"stored, since they may be secrets: plan with the client that sends"
    )


# How a response reads


_READERS: dict[str, Reader[object]] = {"nothing": NOTHING, "plain": ReadPlain(), "array": ReadArray()}
"""The readers without a model."""


def _describe_reader(name: str, reader: Reader[object]) -> tuple[Fields, str | None]:
    """Describe a reader by names; the item that `ReadOneOf` looks for is the call's own."""
    result: object = reader.result
    if isinstance(reader, ReadModel):
        kind = _public_name(name, result)
        return {"kind": "model", "model": kind, "any_shape": reader.any_shape}, None
    if isinstance(reader, ReadOneOf):
        return {"kind": "one_of", "model": _public_name(name, result)}, reader.wanted
    for name_of_kind, each in _READERS.items():
        if type(reader) is type(each):
            return {"kind": name_of_kind}, None
    raise RequestError(f"the result of {name} cannot be stored")


def _public_name(name: str, kind: object) -> str:
    public = kind.__name__ if isinstance(kind, type) else ""
    if public not in MODULE_OF or getattr(models, public) is not kind:
        raise RequestError(
            f"the plan of {name} gives {with_article(public)}, a class of yours, which another process could not find "
            f"again: use a class of subscribekit.models, or dict"
        )
    return public


def model_named(name: JSON) -> type[Model]:
    """Give a public model by its name.

    Raises:
        DamagedCallError: There is no such model.
    """
    kind: object = getattr(models, name) if isinstance(name, str) and name in MODULE_OF else None
    if not isinstance(kind, type) or not issubclass(kind, Model):
        raise DamagedCallError("there is no such model")
    return kind


def _reader(described: Fields, wanted: str | None) -> Reader[object]:
    kind = described.get("kind")
    if kind == "model":
        return ReadModel(model_named(described.get("model")), described.get("any_shape") is True)
    if kind == "one_of" and wanted is not None:
        return ReadOneOf(model_named(described.get("model")), wanted)
    if isinstance(kind, str) and kind in _READERS:
        return _READERS[kind]
    raise DamagedCallError("how the response reads is not known")


# The common part of calls


@dataclass(frozen=True, slots=True, repr=False)
class _Shape:
    name: str
    method: Method
    template: str
    safety: Safety
    reader: Fields
    by: str
    credential: bool
    compared: bool
    dry: bool
    identity: tuple[str, ...] | None
    headers: tuple[RawHeader, ...]
    extra: tuple[str, ...]


@lru_cache(256)
def _shape(text: str) -> _Shape:
    found = _object(text)
    method, reader = found.get("method"), found.get("reader")
    headers, extra = found.get("headers"), found.get("extra")
    if method not in get_args(Method) or not isinstance(reader, dict):
        raise DamagedCallError("the shape of the call is not one")
    if "identity" not in found:  # without it, any response would be a success
        raise DamagedCallError("the shape of the call does not say what its response must show")
    if not isinstance(headers, list) or not isinstance(extra, list):
        raise DamagedCallError("the headers of the call are not a list")
    try:
        safety = Safety(str(found.get("safety")))
    except ValueError:
        raise DamagedCallError("the safety of the call is not known") from None
    return _Shape(
        name=_text(found, "name", None) or "",
        method=cast("Method", method),
        template=_text(found, "template", None) or "",
        safety=safety,
        reader=reader,
        by=_text(found, "by", None) or "the identifier",
        credential=found.get("credential") is not False,
        compared=found.get("compared") is True,
        dry=found.get("dry") is True,
        identity=None if found.get("identity") is None else _texts(found, "identity"),
        headers=tuple(_header(each) for each in headers),
        extra=tuple(str(each) for each in extra),
    )


def _header(pair: JSON) -> RawHeader:
    """Check a header of the SDK: what is kept may be foreign, and must not bring a header or its own line."""
    if isinstance(pair, list) and len(pair) == 2:
        name, value = pair
        if isinstance(name, str) and isinstance(value, str):
            allowed = name.lower() in RESERVED_HEADERS - _NEVER_STORED
            if allowed and _VALUE.fullmatch(value):
                return name.encode(), value.encode()
    raise DamagedCallError("a header of the call is not one of the SDK's")


_NEVER_STORED = frozenset({"authorization", "connection", "cookie", "proxy-authorization", "te", "trailer"}) | {
    "transfer-encoding", "upgrade", "x-api-key", "b3", "x-b3-flags", "x-b3-parentspanid", "x-b3-sampled",
    "x-b3-spanid", "x-b3-traceid",
}  # fmt: skip


def _object(text: str) -> Fields:
    try:
        found = json.decode(text.encode())
    except (DamagedJSONError, UnicodeEncodeError):
        found = None
    if not isinstance(found, dict):
        raise DamagedCallError("the call is not a JSON object")
    return found


def _text(fields: Mapping[str, JSON], name: str, default: str | None) -> str | None:
    value = fields.get(name, default)
    if value is not None and not isinstance(value, str):
        raise DamagedCallError(f"{name} is not text")
    return value


def _texts(fields: Mapping[str, JSON], name: str) -> tuple[str, ...]:
    values = fields.get(name, [])
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise DamagedCallError(f"{name} is not a list of texts")
    return tuple(str(each) for each in values)


def _named(fields: tuple[str, ...], key: str | None) -> tuple[str, ...]:
    """Give what an identity names in nearly every call, so that a ledger need not keep it for each."""
    return () if key is None or fields == REFERENCE.fields else (key,)


def _identity(shape: _Shape, own: Fields, key: str | None) -> Identity | None:
    if shape.identity is None:
        return None
    return Identity(shape.identity, _texts(own, "named") if "named" in own else _named(shape.identity, key))


def _query(target: str) -> Pairs:
    """Give the names and texts of the query; names that the specification does not show as they are on the wire."""
    pairs = (pair.partition("=") for pair in target.partition("?")[2].split("&") if pair)
    return tuple((unquote(name), unquote(value)) for name, _, value in pairs)


def _plain(body: bytes | None, shape: _Shape) -> bytes | None:
    """Give the body before the client compressed it."""
    if body is None or (b"Content-Encoding", b"gzip") not in shape.headers:
        return body
    decoder = BodyDecoder("gzip")
    try:
        decoder.feed(body)
        return decoder.finish()
    except (TooLargeError, DamagedBodyError):
        raise DamagedCallError("the body is not what was compressed") from None


def _path(target: str, template: str) -> tuple[str, ...]:
    """Give the decoded segments that fill the template; a prefix of the base address comes before them."""
    count = len(template.strip("/").split("/"))
    segments = target.partition("?")[0].split("/")
    return tuple(unquote(each) for each in segments[-count:])
