"""The classes of httpx or httpx2, which have the same names; neither is imported for objects of the other one."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ...._sealed import Sealed
from ....errors import InvalidArgumentError
from ..transport import RawRequest
from .foreign_failure import FAMILIES

if TYPE_CHECKING:
    import httpx

__tracebackhide__ = True  # pytest shows the line of the caller instead

Kind: TypeAlias = Literal["Client", "AsyncClient"]
"""The classes of clients, which say the style."""
OWN = "subscribekit"
"""The extension of a request that holds it as the SDK made it, and of a response that holds its body."""


def library_of(given: object, kind: str) -> str | None:
    """Name the library from whose class `kind` an object is derived; `None` if there is none."""
    for each in type(given).__mro__:
        library = each.__module__.partition(".")[0]
        if each.__name__ == kind and library in FAMILIES:
            return library
    return None


class _Built(Sealed["httpx.Request"]):
    __slots__ = ()


class Library:
    """The names that the SDK takes from one of the libraries.

    Attributes:
        name: `httpx` or `httpx2`.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self._module = import_module(name)

    @classmethod
    def of(cls, given: object, kind: str) -> Self | None:
        """Find the library of an object."""
        name = library_of(given, kind)
        return None if name is None else cls(name)

    def request(self, request: RawRequest, trace: object) -> "Sealed[httpx.Request]":
        """Build the request that a client sends as it is.

        Raises:
            InvalidArgumentError: The library would send it elsewhere: it folds dot segments and limits the length.
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
        """Make a client of the class with a name, which sends with a transport and keeps no cookies."""
        kind: Any = getattr(self._module, name)

        class NoCookies(self._module.Cookies):  # type: ignore[name-defined, misc]  # of the library at hand
            def extract_cookies(self, response: object) -> None:
                """Keep nothing: a session is a credential, and to look for one takes a third of a small call."""

        class Own(kind):  # type: ignore[misc]  # of the library at hand
            cookies = NoCookies()

        # Under the names that people know, which traces and logs show.
        Own.__name__ = Own.__qualname__ = name
        return Own(transport=transport, trust_env=False)
