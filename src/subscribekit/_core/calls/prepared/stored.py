"""Converts a prepared call to the plain data that a ledger stores, and back: text and bytes, nothing that could run.

The common part of many calls (the shape) is apart from each call's own part, so that a ledger keeps it once. Neither
credential nor trace is in it, and of extra headers only the names: their values may be secrets, and are those of the
client that sends.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias, TypeVar
from urllib.parse import parse_qsl, unquote

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator, ValidationError

from .... import _json as json
from .... import models
from ...._articles import with_article
from ...._json import JSON
from ...._sealed import Content
from ....errors import InvalidArgumentError
from ....models._base import Model, read
from ....models._names import MODULE_OF
from ...config.wire_names import RESERVED_HEADERS
from ...http.decoding import BodyDecoder, DamagedBodyError, TooLargeError
from ...operations.generic import ReadArray
from ...operations.identity import REFERENCE, Identity
from ...operations.operation import Method, Operation, Safety
from ...operations.readers import NOTHING, Reader, ReadModel, ReadOneOf, ReadPlain
from ..request import RawHeader, encoded
from ..settings import Settings
from ..telemetry import trace
from .prepared_call import PreparedCall

Fields: TypeAlias = dict[str, JSON]
B = TypeVar("B", bound=BaseModel)

_LENGTH = "Content-Length"
_STRICT = ConfigDict(strict=True, frozen=True)
_TARGET = re.compile(r"/[!-~]*")
_VALUE = re.compile(r"[ -~]*")


class DamagedCallError(ValueError):
    """The stored data is not a call."""


@dataclass(frozen=True, slots=True, repr=False)
class StoredCall:
    """A prepared call as data.

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
    body: Content | None
    shape: str
    own: str


def store(settings: Settings, name: str, prepared: PreparedCall[object]) -> StoredCall:
    """Turn a prepared call into data; the settings are those of the client that sends it, of the same group and origin.

    Raises:
        InvalidArgumentError: Its result is of a class that could not be found again, or it has extra headers that the
            sending client does not set.
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
    if identity is not None and not identity.is_required:
        shape["if_shown"] = True
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
    if identity is not None and identity.wanted != _named(identity.fields, operation.reconcile_key):
        own["named"] = list(identity.wanted)
    if identity is not None and identity.parent is not None:
        own["parent"] = identity.parent
    return StoredCall(
        name=name,
        method=operation.method,
        safety=operation.safety.value,
        target=prepared.target,
        body=prepared.body,
        shape=json.encode(shape).decode(),
        own=json.encode(own).decode() if own else "",
    )


def restore(settings: Settings, stored: StoredCall) -> PreparedCall[object]:
    """Turn data into the call again, with its own trace.

    Raises:
        InvalidArgumentError: The client does not set the extra headers of the call.
        DamagedCallError: The data is not a call.
    """
    shape = _shape(stored.shape)
    if not _TARGET.fullmatch(stored.target) or not stored.target.startswith(f"{settings.address.prefix}/"):
        raise DamagedCallError("the target is not one")
    if shape.extra != tuple(sorted(each.lower() for each, _ in settings.headers)):
        raise InvalidArgumentError(_other_headers(shape.name, shape.extra))
    path = _path(stored.target, shape.template)
    own = _own(stored.own, path[-1] if path else None)
    identity = None
    if shape.identity is not None:
        wanted = _named(shape.identity, own.key) if own.named is None else own.named
        identity = Identity(shape.identity, wanted, not shape.if_shown, own.parent)
    operation: Operation[object] = Operation(
        method=shape.method,
        template=shape.template,
        path=path,
        reader=shape.reader.reader(own.wanted),
        safety=shape.safety,
        resource_id=own.id,
        reconcile_key=own.key,
        reconcile_by=shape.by,
        original_transaction_id=own.original,
        needs_credential=shape.credential,
        query=tuple(parse_qsl(stored.target.partition("?")[2], keep_blank_values=True)),
        body=_plain(stored.body, shape),
        is_compared=shape.compared,
        is_dry_run=shape.dry,
        identity=identity,
    )
    length = str(0 if stored.body is None else len(stored.body))
    sdk = [(name, length if name == _LENGTH else value) for name, value in shape.headers]
    return PreparedCall(
        operation=operation,
        group=settings.group,
        origin=settings.address.origin,
        prefix=settings.address.prefix,
        target=stored.target,
        headers=tuple(encoded([*sdk, *settings.headers])),
        body=stored.body,
        trace=trace.start(settings.trace),
        name=shape.name,
        environment=settings.environment,
    )


def result_of(shape: str, data: Content) -> object:
    """Read a kept result as the call of this shape gives it.

    Raises:
        DamagedCallError: It is not one.
    """
    try:
        found, kind = json.decode(data.reveal()), _shape(shape).reader.model
        return found if kind is None else read(kind, found)
    except ValueError:
        raise DamagedCallError("a kept result is not one") from None


def gives_something(shape: str) -> bool:
    """Whether a call of this shape gives a result."""
    return _shape(shape).reader.kind != "nothing"


# Headers


def _split_headers(settings: Settings, name: str, prepared: PreparedCall[object]) -> tuple[list[JSON], list[JSON]]:
    """Give the headers that the SDK sets, and the names of the extra ones, which must be those of the client."""
    common: list[JSON] = []
    extra: list[RawHeader] = []
    for header, value in prepared.headers:
        text = header.decode()
        if text.lower() in RESERVED_HEADERS:
            common.append([text, "" if text == _LENGTH else value.decode()])
        else:
            extra.append((header, value))
    names = sorted(header.decode().lower() for header, _ in extra)
    if sorted(extra) != sorted(encoded(list(settings.headers))):
        raise InvalidArgumentError(_other_headers(name, names))
    return common, list(names)


def _other_headers(name: str, extra: Sequence[str]) -> str:
    has = f"has the extra headers {', '.join(extra)}" if extra else "has no extra headers"
    return (
        f"the prepared request of {name} {has}, and the client that would send it sets others. Values of extra headers "
        f"are not stored, because they may be secrets; prepare the request with the client that sends it"
    )


# How a response reads


_READERS: dict[str, Reader[object]] = {"nothing": NOTHING, "plain": ReadPlain(), "array": ReadArray()}
"""The readers without a model."""


def _describe_reader(name: str, reader: Reader[object]) -> tuple[Fields, str | None]:
    """Describe a reader by names; the item that `ReadOneOf` looks for is the call's own."""
    result: object = reader.result
    if isinstance(reader, ReadModel):
        return {"kind": "model", "model": _public_name(name, result), "any_shape": reader.any_shape}, None
    if isinstance(reader, ReadOneOf):
        return {"kind": "one_of", "model": _public_name(name, result)}, reader.wanted
    for kind, each in _READERS.items():
        if each == reader:
            return {"kind": kind}, None
    raise InvalidArgumentError(f"the result of {name} cannot be stored")


