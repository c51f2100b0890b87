"""The stored form of a prepared call, for ledgers and pickles, as text and bytes without executable code.

The part that many calls share (the shape) is separate from each call's own part, so that a ledger stores each shape
only once. The stored form contains no credential and no trace. The stored form contains only the names of extra
headers, because their values may be secret. The client that sends a stored call must set the same extra headers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

from .... import _json as json
from ...._sealed import Content
from ....errors import InvalidArgumentError
from ....models._base import Model, read
from ...config.environments import Group
from ...config.wire_names import RESERVED_HEADERS
from ...http.decoding import BodyDecoder, DamagedBodyError, TooLargeError
from ...operations.identity import REFERENCE, Identity
from ...operations.operation import Operation
from ...operations.readers import Reader, ReadOneOf, WholePage
from ..request import encoded
from ..settings import Settings
from ..telemetry import trace
from .prepared_call import PreparedCall
from .stored_parts import DamagedCallError, Fields, Shape, describe_reader, own_model, own_of, shape_of

T = TypeVar("T")

_LENGTH = "Content-Length"
_TARGET = re.compile(r"/[!-~]*")


@dataclass(frozen=True, slots=True, repr=False)
class StoredCall:
    """A prepared call as data.

    Attributes:
        name: The SDK's name of the operation.
        method: HTTP method.
        safety: Safety class of the operation, as a string.
        target: Path and query, percent-encoded.
        body: The exact bytes of the body.
        shape: The values that all calls of the operation share, as JSON.
        own: The values that differ between calls of the operation, as JSON, or an empty string.
    """

    name: str
    method: str
    safety: str
    target: str
    body: Content | None
    shape: str
    own: str


@dataclass(frozen=True, slots=True, repr=False)
class PreparedFor:
    """The client that may send a stored call.

    Attributes:
        group: The service, such as `billing`.
        origin: Scheme, host, and port.
        prefix: Path of the base URL.
        environment: Name of the environment, or `custom`.
        headers: The extra headers of the call.
    """

    group: Group
    origin: str
    prefix: str
    environment: str
    headers: tuple[tuple[str, str], ...]


def store(settings: Settings, name: str, prepared: PreparedCall[T]) -> StoredCall:
    """Convert a prepared call to stored data. `settings` are the settings of the client that will send the call.

    Raises:
        InvalidArgumentError: The caller defined the class of the result, or the sending client doesn't set the same
            extra headers.
    """
    if (kind := own_model(prepared.operation.reader)) is not None:
        raise InvalidArgumentError(
            f"{name} can't be stored with your own result class, because another process may not find that class; use "
            f"a class of subscribekit.models, or dict, instead of {kind.__name__}"
        )
    extra = extra_headers(prepared)
    if sorted(encoded(extra)) != sorted(encoded(list(settings.headers))):
        raise InvalidArgumentError(_other_headers(name, _names(extra)))
    return stored_call(name, prepared)


def restore(settings: Settings, stored: StoredCall) -> PreparedCall[object]:
    """Convert stored data back to a call, with a new trace.

    Raises:
        InvalidArgumentError: The client doesn't set the same extra headers as the call.
        DamagedCallError: The data isn't a valid call.
    """
    shape = shape_of(stored.shape)
    if shape.extra != _names(settings.headers):
        raise InvalidArgumentError(_other_headers(shape.name, shape.extra))
    address = settings.address
    client = PreparedFor(settings.group, address.origin, address.prefix, settings.environment, settings.headers)
    return call_of(stored, client, trace.start(settings.trace))


def stored_call(name: str, prepared: PreparedCall[T]) -> StoredCall:
    """Convert a prepared call to stored data.

    Raises:
        InvalidArgumentError: The call's reader isn't one of the SDK's readers.
    """
    operation = prepared.operation
    identity = operation.identity
    shape: Fields = {
        "name": name,
        "method": operation.method,
        "template": operation.template,
        "safety": operation.safety.value,
        "reader": describe_reader(name, operation.reader),
        "by": operation.reconcile_by,
        "credential": operation.needs_credential,
        "compared": operation.is_compared,
        "identity": None if identity is None else list(identity.fields),
        "headers": [[name, "" if name == _LENGTH else value] for name, value in _headers(prepared) if _is_own(name)],
        "extra": list(_names(extra_headers(prepared))),
    }
    if identity is not None and not identity.is_required:
        shape["if_shown"] = True
    if operation.is_dry_run:
        shape["dry"] = True
    own = _own_part(operation)
    return StoredCall(
        name=name,
        method=operation.method,
        safety=operation.safety.value,
        target=prepared.target,
        body=prepared.body,
        shape=json.encode(shape).decode(),
        own=json.encode(own).decode() if own else "",
    )


def _own_part(operation: Operation[T]) -> Fields:
    """Return the fields in which one call differs from other calls of its operation."""
    last = operation.path[-1] if operation.path else None
    reader: Reader[object] = operation.reader
    identity = operation.identity
    own: Fields = {}
    if operation.resource_id != last:
        own["id"] = operation.resource_id
    if operation.reconcile_key != last:
        own["key"] = operation.reconcile_key
    if operation.original_transaction_id is not None:
        own["original"] = operation.original_transaction_id
    if isinstance(reader, ReadOneOf):
        own["wanted"] = reader.wanted
    if isinstance(reader, WholePage) and reader.expected:
        own["expected"] = [list(each) for each in reader.expected]
    if identity is not None and identity.wanted != _named(identity.fields, operation.reconcile_key):
        own["named"] = list(identity.wanted)
    if identity is not None and identity.parent is not None:
        own["parent"] = identity.parent
    return own


def call_of(
    stored: StoredCall, client: PreparedFor, traced: trace.CallTrace | None, kind: type[Model] | None = None
) -> PreparedCall[object]:
    """Convert stored data back to a call.

    Args:
        stored: The stored data.
        client: The client that may send the call.
        traced: The trace of the call.
        kind: The class of the result, if the caller defined that class.

    Raises:
        DamagedCallError: The data isn't a valid call.
    """
    shape = shape_of(stored.shape)
    if not _TARGET.fullmatch(stored.target) or not stored.target.startswith(f"{client.prefix}/"):
        raise DamagedCallError("the target isn't a valid path and query")
    path = _path(stored.target, shape.template)
    own = own_of(stored.own, path[-1] if path else None)
    identity = None
    if shape.identity is not None:
        wanted = _named(shape.identity, own.key) if own.named is None else own.named
        identity = Identity(shape.identity, wanted, not shape.if_shown, own.parent)
    operation: Operation[object] = Operation(
        method=shape.method,
        template=shape.template,
        path=path,
        reader=shape.reader.reader(own, kind),
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
        group=client.group,
        origin=client.origin,
        prefix=client.prefix,
        target=stored.target,
        headers=tuple(encoded([*sdk, *client.headers])),
        body=stored.body,
        trace=traced,
        name=shape.name,
        environment=client.environment,
    )


def result_of(shape: str, data: Content) -> object:
    """Return the result of a call from its stored JSON.

    Args:
        shape: The part of the stored call that all calls of the operation share.
        data: The stored result.

    Raises:
        DamagedCallError: The JSON isn't a valid result.
    """
    try:
        found, kind = json.decode(data.reveal()), shape_of(shape).reader.model
        return found if kind is None else read(kind, found)
    except ValueError:
        raise DamagedCallError("the stored result is damaged") from None


def gives_something(shape: str) -> bool:
    """Return whether an operation has a result. `shape` is the stored description of the operation."""
    return shape_of(shape).reader.kind != "nothing"


def _headers(prepared: PreparedCall[T]) -> list[tuple[str, str]]:
    return [(name.decode(), value.decode()) for name, value in prepared.headers]


def _is_own(name: str) -> bool:
    return name.lower() in RESERVED_HEADERS


def extra_headers(prepared: PreparedCall[T]) -> list[tuple[str, str]]:
    """Return the headers that the SDK doesn't set itself, with their values."""
    return [(name, value) for name, value in _headers(prepared) if not _is_own(name)]


