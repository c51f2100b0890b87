"""Creates valid random models for tests, such as `make(Account)`."""

from __future__ import annotations

import random
import re
import types
from decimal import localcontext
from typing import Annotated, Literal, TypeVar, Union, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from .._decimals import own_context
from ..models._base import Model
from ..models._lists import ModelList
from ..models._ref import Reference
from ..models._scalars import Integer, TextLimit
from .coherence import LEFT_OUT, USUAL, related
from .field_values import Draw, scalar

__all__ = ["Factory", "make", "make_batch"]

M = TypeVar("M", bound=Model)

_DEPTH = 4
"""Maximum number of nested levels of a model. The factory leaves out fields that are nested deeper than `_DEPTH`
levels."""


class Factory:
    """Creates a sequence of valid random models. The same seed creates the same sequence.

        factory = Factory(seed=7)
        account = factory.make(Account, email="ann@example.com")

    Args:
        seed: The seed of the random values.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311  test data
        self._number = 0

    def make(self, kind: type[M], /, **fields: object) -> M:
        """Create the next model of the sequence.

        The model contains all documented fields, except fields for special cases, such as an end date, a parent, or the
        policy of a request. Resources to which the model refers have only `id` and `vid`.

        Args:
            kind: A class of `subscribekit.models`.
            **fields: Fields to set, by their Python names. The fields that you set can change other fields: for
                example, if you set `credit_card` in a `PaymentMethod`, `type` becomes `CreditCard`.

        Returns:
            The model, which is validated like a model that your application creates.

        Raises:
            pydantic.ValidationError: A field doesn't exist, or the value of a field isn't valid.
        """
        self._number += 1
        with localcontext(own_context(28)):  # the test may have changed the current decimal context
            values = _values(Draw(self._random, self._number), kind, frozenset(fields), _DEPTH)
        return kind(**{**values, **fields})

    def make_batch(self, kind: type[M], count: int, /, **fields: object) -> list[M]:
        """Create several models.

        Args:
            kind: A class of `subscribekit.models`.
            count: The number of models.
            **fields: Fields to set on each model, by their Python names.

        Returns:
            The models, which have different random values.

        Raises:
            pydantic.ValidationError: A field doesn't exist, or the value of a field isn't valid.
        """
        return [self.make(kind, **fields) for _ in range(count)]


class _Sequence:
    factory = Factory()


def _factory(seed: int | None) -> Factory:
    return _Sequence.factory if seed is None else Factory(seed)


def restart() -> None:
    """Restart the sequence of `make`. The pytest plugin calls this function before each test."""
    _Sequence.factory = Factory()


def make(kind: type[M], /, *, seed: int | None = None, **fields: object) -> M:
    """Create a valid random model. For details, see `Factory.make`.

    Args:
        kind: A class of `subscribekit.models`.
        seed: The seed of the random values. The same seed creates the same model. If you don't pass a seed, each call
            creates another model, in a sequence that is the same in every test.
        **fields: Fields to set, by their Python names.

    Returns:
        The model, which is validated like a model that your application creates.

    Raises:
        pydantic.ValidationError: A field doesn't exist, or the value of a field isn't valid.
    """
    return _factory(seed).make(kind, **fields)


def make_batch(kind: type[M], count: int, /, *, seed: int | None = None, **fields: object) -> list[M]:
    """Create several valid random models.

    Args:
        kind: A class of `subscribekit.models`.
        count: The number of models.
        seed: The seed of the random values. The same seed creates the same models.
        **fields: Fields to set on each model, by their Python names.

    Returns:
        The models, which have different random values.

    Raises:
        pydantic.ValidationError: A field doesn't exist, or the value of a field isn't valid.
    """
    return _factory(seed).make_batch(kind, count, **fields)


def _values(draw: Draw, kind: type[Model], given: frozenset[str], depth: int) -> dict[str, object]:
    consistent = related(draw, kind.__name__, given)
    values: dict[str, object] = {}
    for name, field in kind.model_fields.items():
        if name in given:
            continue
        value = consistent.get(name, None if name in LEFT_OUT else USUAL)
        if value is USUAL:
            value = _field(draw, kind, name, field, depth)
        if value is not None:
            values[name] = value
    return values


def _field(draw: Draw, kind: type[Model], name: str, field: FieldInfo, depth: int) -> object:
    annotation = cast("object", field.annotation)
    if name == "id":
        return _identifier(draw, kind, annotation)
    if name == "vid":
        return draw.vid_of(kind.__name__) if "id" in kind.model_fields else draw.vid()
    # If a field can't be null, pydantic stores its length limit in the field's metadata, not in the annotation.
    limit = next((mark for mark in field.metadata if isinstance(mark, TextLimit)), None)
    return _value(draw, f"{kind.__name__}.{name}", annotation, limit, depth)


def _identifier(draw: Draw, kind: type[Model], annotation: object) -> object:
    if Integer in _options(annotation):
        return 4000 + draw.number
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()
    return f"{words}-{draw.number:04d}"


def _options(annotation: object) -> list[object]:
    """Return the types of a field, except `None`."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [option for option in get_args(annotation) if option is not type(None)]
    return [annotation]


def _value(draw: Draw, name: str, annotation: object, limit: TextLimit | None, depth: int) -> object:
    options = _options(annotation)
    for option in options:
        if get_origin(option) is Literal:
            return draw.source.choice(get_args(option))
    option = options[0]
    if get_origin(option) is ModelList:
        made = _value(draw, name, get_args(option)[0], limit, depth)
        return None if made is None else [made]
    kind = _model(option)
    if kind is not None:
        return kind(**_values(draw, kind, frozenset(), depth - 1)) if depth > 0 else None
    marks = get_args(option)[1:] if get_origin(option) is Annotated else ()
    for mark in marks:
        if isinstance(mark, Reference):
            return _reference(draw, cast("type[Model]", mark.model))
        if isinstance(mark, TextLimit):
            limit = mark
    return scalar(draw, name, option, limit)


def _model(option: object) -> type[Model] | None:
    return option if isinstance(option, type) and issubclass(option, Model) else None


def _reference(draw: Draw, kind: type[Model]) -> Model:
    """Create a reference to a resource, with only its IDs, as the service returns it."""
    values = {
        name: _field(draw, kind, name, field, 0)
        for name, field in kind.model_fields.items()
        if name in ("object", "id", "vid")
    }
    return kind(**values)
