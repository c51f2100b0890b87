"""An HTTP backend that an application gives: a client or a transport of httpx or httpx2, checked once.

A backend with sockets belongs to the process that created it, and an async one to its event loop: if two write to one
socket, either may read the other's receipt.
"""

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from ...._articles import with_article
from ....errors import ConfigurationError
from ...config.environments import is_of_sandbox
from ...config.process import this_process
from ..connections.event_loop import running_loop
from ..failure import names_of
from ..wire.tls import checks_certificates
from .direct import Direct
from .foreign_pool import contexts_of
from .held_sockets import holds_sockets
from .library import Kind, Library, library_of

if TYPE_CHECKING:
    import asyncio

__tracebackhide__ = True  # pytest shows the line of the caller instead

C = TypeVar("C")

_OURS = {"PooledTransport", "AsyncPooledTransport"}


class GivenBackend(Generic[C]):
    """The httpx client that sends the calls.

    Attributes:
        client: The client.
        library: The library of its requests.
        transports: The transports that it sends with.
    """

    def __init__(self, client: C, library: Library, transports: list[object], given_as: str) -> None:
        self.client: C = client
        self.library: Library = library
        self.transports: list[object] = transports
        self._given_as = given_as
        self._process = this_process()
        self._loop: Callable[[], asyncio.AbstractEventLoop | None] | None = None
        for context in contexts_of(transports):
            if context is False or (hasattr(context, "verify_mode") and not checks_certificates(context)):
                raise ConfigurationError(
                    f"{self._given_as} does not check certificates and host names; leave out verify=False, or give it "
                    "an ssl_context that does"
                )

    @property
    def _holds_sockets(self) -> bool:
        return any(map(holds_sockets, self.transports))

    def refuse_elsewhere(self) -> None:
        """Refuse a call in a process other than the one that the sockets belong to.

        Raises:
            ConfigurationError: The process was forked, or the client was closed.
        """
        if this_process() != self._process and self._holds_sockets:
            raise ConfigurationError(
                f"{self._given_as} was made before the fork; make {self._given_as} in the child. Nothing was sent"
            )
        if getattr(self.client, "is_closed", False):
            raise ConfigurationError(f"{self._given_as} is closed; nothing was sent")

    def refuse_another_loop(self) -> None:
        """Refuse a call in an event loop other than the one of the first call.

        Raises:
            ConfigurationError: As `refuse_elsewhere`, or this is a second event loop.
        """
        self.refuse_elsewhere()
        loop = running_loop()
        if self._loop is None:
            self._loop = weakref.ref(loop)
        elif self._loop() is not loop and self._holds_sockets:
            raise ConfigurationError(
                f"{self._given_as} is bound to another event loop; make {self._given_as} in this loop. Nothing was sent"
            )


_STYLES: dict[Kind, tuple[str, Kind]] = {"Client": ("blocking", "AsyncClient"), "AsyncClient": ("async", "Client")}
_BASES: dict[Kind, tuple[str, str]] = {
    "Client": ("BaseTransport", "; the async clients take the async ones"),
    "AsyncClient": ("AsyncBaseTransport", ", as this client is async"),
}


def given_client(client: object, kind: Kind) -> GivenBackend[object]:
    """Take a client that an application gave.

    Args:
        client: What was given as `http_client`.
        kind: The class that it must be of.

    Raises:
        ConfigurationError: It is no client of httpx or httpx2, of the other style, closed, or checks no certificates.
    """
    library = Library.of(client, kind)
    if library is None:
        style, other = _STYLES[kind]
        if library_of(client, other) is not None:
            hint = f": this is {with_article(other)}, and the client that you make is {style}"
        elif not isinstance(client, type) and (
            hasattr(client, "handle_request") or hasattr(client, "handle_async_request")
        ):
            hint = ": this is a transport, give it as transport="
        else:
            hint = _this_is(client)
        raise ConfigurationError(f"http_client must be {with_article(kind)} of httpx or httpx2{hint}")
    if getattr(client, "is_closed", False):
        raise ConfigurationError("http_client is closed")
    mounts = cast("dict[object, object]", getattr(client, "_mounts", {}))
    transports = [each for each in (getattr(client, "_transport", None), *mounts.values()) if each is not None]
    if any(isinstance(each, Direct) for each in transports):
        raise ConfigurationError("direct() is for transport=; PooledTransport() goes into a client of httpx")
    own = [library_of(each, kind.replace("Client", "HTTPTransport")) for each in transports if names_of(each) & _OURS]
    if set(own) - {library_of(client, kind)}:
        raise ConfigurationError("PooledTransport is a transport of httpx, and http_client is a client of httpx2")
    return GivenBackend(client, library, transports, "http_client")


def given_transport(transport: object, kind: Kind) -> GivenBackend[object]:
    """Put a transport that an application gave into a client.

    Args:
        transport: What was given as `transport`.
        kind: The class of the client.

    Raises:
        ConfigurationError: It is no transport of httpx or httpx2 in the client's style, or checks no certificates.
    """
    base, hint = _BASES[kind]
    library = Library.of(transport, base)
    if library is None:
        raise ConfigurationError(
            f"transport must be {with_article(base)} of httpx or httpx2{hint}{_instead_of(transport)}"
        )
    return GivenBackend(library.client(kind, transport), library, [transport], "transport")


def _this_is(given: object) -> str:
    """Name the type of an unknown object, and no value of it: it may hold a password."""
    if isinstance(given, type):
        return f"; this is the class {given.__name__}, make one of it"
    return f"; this is {with_article(type(given))}"


def _instead_of(transport: object) -> str:
    if is_of_sandbox(transport):
        return "; environment=sandbox.environment needs none"
    is_client = library_of(transport, "Client") or library_of(transport, "AsyncClient")
    return "; give a client as http_client=" if is_client else _this_is(transport)


def name_of(transport: object) -> str:
    """Name what was given as `transport`: `httpx.MockTransport`, `sandbox`."""
    if is_of_sandbox(transport):
        return "sandbox"
    kind = type(transport)
    return f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"
