"""The constructor of the async clients: that of the blocking ones, with the async kinds in its types."""

from collections.abc import Awaitable, Callable
from types import FunctionType

from ..._public import publish
from ..http.given import AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport

_ASYNC: dict[object, object] = {
    HttpTransport | None: AsyncHttpTransport | None,
    HttpClient | None: AsyncHttpClient | None,
    str | Callable[[], str] | None: str | Callable[[], str] | Callable[[], Awaitable[str]] | None,
}


def async_constructor(blocking: type) -> FunctionType:
    """Give the constructor of a blocking client to the async client of its group.

    `_open`, which it calls, is that of the style. Its name, types and docstring are those of the async client, for
    errors and for `help`; scripts/faces.py writes the same for type checkers.
    """
    own = vars(blocking)["__init__"]
    made = FunctionType(own.__code__, own.__globals__, own.__name__)
    made.__kwdefaults__ = own.__kwdefaults__
    made.__annotations__ = {name: _ASYNC.get(kind, kind) for name, kind in own.__annotations__.items()}
    made.__qualname__ = f"Async{own.__qualname__}"
    if own.__doc__ is not None:  # `python -OO` removes docstrings
        made.__doc__ = _async_docstring(blocking.__name__, own.__doc__)
    return made


def _async_docstring(blocking: str, docstring: str) -> str:
    first, _, rest = docstring.partition("\n\n")
    arguments = f"The arguments are those of `{blocking}`; a callable may also be a coroutine function."
    return f"{first}\n\n        {arguments}\n\n        Raises:{rest.rpartition('Raises:')[2]}"


publish("subscribekit.transports", AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport)
