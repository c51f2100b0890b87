"""The classes of httpx or httpx2, which have the same names.

If all of the caller's objects come from one of the two libraries, the SDK doesn't need the other library.
"""

import re
from collections.abc import Callable
from functools import cached_property
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
"""The name of the extension that contains the SDK's own request in a request of httpx, and the SDK's own body in a
response."""

_UNCHANGED = re.compile(r"/[-\w.~!$&'()*+,;=:@/?%]*", re.ASCII)
"""Paths and queries that httpx sends unchanged if they contain no dot segments."""
_DOT_SEGMENT = "/."
_MAX_LENGTH = 64_000
"""The maximum number of characters in a path and query that the SDK sends without letting httpx parse the URL. httpx
rejects a URL with more than 65,536 characters when it parses the URL."""


def library_of(given: object, kind: str) -> str | None:
    """Return the library whose class `kind` is a base class of an object's class, or `None`."""
    for each in type(given).__mro__:
        library = each.__module__.partition(".")[0]
        if each.__name__ == kind and library in FAMILIES:
            return library
    return None


def _unparsed_url(library_url: Any) -> "Callable[[httpx.URL, str], httpx.URL] | None":
    """Return a subclass of a library's `URL` whose instances are created from an origin and a path with its query.

    Args:
        library_url: The class `URL` of httpx or httpx2.

    Returns:
        The subclass, or `None` if the library's class has no attribute `_uri_reference`. This private attribute
        contains the parsed URL, which all properties and methods of the class read.
    """
    if not hasattr(library_url(), "_uri_reference"):
        return None

    class URL(library_url):  # type: ignore[misc]  # the library is known at runtime
        raw_scheme = raw_host = raw_path = b""
        port: int | None = None
        username = password = ""  # a base URL can't contain a user name

        def __init__(self, origin: "httpx.URL", target: str) -> None:
            self.raw_scheme, self.raw_host, self.port = origin.raw_scheme, origin.raw_host, origin.port
            self.raw_path = target.encode()
            self._origin = origin

        @cached_property
        def _uri_reference(self) -> object:
            return library_url(f"{self._origin}{self.raw_path.decode()}")._uri_reference  # noqa: SLF001  no public name exists

        def __reduce__(self) -> tuple[object, ...]:
            return library_url, (str(self),)  # copying or pickling creates an instance of the library's own class

    return URL


class _Built(Sealed["httpx.Request"]):
    __slots__ = ()


class Library:
    """One of the libraries httpx and httpx2, with the classes that the SDK uses.

    Attributes:
        name: `httpx` or `httpx2`.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self._module = import_module(name)
        self._unparsed_url = _unparsed_url(self._module.URL)
        self._origins: dict[str, httpx.URL] = {}

    @classmethod
    def of(cls, given: object, kind: str) -> Self | None:
        """Return the library of an object, or `None` if the object isn't an instance of the library's class `kind`."""
        name = library_of(given, kind)
        return None if name is None else cls(name)

    def request(self, request: RawRequest, trace: object) -> "Sealed[httpx.Request]":
        """Build a request that a client of the library sends unchanged.

        Raises:
            InvalidArgumentError: The library can't send the path and the query unchanged, because it removes dot
                segments and limits the length.
        """
        module = self._module
        try:
            origin, url = self._url(request.address.origin, request.target)
        except module.InvalidURL:
            raise InvalidArgumentError(
                "the URL is too long; shorten the arguments of the call. Nothing was sent"
            ) from None
        extensions = {"timeout": request.timeouts, "trace": trace, OWN: request}
        built = _Built.of(
            lambda: module.Request(
                request.method,
                origin,  # httpx copies and parses this URL, so pass the short origin and set the full URL below
                headers=list(request.headers.reveal()),
                stream=module.ByteStream(request.body.reveal()),
                extensions=extensions,
            )
        )
        built.reveal().url = url
        return built

    def _url(self, origin: str, target: str) -> "tuple[httpx.URL, httpx.URL]":
        """Return the URL of the origin and the URL of a request. The library parses each origin only once."""
        of_origin = self._origins.get(origin)
        if of_origin is None:
            of_origin = self._origins[origin] = self._module.URL(origin)
        is_plain = len(target) <= _MAX_LENGTH and _DOT_SEGMENT not in target and _UNCHANGED.fullmatch(target)
        if self._unparsed_url is not None and is_plain:
            return of_origin, self._unparsed_url(of_origin, target)
        url: httpx.URL = self._module.URL(origin + target)
        if url.raw_path != target.encode():
            raise InvalidArgumentError(
                "httpx would change the path of the request; remove '.' and '..' from the path. Nothing was sent"
            )
        return of_origin, url

    def client(self, name: Kind, transport: object) -> object:
        """Create a client that sends requests with a transport and stores no cookies.

        `name` is the name of the client's class.
        """
        kind: Any = getattr(self._module, name)

        class NoCookies(self._module.Cookies):  # type: ignore[name-defined, misc]  # the library is known at runtime
            def extract_cookies(self, response: object) -> None:
                """Store no cookies, because a session is a credential.

                Parsing cookies takes a third of a small call's time.
                """

        class Own(kind):  # type: ignore[misc]  # the library is known at runtime
            cookies = NoCookies()

        # Traces and logs contain the class name, so use the name of the library's class.
        Own.__name__ = Own.__qualname__ = name
        return Own(transport=transport, trust_env=False)
