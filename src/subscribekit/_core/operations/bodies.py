"""Request bodies: checked and encoded once, numbers exact."""

import sys
from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel

from ... import _json as json
from ..._articles import with_article
from ..._interrupts import interrupt_behind
from ...errors import InvalidArgumentError
from ...models._base import Model, write, write_body
from ...models._limits import first_fault

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)


def body_bytes(name: str, body: Model | Mapping[str, object] | list[object]) -> bytes:
    """Encode a body once, numbers exact (H45, H48), after checking every model in it, however it was made.

    Raises:
        InvalidArgumentError: A field is over its limit or breaks a rule, or a value is one that JSON cannot carry,
            such as a float or NaN. The text names the field and never shows the value.
    """
    handled = id(sys.exc_info()[1])
    try:
        if isinstance(body, BaseModel):
            if (fault := first_fault(name, body)) is not None:
                place, reason = fault
                raise InvalidArgumentError(f"{place} cannot be sent: {reason}")
            body = write_body(body)
        return json.encode(body)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidArgumentError):
            raise
        if (interrupt := interrupt_behind(error, handled)) is not None:
            raise interrupt from None
        reason = str(error) if isinstance(error, TypeError) or "number" in str(error) else "it is not valid JSON"
        raise InvalidArgumentError(f"{name} cannot be sent: {reason}") from None


def written(model: Model) -> dict[str, object]:
    """Return what would be sent for a model that a response holds."""
    handled = id(sys.exc_info()[1])
    try:
        return write(model)
    except ValueError as error:
        raise interrupt_behind(error, handled) or error from None


def body_of(name: str, body: object, kind: type[Model]) -> bytes:
    """Encode a model argument after checking that it is one.

    Raises:
        InvalidArgumentError: Another type was given, or the model may not be sent.
    """
    if not isinstance(body, kind):
        given = "the class itself" if isinstance(body, type) else type(body).__name__
        raise InvalidArgumentError(f"{name} must be {with_article(kind)}, not {given}: write {kind.__name__}(...)")
    return body_bytes(name, body)


def model_class(name: str, model: type[M]) -> type[M]:
    """Check an argument that says of which model something is.

    Raises:
        InvalidArgumentError: Not a model class, or the base of all of them, which has no fields.
    """
    if not isinstance(model, type) or not issubclass(model, Model) or model is Model:
        raise InvalidArgumentError(f"{name} must be a model class, such as subscribekit.models.Chargeback")
    return model
