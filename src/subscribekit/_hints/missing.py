"""Errors for attributes and arguments that do not exist, with the name that was probably meant."""

import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

__tracebackhide__ = True  # pytest shows the line of the caller instead

_UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")


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


def misused(function: Callable[..., object], error: TypeError) -> TypeError:
    """Return the error of a call with wrong arguments, with a hint and without the frames that hold the arguments.

    Returns:
        The same error if the function itself raised it.
    """
    calls = 1 if error.__traceback__ is None else len(inspect.getinnerframes(error.__traceback__, context=0))
    function = function.func if isinstance(function, partial) else function
    if calls > 1 or not inspect.isfunction(function):
        return error
    text = str(error).partition(". Did you mean")[0]  # Python 3.13 and later add their own guess
    wrong = _UNEXPECTED.search(text)
    if wrong is not None:
        from .names import did_you_mean

        text += did_you_mean(wrong[1], list(inspect.signature(function).parameters)[1:])
    return TypeError(text)
