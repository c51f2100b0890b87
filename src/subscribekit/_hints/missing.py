"""Errors for attributes that do not exist, with the name that was probably meant."""

from typing import TYPE_CHECKING

__tracebackhide__ = True  # pytest shows the line of the caller instead


class Hinted:
    """A client, a family, or a run, whose missing attributes are refused with the name that was probably meant."""

    __slots__ = ()

    if not TYPE_CHECKING:  # checkers must go on reporting what does not exist

        def __getattr__(self, name):
            if hasattr(type(self), name):  # the property exists and raised: show its own error
                return object.__getattribute__(self, name)
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            # `copy`, `pickle`, debuggers and shells ask for names of protocols all the time.
            if not name.startswith("_"):
                from .names import instead_of_attribute

                text += instead_of_attribute(type(self), name)
            # Without a name and an object: otherwise Python adds its own guess.
            raise AttributeError(text, name=None, obj=None)
