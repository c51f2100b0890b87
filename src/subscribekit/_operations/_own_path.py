"""Collections of resources at a path that the caller chooses."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from .._core.operations.arguments import own_template
from .._core.operations.bodies import model_class
from ..models._base import Model

__tracebackhide__ = True

M = TypeVar("M", bound=Model)


@dataclass(slots=True, eq=False, repr=False)
class Collection(Generic[M]):
    """A collection of resources at the caller's own path.

    Attributes:
        name: The name that the collection's `repr` shows.
        template: The path with placeholders instead of identifiers.
        values: The identifiers in the path.
        item: The model of the resources.
    """

    name: str
    template: str
    values: tuple[str, ...]
    item: type[M]


def at_own_path(path: str, item: type[M]) -> Collection[M]:
    """Check a path and a model class, and return the collection at the path.

    Raises:
        InvalidArgumentError: The path is invalid, or `item` isn't a model class. A path must start with one `/`, and
            must not contain `?`, `#`, `%`, a backslash, or a dot segment.
    """
    kind = model_class("item", item)
    return Collection(f"collection of {kind.__name__}", *own_template(path), kind)
