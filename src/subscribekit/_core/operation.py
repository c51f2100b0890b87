"""One call to the service as a value: what to send and how its answer reads. No I/O.

An operation refuses bad arguments when it is built, so the traceback shows the caller. Names on the wire that the
specification does not show stand in it as `Wire` markers; a client's `WireNames` resolve them (design: nothing is
guessed into a write).
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel

from ..errors import RequestError
from ..models._base import Model, write
from ..models._limits import first_fault
from . import json
from .reading import NOTHING, Reader, ReadModel

T = TypeVar("T")

Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]
QueryValue: TypeAlias = str | int | bool | datetime | None


class Safety(StrEnum):
    """What a repeated request would do; the retry matrix has one column for each."""

    READ = "S"
    PUT = "P"
    """Sets absolute values (E11)."""
    DELETE = "D1"
    """Removes what an identifier names."""
    DELETE_MATCHING = "D2"
    """Removes what matches when the request arrives (E9)."""
    WRITE = "M"
    MONEY = "M$"
    """Moves money and has nothing that makes a repetition harmless (E8)."""

    @property
    def is_read(self) -> bool:
        """Whether the operation changes nothing."""
        return self is Safety.READ

    @property
    def repeatable(self) -> bool:
        """Whether a repetition after an unknown outcome does no harm."""
        return self in (Safety.READ, Safety.PUT, Safety.DELETE)


@dataclass(frozen=True, slots=True)
class Wire:
    """A name that `WireNames` holds, by the name of its field there."""

    field: str


Pairs: TypeAlias = tuple[tuple[str | Wire, str], ...]
"""Names and texts of a query or of headers, in the order they are sent."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Operation(Generic[T]):
    """A request and the type of its result.

    Attributes:
        method: HTTP method.
        template: Path with identifiers left out, for logs, errors and traces: `/payments/{payment}/actions/reverse`.
        path: The decoded path segments.
        reader: How the answer becomes the result.
        query: Names and texts, in the order they are sent.
        headers: Extra headers of this operation.
        body: The encoded body, made once; `None` for none.
        safety: What a repetition would do.
        resource_id: The last identifier in the path.
        reconcile_key: What to look the operation up by after an unknown outcome.
        reconcile_by: What that is, in a sentence.
        original_transaction_id: For a refund, the charge that it refunds (E8).
        needs_credential: `False` where the specification does not show a scheme (E5).
    """

    method: Method
    template: str
    path: tuple[str, ...]
    reader: Reader[T]
    query: Pairs = ()
    headers: Pairs = ()
    body: bytes | None = None
    safety: Safety = Safety.READ
    resource_id: str | None = None
    reconcile_key: str | None = None
    reconcile_by: str = "the identifier"
    original_transaction_id: str | None = None
    needs_credential: bool = True

    @property
    def result(self) -> type[T]:
        """The type of the result."""
        return self.reader.result

    def __repr__(self) -> str:
        # Query and body may hold personal data; tracebacks with locals print this.
        return f"<Operation {self.method} {self.template}>"


