"""Serves a sandbox on loopback ports, one for each API, to programs in other processes and other languages.

The server serves a `Sandbox` only to programs on this machine, over TLS with its own certificate, or over plain HTTP.
If a fault refuses or loses a connection, the server closes the connection. The server can apply a fault only after it
has read the request, so for the client, a refused connection looks like a lost connection. Slow responses take real
time, because the clients of a served sandbox use their own clocks.
"""

from __future__ import annotations

import socket
import ssl
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from types import TracebackType
from typing import Final, Self

from ..._core.config.environments import Environment
from ..facade import Sandbox
from ..http.wire import GROUPS, Group
from .connection import Connection, Served
from .control import Control

HOST: Final = "127.0.0.1"


class SandboxServer:
    """A server with the four APIs of a sandbox. Each API has its own loopback port.

        with SandboxServer(Sandbox()) as server:
            client = BillingClient(environment=server.environment, ssl_context=server.ssl_context)

    Args:
        sandbox: The sandbox to serve, by default a new sandbox.
        port: The first of four consecutive ports. If the port is 0, the system chooses all four ports.
        plain: `True` to serve plain HTTP, for clients with `allow_insecure_loopback=True`.
        directory: The directory for the certificate files, by default a temporary directory.
        name: The name of the environment that clients connect with.

    Attributes:
        sandbox: The sandbox that the server serves.
        environment: The environment that you pass to clients.
        ssl_context: The TLS context that you pass to clients, or `None` if `plain` is set.
        authority: The file with the CA certificate that clients trust, or `None` if `plain` is set.

    Raises:
        ModuleNotFoundError: The extra `server`, which TLS needs, isn't installed.
        OSError: A port is already in use.
    """

    def __init__(
        self,
        sandbox: Sandbox | None = None,
        *,
        port: int = 0,
        plain: bool = False,
        directory: Path | None = None,
        name: str = "local",
    ) -> None:
        self.sandbox: Sandbox = Sandbox() if sandbox is None else sandbox
        self.ssl_context: ssl.SSLContext | None = None
        self.authority: Path | None = None
        self._threads: list[threading.Thread] = []
        self._listeners: dict[Group, _Listener] = {}
        with ExitStack() as open_now:
            context = None if plain else self._certify(open_now, directory)
            control = Control(self.sandbox)
            for number, group in enumerate(GROUPS):
                listener = _Listener(control, group, port + number if port else 0, context)
                open_now.callback(listener.server_close)
                self._listeners[group] = listener
            self._open = open_now.pop_all()
        self.environment: Environment = self._environment(name)

    def _certify(self, open_now: ExitStack, directory: Path | None) -> ssl.SSLContext:
        try:
            from .certificate import make_certificate
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "TLS requires the 'server' extra; run pip install 'subscribekit[server]', or serve plain HTTP with "
                "plain=True or --plain",
                name=error.name,
            ) from None
        # Make the path absolute, so that users can use the printed path in any working directory.
        path = None if directory is None else directory.absolute()
        if path is None:
            path = Path(open_now.enter_context(tempfile.TemporaryDirectory(prefix="subscribekit-")))
        certificate = make_certificate(path)
        self.authority = certificate.authority
        self.ssl_context = certificate.client_context()
        return certificate.server_context()

    def _environment(self, name: str) -> Environment:
        addresses = self.addresses
        return replace(
            self.sandbox.environment,
            name=name,
            base_url=addresses["billing"],
            gateway_url=addresses["gateway"],
            user_mgmt_url=addresses["user_mgmt"],
            storefront_url=addresses["storefront"],
        )

    @property
    def addresses(self) -> dict[Group, str]:
        """The base URL of each API."""
        return {group: listener.address for group, listener in self._listeners.items()}

    def start(self) -> None:
        """Start serving the APIs, in threads of this process."""
        for group, listener in self._listeners.items():
            thread = threading.Thread(
                target=listener.serve_forever, kwargs={"poll_interval": 0.05}, name=f"sandbox-{group}", daemon=True
            )
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """Stop serving, close every connection, and wait until all threads have ended."""
        if self._threads:
            # Shut down the listeners in parallel, because each `shutdown` waits until the listener's thread has
            # noticed the request.
            with ThreadPoolExecutor(len(self._threads)) as pool:
                list(pool.map(_Listener.shutdown, self._listeners.values()))
        for listener in self._listeners.values():
            listener.hang_up()
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        self._open.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _Listener(ThreadingHTTPServer):
    """Serves one API of a sandbox on one port."""

    daemon_threads = False  # `server_close` waits only for threads that aren't daemons
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, control: Control, group: Group, port: int, context: ssl.SSLContext | None) -> None:
        self._context = context
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.closing = threading.Event()
        super().__init__((HOST, port), partial(Connection, Served(control, group, self.closing)))

    @property
    def address(self) -> str:
        """The base URL of the API."""
        scheme = "http" if self._context is None else "https"
        return f"{scheme}://{HOST}:{self.server_port}"

    def server_bind(self) -> None:
        """Bind to the port without looking up the host's full name, because the lookup can be slow."""
        try:
            TCPServer.server_bind(self)
        except OSError as error:
            raise OSError(error.errno, f"port {self.server_address[1]} of {HOST}: {error.strerror}") from None
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    def get_request(self) -> tuple[socket.socket, object]:
        """Accept a connection.

        The connection's thread does the TLS handshake, so that a slow client doesn't delay other clients.
        """
        connection, client = super().get_request()
        if self._context is not None:
            connection = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with self._lock:
            self._connections.add(connection)
        return connection, client

    def hang_up(self) -> None:
        """Close all connections, including those that wait for a request, and those that send a slow response."""
        self.closing.set()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):  # the client has already closed the connection
                    connection.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close a connection after its handler has ended."""
        with self._lock:
            self._connections = {open_now for open_now in self._connections if open_now is not request}
        super().shutdown_request(request)

    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Report an error in a connection, unless the error is only that the client has closed the connection."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)
