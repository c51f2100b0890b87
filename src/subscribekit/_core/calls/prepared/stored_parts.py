"""The parts of a stored call: how it is described, and how the description is checked when it is read.

What is read may be foreign, so each part has a model that refuses other fields and other types.
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
"""For what is stored: a field with another name or type might mean something else, so nothing is guessed."""


class DamagedCallError(ValueError):
    """The stored data is not a call."""


# How a response reads


_READERS: dict[str, Reader[object]] = {"nothing": NOTHING, "plain": ReadPlain(), "array": ReadArray()}
"""The readers without a model."""


def own_model(reader: Reader[object]) -> type[Model] | None:
    """Return the class of the result, if it is one of the caller's own."""
    result: object = reader.result
    is_own = isinstance(reader, ReadModel) and _name(result) is None
    return result if is_own and isinstance(result, type) and issubclass(result, Model) else None


def _name(kind: object) -> str | None:
    """Return the name of a public model."""
    name = kind.__name__ if isinstance(kind, type) else ""
    return name if name in MODULE_OF and getattr(models, name) is kind else None


def describe_reader(name: str, reader: Reader[object]) -> Fields:
    """Describe a reader by names; what one call looks for is in the call's own part."""
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
    raise InvalidArgumentError(f"the result of {name} cannot be stored")


_ENVELOPES: dict[str, Reader[Page[JSON]]] = {"cursor_page": CURSOR_PAGE, "offset_page": OFFSET_PAGE}


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


class Reads(BaseModel):
    """How a response reads."""

    model_config = STRICT

    kind: Literal["model", "one_of", "nothing", "plain", "array", "cursor_page", "offset_page"]
    model: Annotated[type[Model], PlainValidator(model_named)] | None = None
    any_shape: bool = False

    def reader(self, own: "Own", kind: type[Model] | None) -> Reader[object]:
        """Return the reader of a call; `kind` is the class of the result if it is one of the caller's own."""
        model = self.model or kind
        if self.kind == "model" and model is not None:
            return ReadModel(model, self.any_shape)
        if self.kind == "one_of" and model is not None and own.wanted is not None:
            return ReadOneOf(model, own.wanted)
        if self.kind in _ENVELOPES and model is not None:
            return WholePage(_ENVELOPES[self.kind], model, own.expected)
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


class Shape(BaseModel):
    """The common part of an operation's calls."""

    model_config = STRICT

    name: str
    method: Method
    template: str
    safety: Safety
    reader: Reads
    by: str
    credential: bool
    compared: bool
    identity: tuple[str, ...] | None  # it has no default: without it, any response would be a success
    if_shown: bool = False
    headers: Annotated[tuple[tuple[str, str], ...], AfterValidator(_set_by_the_sdk)]
    extra: tuple[str, ...]
    dry: bool = False


class Own(BaseModel):
    """The part of one call."""

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
    """Read the common part."""
    return checked(Shape, text)


def own_of(text: str, last: str | None) -> Own:
    """Read the part of one call; the last segment of its path is what it does not say."""
    own = checked(Own, text or "{}")
    return own.model_copy(update=dict.fromkeys({"id", "key"} - own.model_fields_set, last))


def checked(kind: type[B], text: str) -> B:
    """Read stored text; raises `DamagedCallError` with the place, and without the values."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        place = ".".join(str(each) for each in error.errors(include_input=False)[0]["loc"])
        raise DamagedCallError(f"{place or 'the stored call'} cannot be read") from None
