"""Valid random resources for tests: `make(Account)` instead of forty lines of fields."""

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
from .coherence import LEFT_OUT, USUAL, together
from .field_values import Draw, scalar

__all__ = ["Factory", "make", "make_batch"]

M = TypeVar("M", bound=Model)

_DEPTH = 4
"""How deep models are nested in a resource; what lies deeper is left out."""


class Factory:
    """A sequence of valid random resources; the same seed gives the same sequence.

        factory = Factory(seed=7)
        account = factory.make(Account, email="ann@example.com")

    Args:
        seed: Another seed gives other resources.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311  test data
        self._number = 0

    def make(self, kind: type[M], /, **fields: object) -> M:
        """Make the next resource.

        All fields that the service documents are set, but for those that say that something special happened (an
        ending, a parent, a policy of a request). Resources of another family are references with `id` and `vid`.

        Args:
            kind: Class of the resource, any of `subscribekit.models`.
            **fields: Fields to set, by their Python names; what belongs to them is made to agree with them.

        Returns:
            The resource, checked as if the application had built it.

        Raises:
            pydantic.ValidationError: A field does not exist or its value is refused.
        """
        self._number += 1
        with localcontext(own_context(28)):  # the test may have changed the current context
            values = _values(Draw(self._random, self._number), kind, frozenset(fields), _DEPTH)
        return kind(**{**values, **fields})

    def make_batch(self, kind: type[M], count: int, /, **fields: object) -> list[M]:
        """Make several resources with the same fields.

        Args:
            kind: Class of the resources.
            count: How many.
            **fields: Fields to set on each.

        Returns:
            The resources; what is not given differs from one to the next.

        Raises:
            pydantic.ValidationError: A field does not exist or its value is refused.
        """
        return [self.make(kind, **fields) for _ in range(count)]


class _Sequence:
    factory = Factory()


def _factory(seed: int | None) -> Factory:
    return _Sequence.factory if seed is None else Factory(seed)


def restart() -> None:
    """Begin the sequence of `make` anew, as the pytest plugin does before each test."""
    _Sequence.factory = Factory()


def make(kind: type[M], /, *, seed: int | None = None, **fields: object) -> M:
    """Make a valid random resource.

    Args:
        kind: Class of the resource, any of `subscribekit.models`.
        seed: The same seed gives the same resource; without one each call gives another, in the same order in every
            test.
        **fields: Fields to set, by their Python names.

    Returns:
        The resource; see `Factory.make`.

    Raises:
        pydantic.ValidationError: A field does not exist or its value is refused.
    """
    return _factory(seed).make(kind, **fields)


def make_batch(kind: type[M], count: int, /, *, seed: int | None = None, **fields: object) -> list[M]:
    """Make several valid random resources.

    Args:
        kind: Class of the resources.
        count: How many.
        seed: The same seed gives the same resources.
        **fields: Fields to set on each, by their Python names.

    Returns:
        The resources.

    Raises:
        pydantic.ValidationError: A field does not exist or its value is refused.
    """
    return _factory(seed).make_batch(kind, count, **fields)


def _values(draw: Draw, kind: type[Model], given: frozenset[str], depth: int) -> dict[str, object]:
    belonging = together(draw, kind.__name__, given)
    values: dict[str, object] = {}
    for name, field in kind.model_fields.items():
        if name in given:
            continue
        made = belonging.get(name, None if name in LEFT_OUT else USUAL)
        if made is USUAL:
            made = _field(draw, kind, name, field, depth)
        if made is not None:
            values[name] = made
    return values


def _field(draw: Draw, kind: type[Model], name: str, field: FieldInfo, depth: int) -> object:
    annotation = cast("object", field.annotation)
    if name == "id":
        return _identifier(draw, kind, annotation)
    if name == "vid":
        return draw.vid_of(kind.__name__) if "id" in kind.model_fields else draw.vid()
    # A field that may not be null has its limit in the field's own metadata.
    limit = next((mark for mark in field.metadata if isinstance(mark, TextLimit)), None)
    return _value(draw, f"{kind.__name__}.{name}", annotation, limit, depth)


def _identifier(draw: Draw, kind: type[Model], annotation: object) -> object:
    if Integer in _options(annotation):
        return 4000 + draw.number
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()
    return f"{words}-{draw.number:04d}"


def _options(annotation: object) -> list[object]:
    """Return what a field may hold besides `None`."""
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
    """Make a resource that is reduced to its identity, as the service shows those of other families."""
    values = {
        name: _field(draw, kind, name, field, 0)
        for name, field in kind.model_fields.items()
        if name in ("object", "id", "vid")
    }
    return kind(**values)
