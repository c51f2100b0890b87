"""Models as JSON text that an application keeps: caches, queues, fixtures."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from .._json import DamagedJSONError, decode, encode_stored
from ._base import Model, read, write
from ._refusals import without_input

M = TypeVar("M", bound=Model)


def to_json(model: Model) -> bytes:
    """Write a model as the JSON that would be sent, to be kept and read back with `from_json`.

    It has wire names, exact numbers, the fields that were received or given, and the unknown ones. Unlike a body it may
    hold values over the documented limits, as a response may. Personal and payment data is in it in clear.

    Args:
        model: The model to keep.

    Returns:
        JSON text in UTF-8, without line breaks.

    Raises:
        TypeError: No model was given, or a value that was put into it unchecked is none of JSON, such as a float.
        ValueError: Such a value does not fit its field, or is a number that is not finite.
    """
    __tracebackhide__ = True
    given: object = model
    if not isinstance(given, Model):
        raise TypeError(f"to_json takes a model, not {type(given).__name__}")
    return encode_stored(write(model))


def from_json(kind: type[M], data: bytes | str) -> M:
    """Read a model from JSON text as responses are read: tolerant, with exact numbers and unknown fields kept.

    A received model that is written with `to_json` and read with this function is equal to the original.

    Args:
        kind: The model.
        data: JSON text of one object, from `to_json` or as the service sent it.

    Returns:
        The model.

    Raises:
        ValueError: The text is not one complete JSON text, or it is no object or one of another kind. The error never
            shows the text.
    """
    __tracebackhide__ = True
    given: object = kind
    if not isinstance(given, type):
        raise TypeError("from_json takes the model first: write from_json(Account, data)")
    try:
        raw = decode(data.encode() if isinstance(data, str) else data)
    except (DamagedJSONError, UnicodeEncodeError):
        raise ValueError(f"{kind.__name__}: the text is not complete, standard JSON") from None
    try:
        return read(kind, raw)
    except ValidationError as error:
        refused = without_input(error)
    del raw, data  # no value stays in the frames of the traceback
    raise refused
