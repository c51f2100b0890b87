"""Collections at a path of the caller's own."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from .._core.operations.arguments import own_template
from .._core.operations.bodies import model_class
from ..models._base import Model

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)


@dataclass(slots=True, eq=False, repr=False)
class Collection(Generic[M]):
    """A collection of resources.

    Attributes:
        name: What an object that lists it shows.
        template: Path with identifiers left out.
        values: The identifiers.
        item: The model of the resources.
    """

    name: str
    template: str
    values: tuple[str, ...]
    item: type[M]


def at_own_path(path: str, item: type[M]) -> Collection[M]:
    """Check a path and a model.

    Raises:
        InvalidArgumentError: An absolute URL, or a path with `?`, `#`, `%` or a dot segment, or no model.
    """
    kind = model_class("item", item)
    return Collection(f"collection of {kind.__name__}", *own_template(path), kind)
