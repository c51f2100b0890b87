"""The check of what is about to be sent: the rules of building, for every model of a body, however it came about.

A model that is built is checked at once. One that was read is not, and `model_copy` and `model_construct` of pydantic
check nothing. So each model is validated once more, by its own strict schema, when it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ._base import Model, OpenModel
from ._context import BUILDING, READING
from ._lists import ModelList
from ._refusals import interrupt_in
from ._values import MAX_TEXT
from ._walk import given_fields, models_in, shortened

# Faults of the kind of a value, not of a limit. Reading lets some pass (null in metadata), and what was received may be
# sent again; a union also reports them for the alternatives that the value never was.
_KINDS = frozenset(
    {"bool_type", "dict_type", "int_type", "list_type", "literal_error", "metadata_type", "model_type", "string_type"}
)

# A masked number is not sent; `write_body` leaves it out.
_LEFT_OUT = frozenset({"masked_number"})

# May be sent after it was received, although it cannot be built: it exists at the service.
_ITS_OWN = frozenset({"identifier_path", "read_only"})


def first_fault(name: str, model: Model) -> tuple[str, str] | None:
    """Find a field that may not be sent, in a model or in one that it holds.

    Args:
        name: The name of the model itself.
        model: The model to be sent. Its unknown fields and values that could not be read are not judged.

    Returns:
        The dotted path of the field and what is wrong with it, without the value; `None` when all may be sent.
    """
    for path, each in models_in(name, model):
        if not isinstance(each, Model):
            continue
        if isinstance(each, OpenModel) and (long := _long_name(each.model_extra)) is not None:
            return f"{path}.{shortened(long)}", f"its name has more than {MAX_TEXT:,} characters"
        own = given_fields(each)
        let_through = _KINDS | _LEFT_OUT
        if fault := _fault(type(each), own, let_through if each.model_extra is None else let_through | _ITS_OWN):
            return ".".join((path, *_place(own, fault["loc"]))), fault["msg"]
    return None


def _long_name(value: object) -> str | None:
    """Return a name over the limit from the undocumented fields of an open object, on any level."""
    if isinstance(value, Mapping):
        for name, content in cast("Mapping[object, object]", value).items():
            found = name if isinstance(name, str) and len(name) > MAX_TEXT else _long_name(content)
            if found is not None:
                return found
    elif isinstance(value, list | tuple):
        return next(filter(None, map(_long_name, cast("Sequence[object]", value))), None)
    return None


def _fault(kind: type[Model], own: dict[object, object], let_through: frozenset[str]) -> ErrorDetails | None:
    """Validate the fields of one model; models in them are taken as they are."""
    try:
        # A copy may have been given a name of the wire: it is none of Python, and would never be sent.
        kind.__pydantic_validator__.validate_python(own, context=BUILDING, by_name=True, by_alias=False)
    except ValidationError as error:
        return next((line for line in _lines(error) if line["type"] not in let_through), None) or _unreadable(kind, own)
    return None


def _unreadable(kind: type[Model], own: dict[object, object]) -> ErrorDetails | None:
    """Tell a value of another kind that reading lets through from one that never came from a response."""
    try:
        kind.__pydantic_validator__.validate_python(
            own, strict=False, extra="allow", context=READING, by_name=True, by_alias=False
        )
    except ValidationError as error:
        return _lines(error)[0]
    return None


def _lines(error: ValidationError) -> list[ErrorDetails]:
    if (interrupt := interrupt_in(error)) is not None:
        raise interrupt from None
    return error.errors(include_url=False, include_context=False, include_input=False)


def _place(own: dict[object, object], location: tuple[int | str, ...]) -> Iterator[str]:
    """Translate a location of pydantic into the steps of a path, without its tags of unions."""
    name = str(location[0])
    yield shortened(name)
    current = own.get(name)
    for part in location[1:]:
        if isinstance(current, Mapping) and part in current:
            current = cast("Mapping[object, object]", current)[part]
        elif isinstance(part, int) and isinstance(current, ModelList | list | tuple):
            current = cast("Sequence[object]", current)[part]
        else:
            continue
        yield shortened(str(part))
