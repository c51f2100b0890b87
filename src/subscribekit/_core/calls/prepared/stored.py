"""The stored form of a prepared call: text and bytes, nothing that could run. Ledgers and pickles hold it.

The common part of many calls (the shape) is apart from each call's own part, so that a ledger keeps it once. Neither
credential nor trace is in it, and of extra headers only the names: in a ledger their values may be secrets, and are
those of the client that sends.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

from .... import _json as json
from ...._articles import with_article
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


@dataclass(frozen=True, slots=True, repr=False)
class PreparedFor:
    """The client that a stored call is for.

    Attributes:
        group: Its group.
        origin: Scheme, host and port.
        prefix: Path of the base address.
        environment: Name of its environment, or `custom`.
        headers: The extra headers of the call.
    """

    group: Group
    origin: str
    prefix: str
    environment: str
    headers: tuple[tuple[str, str], ...]


def store(settings: Settings, name: str, prepared: PreparedCall[T]) -> StoredCall:
    """Turn a prepared call into data; the settings are those of the client that sends it, of the same group and origin.

    Raises:
        InvalidArgumentError: Its result is of a class that could not be found again, or it has extra headers that the
            sending client does not set.
    """
    if (kind := own_model(prepared.operation.reader)) is not None:
        raise InvalidArgumentError(
            f"the prepared request of {name} returns {with_article(kind.__name__)}, a class of yours, which another "
            f"process could not find; use a class of subscribekit.models, or dict"
        )
    extra = extra_headers(prepared)
    if sorted(encoded(extra)) != sorted(encoded(list(settings.headers))):
        raise InvalidArgumentError(_other_headers(name, _names(extra)))
    return stored_call(name, prepared)


def restore(settings: Settings, stored: StoredCall) -> PreparedCall[object]:
    """Turn data into the call again, with its own trace.

    Raises:
        InvalidArgumentError: The client does not set the extra headers of the call.
        DamagedCallError: The data is not a call.
    """
    shape = shape_of(stored.shape)
    if shape.extra != _names(settings.headers):
        raise InvalidArgumentError(_other_headers(shape.name, shape.extra))
    address = settings.address
    client = PreparedFor(settings.group, address.origin, address.prefix, settings.environment, settings.headers)
    return call_of(stored, client, trace.start(settings.trace))


def stored_call(name: str, prepared: PreparedCall[T]) -> StoredCall:
    """Turn a prepared call into data.

    Raises:
        InvalidArgumentError: Its reader is none of the SDK's.
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
    """Describe what one call has apart from others of its operation."""
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
    """Turn data into the call again.

    Args:
        stored: The data.
        client: The client that it is for.
        traced: The trace of the call.
        kind: The class of its result, if that is one of the caller's own.

    Raises:
        DamagedCallError: The data is not a call.
    """
    shape = shape_of(stored.shape)
    if not _TARGET.fullmatch(stored.target) or not stored.target.startswith(f"{client.prefix}/"):
        raise DamagedCallError("the target is not one")
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
    """Read a kept result as the call of this shape gives it.

    Raises:
        DamagedCallError: It is not one.
    """
    try:
        found, kind = json.decode(data.reveal()), shape_of(shape).reader.model
        return found if kind is None else read(kind, found)
    except ValueError:
        raise DamagedCallError("the stored result is damaged") from None


def gives_something(shape: str) -> bool:
    """Whether a call of this shape gives a result."""
    return shape_of(shape).reader.kind != "nothing"


# Headers


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
        f"the prepared request of {name} {has}, and the client that would send it sets others. Values of extra headers "
        f"are not stored, because they may be secrets; prepare the request with the client that sends it"
    )


def _named(fields: tuple[str, ...], key: str | None) -> tuple[str, ...]:
    """Give what an identity names in nearly every call, so that a ledger need not keep it for each."""
    return () if key is None or fields == REFERENCE.fields else (key,)


def _plain(body: Content | None, shape: Shape) -> Content | None:
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