def _names(headers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted(name.lower() for name, _ in headers))


def _other_headers(name: str, extra: Sequence[str]) -> str:
    has = f"has the extra headers {', '.join(extra)}" if extra else "has no extra headers"
    return (
        f"the prepared request of {name} {has}, and the client that would send it sets other headers. The SDK doesn't "
        f"store the values of extra headers, because they may be secret; prepare the request with the client that "
        f"sends it"
    )


def _named(fields: tuple[str, ...], key: str | None) -> tuple[str, ...]:
    """Return the default identifiers of an identity, which the stored form omits."""
    return () if key is None or fields == REFERENCE.fields else (key,)


def _plain(body: Content | None, shape: Shape) -> Content | None:
    """Return the body as it was before the client compressed it."""
    if body is None or ("Content-Encoding", "gzip") not in shape.headers:
        return body
    decoder = BodyDecoder("gzip")
    try:
        decoder.feed(body.reveal())
        return Content.of(decoder.finish)
    except (TooLargeError, DamagedBodyError):
        raise DamagedCallError("the compressed body is damaged") from None


def _path(target: str, template: str) -> tuple[str, ...]:
    """Return the decoded path segments that fill a template, without the path of the base URL."""
    count = len(template.strip("/").split("/"))
    segments = target.partition("?")[0].split("/")
    return tuple(unquote(each) for each in segments[-count:])
