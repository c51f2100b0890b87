"""Checks every model of a request body before it's sent, with the rules for creating models.

Pydantic doesn't apply the rules for creating models when the SDK reads a response, or in `model_copy` and
`model_construct`. Before the SDK sends a model, it validates the model again with the strict schema of the class.
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

# The check ignores errors about the type of a value. A response can contain values of undocumented types, such as null
# in metadata, and you can send these values back. For a union, pydantic also reports a type error for each type that
# the value doesn't have.
_KINDS = frozenset(
    {"bool_type", "dict_type", "int_type", "list_type", "literal_error", "metadata_type", "model_type", "string_type"}
)

# The check ignores masked numbers, because `write_body` doesn't send them.
_LEFT_OUT = frozenset({"masked_number"})

# In a received model, the check also ignores errors about identifiers and read-only fields, because the service itself
# sent their values.
_ITS_OWN = frozenset({"identifier_path", "read_only"})


def first_fault(name: str, model: Model) -> tuple[str, str] | None:
    """Return the first field of a model, or of its nested models, that can't be sent.

    Args:
        name: The name of the model, which is the first step of the path.
        model: The model to send. Unknown fields, and values that couldn't be parsed, aren't checked.

    Returns:
        The dotted path of the field and its problem, without the value; `None` if the model can be sent.
    """
    for path, each in models_in(name, model):
        if not isinstance(each, Model):
            continue
        if isinstance(each, OpenModel) and (long := _long_name(each.model_extra)) is not None:
            return f"{path}.{shortened(long)}", f"the name of the field has more than {MAX_TEXT:,} characters"
        own = given_fields(each)
        let_through = _KINDS | _LEFT_OUT
        if fault := _fault(type(each), own, let_through if each.model_extra is None else let_through | _ITS_OWN):
            return ".".join((path, *_place(own, fault["loc"]))), fault["msg"]
    return None


def _long_name(value: object) -> str | None:
    """Return a field name that is over the length limit, at any level of a value, or `None`."""
    if isinstance(value, Mapping):
        for name, content in cast("Mapping[object, object]", value).items():
            found = name if isinstance(name, str) and len(name) > MAX_TEXT else _long_name(content)
            if found is not None:
                return found
    elif isinstance(value, list | tuple):
        return next(filter(None, map(_long_name, cast("Sequence[object]", value))), None)
    return None


def _fault(kind: type[Model], own: dict[object, object], let_through: frozenset[str]) -> ErrorDetails | None:
    """Validate the fields of one model, without its nested models."""
    try:
        # `model_copy` may have set a wire name, which isn't a Python field name and would never be sent.
        kind.__pydantic_validator__.validate_python(own, context=BUILDING, by_name=True, by_alias=False)
    except ValidationError as error:
        return next((line for line in _lines(error) if line["type"] not in let_through), None) or _unreadable(kind, own)
    return None


def _unreadable(kind: type[Model], own: dict[object, object]) -> ErrorDetails | None:
    """Validate the values as if they were from a response, and return the first error or `None`."""
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
    """Convert the location of a pydantic error to the steps of a path, without the union tags in the location."""
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
