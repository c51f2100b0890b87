"""Collections at a path that the caller passes."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from .._core.operations.arguments import own_template
from .._core.operations.bodies import model_class
from ..models._base import Model

__tracebackhide__ = True

M = TypeVar("M", bound=Model)


@dataclass(slots=True, eq=False, repr=False)
class Collection(Generic[M]):
    """A collection of resources.

    Attributes:
        name: The name that `repr` shows.
        template: The path, with placeholders for its identifiers.
        values: The identifiers.
        item: The model of the resources.
    """

    name: str
    template: str
    values: tuple[str, ...]
    item: type[M]


def at_own_path(path: str, item: type[M]) -> Collection[M]:
    """Return a collection after checking its path and its model.

    Raises:
        InvalidArgumentError: The path is an absolute URL or contains `?`, `#`, `%`, or a dot segment, or `item` isn't a
            model.
    """
    kind = model_class("item", item)
    return Collection(f"collection of {kind.__name__}", *own_template(path), kind)
