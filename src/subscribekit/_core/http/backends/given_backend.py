"""Checks the HTTP backend of a caller: a client or a transport of httpx or httpx2.

A backend with sockets belongs to the process that created it, and an async backend also to its event loop. If two
processes or event loops write to the same socket, a call can read the response to another call's charge.
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

__tracebackhide__ = True  # pytest hides this module's frames and shows the line that passed the invalid argument

C = TypeVar("C")

_OWN_TRANSPORTS = {"PooledTransport", "AsyncPooledTransport"}


class GivenBackend(Generic[C]):
    """The httpx client that sends the calls.

    Attributes:
        client: The client.
        library: The library whose client you passed, httpx or httpx2.
        transports: The transports of the client, including its mounts.
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
                    f"{self._given_as} doesn't verify certificates and host names; remove verify=False, or create it "
                    "with a verifying ssl_context"
                )

    @property
    def _holds_sockets(self) -> bool:
        return any(map(holds_sockets, self.transports))

    def refuse_elsewhere(self) -> None:
        """Raise an error if this process doesn't own the client's sockets, or if the client was closed.

        Raises:
            ConfigurationError: The client was created before a fork, or was closed.
        """
        if this_process() != self._process and self._holds_sockets:
            raise ConfigurationError(
                f"{self._given_as} was created before a fork; create it again in the child process. Nothing was sent"
            )
        if getattr(self.client, "is_closed", False):
            raise ConfigurationError(f"{self._given_as} was closed; create it again. Nothing was sent")

    def refuse_another_loop(self) -> None:
        """Raise an error if the client's first call ran in another event loop, unless the client has no sockets.

        Raises:
            ConfigurationError: The client was created before a fork, was closed, or was first used in another event
                loop.
        """
        self.refuse_elsewhere()
        loop = running_loop()
        if self._loop is None:
            self._loop = weakref.ref(loop)
        elif self._loop() is not loop and self._holds_sockets:
            raise ConfigurationError(
                f"{self._given_as} belongs to another event loop; create it again in this event loop. Nothing was sent"
            )


_STYLES: dict[Kind, tuple[str, Kind]] = {"Client": ("a sync", "AsyncClient"), "AsyncClient": ("an async", "Client")}
_BASES: dict[Kind, tuple[str, str]] = {
    "Client": ("BaseTransport", "because the client is sync"),
    "AsyncClient": ("AsyncBaseTransport", "because the client is async"),
}


def given_client(client: object, kind: Kind) -> GivenBackend[object]:
    """Check the client of a caller, and return it as a backend.

    Args:
        client: The argument `http_client`.
        kind: The name of the required class, which is `Client` or `AsyncClient`.

    Raises:
        ConfigurationError: The argument isn't a client of httpx or httpx2, or is async instead of sync or the reverse.
            The SDK also raises `ConfigurationError` if the client was closed, doesn't verify certificates, or contains
            a transport that doesn't work in the client.
    """
    library = Library.of(client, kind)
    if library is None:
        style, other = _STYLES[kind]
        if library_of(client, other) is not None:
            hint = f", not {with_article(other)}, because you create {style} client"
        elif not isinstance(client, type) and (
            hasattr(client, "handle_request") or hasattr(client, "handle_async_request")
        ):
            hint = ", not a transport; pass it as transport="
        else:
            hint = _not_this(client)
        raise ConfigurationError(f"http_client must be {with_article(kind)} of httpx or httpx2{hint}")
    if getattr(client, "is_closed", False):
        raise ConfigurationError("http_client was closed; create a new httpx client")
    mounts = cast("dict[object, object]", getattr(client, "_mounts", {}))
    transports = [each for each in (getattr(client, "_transport", None), *mounts.values()) if each is not None]
    if any(isinstance(each, Direct) for each in transports):
        raise ConfigurationError(
            "direct() doesn't work in http_client; pass transport=direct() instead, or use PooledTransport() in the "
            "httpx client"
        )
    own_name = kind.replace("Client", "HTTPTransport")
    own = [library_of(each, own_name) for each in transports if names_of(each) & _OWN_TRANSPORTS]
    if set(own) - {library_of(client, kind)}:
        raise ConfigurationError("PooledTransport doesn't work in a client of httpx2; use a client of httpx")
    return GivenBackend(client, library, transports, "http_client")


def given_transport(transport: object, kind: Kind) -> GivenBackend[object]:
    """Check the transport of a caller, and return a backend with a client that uses the transport.

    Args:
        transport: The argument `transport`.
        kind: The name of the client's class, which is `Client` or `AsyncClient`.

    Raises:
        ConfigurationError: The argument isn't a transport of httpx or httpx2, or doesn't verify certificates. The SDK
            also raises `ConfigurationError` if the transport is async instead of sync or the reverse.
    """
    base, reason = _BASES[kind]
    library = Library.of(transport, base)
    if library is None:
        problem = f"transport must be {with_article(base)} of httpx or httpx2"
        raise ConfigurationError(f"{problem}{_transport_hint(transport, reason)}")
    return GivenBackend(library.client(kind, transport), library, [transport], "transport")


def _not_this(value: object) -> str:
    """Return the end of an error message, with the type of an object but not its value, which may be a password."""
    if isinstance(value, type):
        return f", not the class {value.__name__}; create an instance"
    return f", not {with_article(type(value))}"


def _transport_hint(transport: object, reason: str) -> str:
    if is_of_sandbox(transport):
        return f", {reason}; for the sandbox, pass environment=sandbox.environment without a transport"
    is_client = library_of(transport, "Client") or library_of(transport, "AsyncClient")
    return ", not a client; pass a client as http_client=" if is_client else f"{_not_this(transport)}, {reason}"


def name_of(transport: object) -> str:
    """Return a human-readable name of the argument `transport`, such as `httpx.MockTransport` or `sandbox`."""
    if is_of_sandbox(transport):
        return "sandbox"
    kind = type(transport)
    return f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"
