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
    first, _, rest = own.__doc__.partition("\n\n")
    told = f"The arguments are those of `{blocking.__name__}`; a callable may also be a coroutine function."
    made.__doc__ = f"{first}\n\n        {told}\n\n        Raises:{rest.rpartition('Raises:')[2]}"
    return made


publish("subscribekit.transports", AsyncHttpClient, AsyncHttpTransport, HttpClient, HttpTransport)
