"""Converts models to and from JSON text that an application stores, for example in a cache or a queue."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from .._json import DamagedJSONError, decode, encode_stored
from ._base import Model, read, write
from ._refusals import without_input

M = TypeVar("M", bound=Model)


def to_json(model: Model) -> bytes:
    """Return a model as JSON text that `from_json` can read.

    The text contains wire names, exact numbers, the fields that were set or received, and unknown fields. Unlike a
    request body, the text can contain values over the documented limits. Personal and payment data isn't masked.

    Args:
        model: The model to convert.

    Returns:
        JSON text in UTF-8, without line breaks.

    Raises:
        TypeError: `model` isn't a model, or `model_construct` or `model_copy` put a value into it that can't be stored
            exactly, such as a float.
        ValueError: A value from `model_construct` or `model_copy` doesn't fit its field, or is a number that isn't
            finite.
    """
    __tracebackhide__ = True
    given: object = model
    if not isinstance(given, Model):
        raise TypeError(f"model must be an instance of a model class, such as Account, not {type(given).__name__}")
    return encode_stored(write(model))


def from_json(kind: type[M], data: bytes | str) -> M:
    """Return a model from JSON text, which is read like a response: with exact numbers, and with unknown fields.

    If you convert a received model with `to_json` and read the text with `from_json`, the result equals the original
    model.

    Args:
        kind: The class of the model.
        data: The JSON text of one object, from `to_json` or from the service.

    Returns:
        The model.

    Raises:
        ValueError: The text isn't complete JSON, isn't an object, or is an object of another type. The error message
            doesn't contain the JSON text.
    """
    __tracebackhide__ = True
    given: object = kind
    if not isinstance(given, type):
        raise TypeError("kind must be a model class; pass the class first, as in from_json(Account, data)")
    try:
        raw = decode(data.encode() if isinstance(data, str) else data)
    except (DamagedJSONError, UnicodeEncodeError):
        raise ValueError(f"{kind.__name__}: data must be complete, standard JSON") from None
    try:
        return read(kind, raw)
    except ValidationError as error:
        refused = without_input(error)
    # Delete the values, so that no frame of a traceback contains the values (test_models_building.py).
    del raw, data
    raise refused
