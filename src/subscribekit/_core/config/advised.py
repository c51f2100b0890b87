"""Functions that say what to write instead of arguments that they do not take."""

import re
from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from .by_name import Advice, instead_of

__tracebackhide__ = True  # pytest shows the line of the caller instead

F = TypeVar("F", bound=Callable[..., object])


def advised(example: str, advice: Advice) -> Callable[[F], F]:
    """Decorate a function, or the `__init__` of a class, that users call.

    Args:
        example: How it is called, with its name as users write it.
        advice: For names that it lacks; one that is not among them gets the nearest argument, or all of them.
    """

    def decorate(function: F) -> F:
        def sentence(error: TypeError) -> str | None:
            # The caller's frame alone in the traceback: the function was not entered.
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                return None
            return _sentence(function, str(error), example, advice)

        @wraps(function)
        def call(*args: object, **kwargs: object) -> object:
            try:
                return function(*args, **kwargs)
            except TypeError as error:
                said = sentence(error)
                if said is None:
                    raise
            finally:
                del args, kwargs  # no argument stays in a frame that an error's traceback shows
            raise TypeError(said)

        @wraps(function)
        async def awaited(*args: object, **kwargs: object) -> object:
            return await cast("Awaitable[object]", call(*args, **kwargs))

        return cast("F", awaited if iscoroutinefunction(function) else call)

    return decorate


class Advising:
    """An object whose missing attributes are answered with what to write instead, from a table of its class."""

    __slots__ = ()
    _advice: ClassVar[Advice]
    _has: ClassVar[str]
    """What it has, for a name that is not in the table."""

    if not TYPE_CHECKING:  # checkers must go on reporting what does not exist

        def __getattr__(self, name):
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            if not name.startswith("_"):  # those are asked for all the time, by `copy`, `pickle`, debuggers and shells
                meant = next((f"write {each}" for each, names in self._advice.items() if name in names), None)
                text += f": {meant or self._has}"
            raise AttributeError(text, name=None, obj=None)  # or Python would add its own guess


def _sentence(function: Callable[..., object], text: str, example: str, advice: Advice) -> str:
    from inspect import signature  # when the mistake was made

    name = example.partition("(")[0].removeprefix("await ")
    found = re.search(r"unexpected keyword argument '(\w+)'", text)
    if found is None:
        return f"{name}(){text.partition('()')[2]}: write {example}"
    known = [each for each in signature(function).parameters if each != "self"]
    to_write = {f"write {text}": names for text, names in advice.items()}
    return f"{name}() got an unexpected keyword argument {found[1]!r}: {instead_of(found[1], known, to_write)}"
