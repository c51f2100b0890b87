"""Adds the name that the caller probably meant to the error for a missing attribute."""

from typing import TYPE_CHECKING

__tracebackhide__ = True  # pytest shows the caller's line, which contains the incorrect name


class Hinted:
    """Base class of clients, resources, and runs, whose error for a missing attribute suggests the right name."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers must still report missing attributes

        def __getattr__(self, name):
            if hasattr(type(self), name):  # the property exists and raised an error, so show that error
                return object.__getattribute__(self, name)
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            # `copy`, `pickle`, debuggers, and shells often look up special attributes, whose names begin with `_`.
            if not name.startswith("_"):
                from .names import instead_of_attribute

                text += instead_of_attribute(type(self), name)
            # The error has no `name` and no `obj`, because Python would use these attributes to add its own suggestion.
            raise AttributeError(text, name=None, obj=None)
