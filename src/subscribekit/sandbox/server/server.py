"""The sandbox on loopback ports, one per group, for programs that are not written in Python or run elsewhere.

It serves the same service as `Sandbox` in a process, over TLS with its own certificate or over plain HTTP, and
only to this machine. A fault that refuses or loses a connection closes it; over a socket a refused connection has
already taken the request, so clients see it as a lost one. Slow faults take real time, since the clients' clocks
are their own.
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
    """The four groups of a sandbox, each on a loopback port.

        with SandboxServer(Sandbox()) as server:
            client = BillingClient(environment=server.environment, ssl_context=server.ssl_context)

    Args:
        sandbox: The served sandbox; a new one when left out.
        port: The first of four consecutive ports; 0 lets the system choose.
        plain: Serve plain HTTP, for clients with `allow_insecure_loopback=True`.
        directory: Where the certificate is written; a temporary directory when left out.
        name: Name of the environment that clients connect with.

    Raises:
        ModuleNotFoundError: TLS needs the extra `server`.
        OSError: A port is taken.
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
                "TLS needs the extra: pip install 'subscribekit[server]'; without it the server speaks plain HTTP "
                "(plain=True, --plain)",
                name=error.name,
            ) from None
        where = None if directory is None else directory.absolute()  # absolute, so messages about it hold in any folder
        if where is None:
            where = Path(open_now.enter_context(tempfile.TemporaryDirectory(prefix="subscribekit-")))
        certificate = make_certificate(where)
        self.authority = certificate.authority
        self.ssl_context = certificate.client_context()
        return certificate.server_context()

    def _environment(self, name: str) -> Environment:
        at = self.addresses
        return replace(
            self.sandbox.environment,
            name=name,
            base_url=at["billing"],
            gateway_url=at["gateway"],
            user_mgmt_url=at["user_mgmt"],
            storefront_url=at["storefront"],
        )

    @property
    def addresses(self) -> dict[Group, str]:
        """The base address of each group."""
        return {group: listener.address for group, listener in self._listeners.items()}

    def start(self) -> None:
        """Serve, in threads of this process."""
        for group, listener in self._listeners.items():
            thread = threading.Thread(
                target=listener.serve_forever, kwargs={"poll_interval": 0.05}, name=f"sandbox-{group}", daemon=True
            )
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """Stop serving, close every connection and wait until all threads are done."""
        if self._threads:
            # Side by side, since each waits until its thread looks up from its port.
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
    """One group on one port."""

    daemon_threads = False  # so that `server_close` waits for the threads of the connections
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
        """The base address of the group."""
        scheme = "http" if self._context is None else "https"
        return f"{scheme}://{HOST}:{self.server_port}"

    def server_bind(self) -> None:
        """Bind to the port, without the look-up of the host's full name that the standard library does."""
        try:
            TCPServer.server_bind(self)
        except OSError as error:
            raise OSError(error.errno, f"port {self.server_address[1]} of {HOST}: {error.strerror}") from None
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    def get_request(self) -> tuple[socket.socket, object]:
        """Accept a connection; its handshake is left to its own thread, so that a slow client holds up no other."""
        connection, client = super().get_request()
        if self._context is not None:
            connection = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with self._lock:
            self._connections.add(connection)
        return connection, client

    def hang_up(self) -> None:
        """Close every connection, also one that waits for a request or pauses within a response."""
        self.closing.set()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):  # the client was faster
                    connection.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close a connection whose handler is done."""
        with self._lock:
            self._connections = {open_now for open_now in self._connections if open_now is not request}
        super().shutdown_request(request)

    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Report errors of the program, not connections that clients have closed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)