_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\d+))?\}")
_FORBIDDEN = re.compile(r"[/\\?#%\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
MAX_IDENTIFIER = 128
MAX_TEXT = 1024


@cache
def _parse(template: str) -> tuple[str, tuple[str | tuple[str, int], ...]]:
    parts: list[str | tuple[str, int]] = []
    for segment in template.strip("/").split("/"):
        match = _PLACEHOLDER.fullmatch(segment)
        parts.append((_snake(match[1]), int(match[2] or MAX_IDENTIFIER)) if match else segment)
    return _PLACEHOLDER.sub(r"{\1}", template), tuple(parts)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def identifier(name: str, value: object, maximum: int = MAX_IDENTIFIER) -> str:
    """Check an id or vid (H40, H41): text that stays one path segment whatever decodes it.

    Raises:
        RequestError: Not text, empty, too long, or with a character that means something in a URL.
    """
    if not isinstance(value, str):
        raise RequestError(f"{name} must be text, not {type(value).__name__}")
    if not 1 <= len(value) <= maximum:
        raise RequestError(f"{name} must have 1 to {maximum} characters")
    # What a server in between may normalise or cut off (`..;a`, a full-width solidus) counts as what it becomes.
    plain = value if value.isascii() else unicodedata.normalize("NFKC", value)
    if plain.partition(";")[0] in (".", "..") or _FORBIDDEN.search(plain) or _has_invisible(value):
        raise RequestError(f"{name} must not be a dot segment or contain / \\ ? # % or a control character")
    return value


def _has_invisible(value: str) -> bool:
    return not value.isascii() and any(unicodedata.category(character) in _INVISIBLE for character in value)


def path(template: str, *values: str) -> tuple[str, tuple[str, ...], str | None]:
    """Fill a path template: `{payment}` takes up to 128 characters, `{id:36}` up to 36."""
    clean, parts = _parse(template)
    remaining = iter(values)
    segments = [part if isinstance(part, str) else identifier(part[0], next(remaining), part[1]) for part in parts]
    return clean, tuple(segments), values[-1] if values else None


def text(name: str, value: str, maximum: int = MAX_TEXT) -> str:
    """Check a text argument: 1 to 1,024 characters (or `maximum`), encodable, no control characters."""
    if not isinstance(value, str):
        raise RequestError(f"{name} must be text, not {type(value).__name__}")
    if not 1 <= len(value) <= maximum:
        raise RequestError(f"{name} must have 1 to {maximum} characters")
    if re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", value):
        raise RequestError(f"{name} must not contain control characters or lone surrogates")
    return value


def whole_number(name: str, value: int, minimum: int, maximum: int | None = None) -> int:
    """Check a whole number argument."""
    if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
        bound = f"from {minimum} to {maximum}" if maximum is not None else f"of at least {minimum}"
        raise RequestError(f"{name} must be a whole number {bound}")
    return value


def moment(name: str, value: datetime) -> str:
    """Write a point in time in ISO 8601 with its offset; one without a time zone is refused."""
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise RequestError(f"{name} must be a datetime with a time zone")
    return value.isoformat()


def flag(name: str, value: bool) -> bool:
    """Check a yes/no argument, which must be `True` or `False` and nothing that only looks like it."""
    if type(value) is not bool:
        raise RequestError(f"{name} must be True or False")
    return value


def query(
    *,
    texts: Mapping[str, str | None] | None = None,
    moments: Mapping[str, datetime | None] | None = None,
    identifiers: Mapping[str, str | None] | None = None,
    flags: Mapping[str, bool | None] | None = None,
    wire: str | None = None,
) -> Pairs:
    """Turn arguments into query pairs; those that are `None` are left out.

    Args:
        texts: Texts of at most 1,024 characters.
        moments: Points in time, sent in ISO 8601 with offset.
        identifiers: Ids or vids of at most 128 characters.
        flags: Booleans, sent as 1 and 0.
        wire: Prefix of the fields in `WireNames` when the wire names are not the SDK's.

    Raises:
        RequestError: A value of another kind, or over its limit; the text names the argument.
    """
    given = {name: text(name, value) for name, value in (texts or {}).items() if value is not None}
    given |= {name: moment(name, value) for name, value in (moments or {}).items() if value is not None}
    for name, value in (identifiers or {}).items():
        if value is not None:
            given[name] = text(name, value, MAX_IDENTIFIER)
    for name, switched in (flags or {}).items():
        if switched is not None:
            given[name] = "1" if flag(name, switched) else "0"
    return tuple((Wire(f"{wire}_{name}") if wire else name, value) for name, value in given.items())


def free_query(arguments: Mapping[str, QueryValue]) -> Pairs:
    """Turn the parameters of a call that the SDK has no method for into query pairs, each by its own type."""
    pairs: list[tuple[str | Wire, str]] = []
    for name, value in arguments.items():
        text("the name of a query parameter", name)
        if isinstance(value, bool):
            pairs.append((name, "1" if value else "0"))
        elif isinstance(value, int):
            pairs.append((name, str(value)))
        elif isinstance(value, datetime):
            pairs.append((name, moment(name, value)))
        elif value is not None:
            pairs.append((name, text(name, value)))
    return tuple(pairs)


def body_bytes(name: str, body: Model | Mapping[str, object] | list[object]) -> bytes:
    """Encode a body once, numbers exact (H45, H48), after checking every model in it, however it was made.

    Raises:
        RequestError: A field is over its limit or breaks a rule, or a value is one that JSON cannot carry, such as a
            float or NaN. The text names the field and never shows the value.
    """
    try:
        if isinstance(body, BaseModel):
            _check(name, body)
            body = write(body)
        return json.encode(body)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, RequestError):
            raise
        reason = str(error) if isinstance(error, TypeError) or "number" in str(error) else "it is not valid JSON"
        raise RequestError(f"{name} cannot be sent: {reason}") from None


def _check(name: str, body: Model) -> None:
    """Refuse a model that breaks a limit of the specification."""
    fault = first_fault(name, body)
    if fault is not None:
        place, reason = fault
        raise RequestError(f"{place} cannot be sent: {reason}")


def body_of(name: str, body: object, kind: type[Model]) -> bytes:
    """Encode a model argument after checking that it is one.

    Raises:
        RequestError: Another type was given, or the model may not be sent.
    """
    if not isinstance(body, kind):
        raise RequestError(f"{name} must be a {kind.__name__}, not {type(body).__name__}")
    return body_bytes(name, body)


R = TypeVar("R", bound=Model)


def get(template: str, *values: str, result: type[R], query: Pairs = ()) -> Operation[R]:
    """Read one resource."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="GET",
        template=clean,
        path=segments,
        query=query,
        reader=ReadModel(result),
        resource_id=resource_id,
        reconcile_key=resource_id,
    )


def post(
    template: str,
    *values: str,
    result: type[R],
    body: bytes | None = None,
    query: Pairs = (),
    empty: bool = False,
) -> Operation[R]:
    """Create, update or act; `empty` allows an answer without a body."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="POST",
        template=clean,
        path=segments,
        query=query,
        body=body,
        reader=ReadModel(result, empty=empty),
        safety=Safety.WRITE,
        resource_id=resource_id,
        reconcile_key=resource_id,
    )


def delete(template: str, *values: str, query: Pairs = ()) -> Operation[None]:
    """Remove what an identifier names; the answer's body is not read."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="DELETE",
        template=clean,
        path=segments,
        query=query,
        reader=NOTHING,
        safety=Safety.DELETE,
        resource_id=resource_id,
        reconcile_key=resource_id,
    )