def _public_name(name: str, kind: object) -> str:
    public = kind.__name__ if isinstance(kind, type) else ""
    if public not in MODULE_OF or getattr(models, public) is not kind:
        raise InvalidArgumentError(
            f"the prepared request of {name} returns {with_article(public)}, a class of yours, which another process "
            f"could not find; use a class of subscribekit.models, or dict"
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


# The two parts of a call, checked as they are read: what is kept may be foreign


class _Reads(BaseModel):
    """How a response reads."""

    model_config = _STRICT

    kind: Literal["model", "one_of", "nothing", "plain", "array"]
    model: Annotated[type[Model], PlainValidator(model_named)] | None = None
    any_shape: bool = False

    def reader(self, wanted: str | None) -> Reader[object]:
        """Give the reader; `wanted` is the item that a call looks for."""
        if self.kind == "model" and self.model is not None:
            return ReadModel(self.model, self.any_shape)
        if self.kind == "one_of" and self.model is not None and wanted is not None:
            return ReadOneOf(self.model, wanted)
        if self.kind in _READERS:
            return _READERS[self.kind]
        raise DamagedCallError("how the response reads is not known")


def _set_by_the_sdk(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Refuse a header that only the sending client may set, and a value that would bring its own line."""
    for name, value in headers:
        if name.lower() not in _STORED or not _VALUE.fullmatch(value):
            raise DamagedCallError("a header of the call is not one of the SDK's")
    return headers


_STORED = RESERVED_HEADERS - {
    "authorization", "connection", "cookie", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
    "x-api-key", "b3", "x-b3-flags", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid", "x-b3-traceid",
}  # fmt: skip


class _Shape(BaseModel):
    """The common part of an operation's calls."""

    model_config = _STRICT

    name: str
    method: Method
    template: str
    safety: Safety
    reader: _Reads
    by: str
    credential: bool
    compared: bool
    identity: tuple[str, ...] | None  # it has no default: without it, any response would be a success
    if_shown: bool = False
    headers: Annotated[tuple[tuple[str, str], ...], AfterValidator(_set_by_the_sdk)]
    extra: tuple[str, ...]
    dry: bool = False


class _Own(BaseModel):
    """The part of one call."""

    model_config = _STRICT

    id: str | None = None
    key: str | None = None
    original: str | None = None
    wanted: str | None = None
    named: tuple[str, ...] | None = None
    parent: str | None = None


@lru_cache(256)
def _shape(text: str) -> _Shape:
    return _checked(_Shape, text)


def _own(text: str, last: str | None) -> _Own:
    """Read the part of one call; the last segment of its path is what it does not say."""
    own = _checked(_Own, text or "{}")
    return own.model_copy(update=dict.fromkeys({"id", "key"} - own.model_fields_set, last))


def _checked(kind: type[B], text: str) -> B:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        place = ".".join(str(each) for each in error.errors(include_input=False)[0]["loc"])
        raise DamagedCallError(f"{place or 'the stored call'} cannot be read") from None


def _named(fields: tuple[str, ...], key: str | None) -> tuple[str, ...]:
    """Give what an identity names in nearly every call, so that a ledger need not keep it for each."""
    return () if key is None or fields == REFERENCE.fields else (key,)


def _plain(body: Content | None, shape: _Shape) -> Content | None:
    """Give the body before the client compressed it."""
    if body is None or ("Content-Encoding", "gzip") not in shape.headers:
        return body
    decoder = BodyDecoder("gzip")
    try:
        decoder.feed(body.reveal())
        return Content.of(decoder.finish)
    except (TooLargeError, DamagedBodyError):
        raise DamagedCallError("the body is not what was compressed") from None


def _path(target: str, template: str) -> tuple[str, ...]:
    """Give the decoded segments that fill the template; a prefix of the base address comes before them."""
    count = len(template.strip("/").split("/"))
    segments = target.partition("?")[0].split("/")
    return tuple(unquote(each) for each in segments[-count:])
