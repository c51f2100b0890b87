"""Describes the parts of a stored call, and checks them when they're read.

Stored data can come from an untrusted place, so each part has a model that rejects unknown fields and other types.
"""

import re
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator, ValidationError

from .... import models
from ...._json import JSON
from ....errors import InvalidArgumentError
from ....models._base import Model
from ....models._names import MODULE_OF
from ...config.wire_names import RESERVED_HEADERS
from ...operations.generic import ReadArray
from ...operations.operation import Method, Safety
from ...operations.readers import (
    CURSOR_PAGE,
    NOTHING,
    OFFSET_PAGE,
    Page,
    Reader,
    ReadModel,
    ReadOneOf,
    ReadPlain,
    WholePage,
)

Fields: TypeAlias = dict[str, JSON]
B = TypeVar("B", bound=BaseModel)

_VALUE = re.compile(r"[ -~]*")
STRICT = ConfigDict(strict=True, frozen=True, extra="forbid")
"""Settings of the pydantic models of stored data, which reject values of another type instead of converting them."""


class DamagedCallError(ValueError):
    """The stored data isn't a valid call."""


_READERS: dict[str, Reader[object]] = {"nothing": NOTHING, "plain": ReadPlain(), "array": ReadArray()}
"""Readers of results that have no model class, by the names in stored data."""


def own_model(reader: Reader[object]) -> type[Model] | None:
    """Return the class of the result if the caller defined that class, or `None` for the SDK's classes."""
    result: object = reader.result
    is_own = isinstance(reader, ReadModel) and _name(result) is None
    return result if is_own and isinstance(result, type) and issubclass(result, Model) else None


def _name(kind: object) -> str | None:
    """Return the name of a public model, or `None` for any other class."""
    name = kind.__name__ if isinstance(kind, type) else ""
    return name if name in MODULE_OF and getattr(models, name) is kind else None


def describe_reader(name: str, reader: Reader[object]) -> Fields:
    """Return the fields that describe a reader, without the values that differ between calls of an operation."""
    result: object = reader.result
    if isinstance(reader, ReadModel):
        return {"kind": "model", "model": _name(result), "any_shape": reader.any_shape}
    if isinstance(reader, ReadOneOf):
        return {"kind": "one_of", "model": _name(result)}
    if isinstance(reader, WholePage):
        whole = cast("WholePage[Model]", reader)
        pages = next((kind for kind, envelope in _ENVELOPES.items() if envelope is whole.envelope), None)
        return {"kind": pages, "model": _name(whole.item)}
    for kind, each in _READERS.items():
        if each == reader:
            return {"kind": kind}
    raise InvalidArgumentError(
        f"the SDK can't store this prepared request, because its reader {name} isn't part of the SDK; create the "
        f"request with client.prepare"
    )


_ENVELOPES: dict[str, Reader[Page[JSON]]] = {"cursor_page": CURSOR_PAGE, "offset_page": OFFSET_PAGE}


def model_named(name: JSON) -> type[Model]:
    """Return a public model by its name.

    Raises:
        DamagedCallError: The model doesn't exist.
    """
    kind: object = getattr(models, name) if isinstance(name, str) and name in MODULE_OF else None
    if not isinstance(kind, type) or not issubclass(kind, Model):
        raise DamagedCallError("the model doesn't exist")
    return kind


class Reads(BaseModel):
    """The reader of a response."""

    model_config = STRICT

    kind: Literal["model", "one_of", "nothing", "plain", "array", "cursor_page", "offset_page"]
    model: Annotated[type[Model], PlainValidator(model_named)] | None = None
    any_shape: bool = False

    def reader(self, own: "Own", kind: type[Model] | None) -> Reader[object]:
        """Return the reader of a call. `kind` is the class of the result if the caller defined that class."""
        model = self.model or kind
        if self.kind == "model" and model is not None:
            return ReadModel(model, self.any_shape)
        if self.kind == "one_of" and model is not None and own.wanted is not None:
            return ReadOneOf(model, own.wanted)
        if self.kind in _ENVELOPES and model is not None:
            return WholePage(_ENVELOPES[self.kind], model, own.expected)
        if self.kind in _READERS:
            return _READERS[self.kind]
        raise DamagedCallError("the reader of the response isn't valid")


def _set_by_the_sdk(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Reject a header that only the sending client may set, and a value that could inject a header line."""
    for name, value in headers:
        if name.lower() not in _STORED or not _VALUE.fullmatch(value):
            raise DamagedCallError("a stored header isn't a header that the SDK sets")
    return headers


_STORED = RESERVED_HEADERS - {
    "authorization", "connection", "cookie", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
    "x-api-key", "b3", "x-b3-flags", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid", "x-b3-traceid",
}  # fmt: skip


class Shape(BaseModel):
    """The part of a stored call that all calls of the operation share."""

    model_config = STRICT

    name: str
    method: Method
    template: str
    safety: Safety
    reader: Reads
    by: str
    credential: bool
    compared: bool
    # `identity` has no default, so that a stored call without this field is rejected. If the identity is `None`, the
    # SDK accepts any response.
    identity: tuple[str, ...] | None
    if_shown: bool = False
    headers: Annotated[tuple[tuple[str, str], ...], AfterValidator(_set_by_the_sdk)]
    extra: tuple[str, ...]
    dry: bool = False


class Own(BaseModel):
    """The part of a stored call that differs between calls of the operation."""

    model_config = STRICT

    id: str | None = None
    key: str | None = None
    original: str | None = None
    wanted: str | None = None
    named: tuple[str, ...] | None = None
    expected: tuple[tuple[str, str], ...] = ()
    parent: str | None = None


@lru_cache(256)
def shape_of(text: str) -> Shape:
    """Parse the part of a stored call that all calls of the operation share."""
    return checked(Shape, text)


def own_of(text: str, last: str | None) -> Own:
    """Parse the part of a stored call that differs between calls. If `id` or `key` is missing, use `last` for it."""
    own = checked(Own, text or "{}")
    return own.model_copy(update=dict.fromkeys({"id", "key"} - own.model_fields_set, last))


def checked(kind: type[B], text: str) -> B:
    """Parse stored JSON, or raise `DamagedCallError` with the name of the invalid field but without its value."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        field = ".".join(str(each) for each in error.errors(include_input=False)[0]["loc"])
        raise DamagedCallError(f"{field or 'the stored call'} isn't valid") from None
