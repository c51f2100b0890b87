"""Objects and methods that say what to write instead of a name or an argument that does not exist.

The sentences are in `instead`, which is loaded when the first such mistake is made.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar, cast

__tracebackhide__ = True  # pytest shows the line of the caller instead

F = TypeVar("F", bound=Callable[..., object])


class Guided:
    """An object whose missing attributes are answered with what to write instead."""

    __slots__ = ()

    if not TYPE_CHECKING:  # checkers must go on reporting what does not exist

        def __getattr__(self, name):
            if hasattr(type(self), name):  # it is there, and getting it raised: say why
                return object.__getattribute__(self, name)
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            # Names of protocols are asked for all the time, by `copy`, `pickle`, debuggers and shells.
            if not name.startswith("_"):
                text += f": {self._instead_of(name)}"
            # Without a name and an object: or Python adds its own guess.
            raise AttributeError(text, name=None, obj=None)

    def _instead_of(self, name: str) -> str:
        """Say what to write instead of a public name that is not there."""
        return f"{type(self).__name__} has no such name"


def guided(method: F) -> F:
    """Say what to write instead of an argument that a method does not take."""

    @wraps(method)
    def call(*args: object, **kwargs: object) -> object:
        try:
            return method(*args, **kwargs)
        except TypeError as error:
            from .instead import misused

            found = misused(method, error)
            if found is error:
                raise
        finally:
            del args, kwargs  # no argument stays in a frame that an error's traceback shows
        raise found

    return cast("F", call)
