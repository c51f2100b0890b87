"""The classes of httpx or httpx2, which have the same names. Objects of one library don't need the other one."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ...._sealed import Sealed
from ....errors import InvalidArgumentError
from ..transport import RawRequest
from .foreign_failure import FAMILIES

if TYPE_CHECKING:
    import httpx

__tracebackhide__ = True

Kind: TypeAlias = Literal["Client", "AsyncClient"]
"""The names of the sync and the async client class."""
OWN = "subscribekit"
"""The name of an extension: the SDK's own request in a request of httpx, and the SDK's own body in a response."""


def library_of(given: object, kind: str) -> str | None:
    """Return the library whose class `kind` is a base class of an object's class, or `None`."""
    for each in type(given).__mro__:
        library = each.__module__.partition(".")[0]
        if each.__name__ == kind and library in FAMILIES:
            return library
    return None


class _Built(Sealed["httpx.Request"]):
    __slots__ = ()


class Library:
    """One of the libraries, with the classes that the SDK uses.

    Attributes:
        name: `httpx` or `httpx2`.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self._module = import_module(name)

    @classmethod
    def of(cls, given: object, kind: str) -> Self | None:
        """Return the library of an object, or `None`."""
        name = library_of(given, kind)
        return None if name is None else cls(name)

    def request(self, request: RawRequest, trace: object) -> "Sealed[httpx.Request]":
        """Build a request that a client of the library sends unchanged.

        Raises:
            InvalidArgumentError: The library can't send the path and the query unchanged. It removes dot segments, and
                limits the length.
        """
        module = self._module
        try:
            url = module.URL(request.address.origin + request.target)
        except module.InvalidURL:
            raise InvalidArgumentError("the address with its query is too long; the request was not made") from None
        if url.raw_path != request.target.encode():
            raise InvalidArgumentError(
                "the request would go to another address than the arguments say; it was not made"
            )
        extensions = {"timeout": request.timeouts, "trace": trace, OWN: request}
        return _Built.of(
            lambda: module.Request(
                request.method,
                url,
                headers=list(request.headers.reveal()),
                stream=module.ByteStream(request.body.reveal()),
                extensions=extensions,
            )
        )

    def client(self, name: Kind, transport: object) -> object:
        """Create a client that sends with a transport and stores no cookies. `name` is the name of its class."""
        kind: Any = getattr(self._module, name)

        class NoCookies(self._module.Cookies):  # type: ignore[name-defined, misc]  # the library is known at runtime
            def extract_cookies(self, response: object) -> None:
                """Store nothing, because a session is a credential. Parsing takes a third of a small call's time."""

        class Own(kind):  # type: ignore[misc]  # the library is known at runtime
            cookies = NoCookies()

        # Use the name of the library's class, because traces and logs show it.
        Own.__name__ = Own.__qualname__ = name
        return Own(transport=transport, trust_env=False)
