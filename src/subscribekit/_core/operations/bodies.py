"""Checks request bodies, and encodes them once with exact numbers."""

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

__tracebackhide__ = True  # pytest hides this module's frames and shows the caller's line

M = TypeVar("M", bound=Model)


def body_bytes(name: str, body: Model | Mapping[str, object] | list[object]) -> bytes:
    """Check every model in a body again, and encode the body with exact numbers (H45, H48).

    Raises:
        InvalidArgumentError: A field exceeds its limit or breaks a rule, or a value can't be sent as JSON, such as a
            float or NaN. The message names the field and never shows the value.
    """
    handled = id(sys.exc_info()[1])
    try:
        if isinstance(body, BaseModel):
            if (fault := first_fault(name, body)) is not None:
                place, reason = fault
                raise InvalidArgumentError(f"{place} can't be sent: {reason}")
            body = write_body(body)
        return json.encode(body)
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidArgumentError):
            raise
        if (interrupt := interrupt_behind(error, handled)) is not None:
            raise interrupt from None
        reason = str(error) if isinstance(error, TypeError) or "number" in str(error) else "it isn't valid JSON"
        raise InvalidArgumentError(f"{name} can't be sent: {reason}") from None


def written(model: Model) -> dict[str, object]:
    """Return the fields of a model from a response, in the form in which the SDK sends fields."""
    handled = id(sys.exc_info()[1])
    try:
        return write(model)
    except ValueError as error:
        raise interrupt_behind(error, handled) or error from None


def body_of(name: str, body: object, kind: type[Model]) -> bytes:
    """Check the type of a model argument, and encode the model.

    Raises:
        InvalidArgumentError: The argument isn't an instance of the model class, or the model can't be sent.
    """
    if not isinstance(body, kind):
        given = "the class itself" if isinstance(body, type) else type(body).__name__
        raise InvalidArgumentError(f"{name} must be {with_article(kind)}, not {given}; pass {kind.__name__}(...)")
    return body_bytes(name, body)


def model_class(name: str, model: type[M]) -> type[M]:
    """Check an argument that must be a model class, and return it.

    Raises:
        InvalidArgumentError: The argument isn't a model class, or is `Model` itself, which has no fields.
    """
    if not isinstance(model, type) or not issubclass(model, Model) or model is Model:
        raise InvalidArgumentError(f"{name} must be a model class, such as subscribekit.models.Chargeback")
    return model
