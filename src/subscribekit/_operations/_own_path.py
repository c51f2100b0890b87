"""Collections at the caller's own path."""

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
        name: The name of the collection for a `repr`.
        template: Path without identifiers.
        values: The identifiers in the path.
        item: The model of the resources.
    """

    name: str
    template: str
    values: tuple[str, ...]
    item: type[M]


def at_own_path(path: str, item: type[M]) -> Collection[M]:
    """Return the collection at a path, after checking the path and the model.

    Raises:
        InvalidArgumentError: The path is an absolute URL or contains `?`, `#`, `%`, or a dot segment, or `item` isn't a
            model class.
    """
    kind = model_class("item", item)
    return Collection(f"collection of {kind.__name__}", *own_template(path), kind)
