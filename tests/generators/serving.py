"""Serves a sandbox whose four APIs have one address, as tools that read one document expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx

from contract.styles import Shop
from kit.calls import BLOCKING, Group
from sandbox.wire import CREDENTIALS
from subscribekit import Environment
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.http.wire import SandboxResponse, arrived

PREFIXES: dict[str, Group] = {
    "/gateway/": "gateway",
    "/submgmt/": "gateway",
    "/partnersub/": "gateway",
    "/v1/entitlement/": "gateway",
    "/platform/": "user_mgmt",
    "/customData/": "user_mgmt",
    "/storefront/": "storefront",
}


def group_of(path: str) -> Group:
    """Return the API that a path belongs to."""
    return next((group for prefix, group in PREFIXES.items() if path.startswith(prefix)), "billing")


@contextmanager
def served(sandbox: Sandbox, *, signed_in: bool = False) -> Iterator[str]:
    """Serve a sandbox, and yield its address.

    Args:
        sandbox: The sandbox.
        signed_in: Add the credential of each API to its requests, for tools that can send only one.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            group = group_of(self.path)
            added = CREDENTIALS[group].items() if signed_in else ()
            request = arrived(group, self.command, self.path, [*self.headers.items(), *added], body)
            response = sandbox.faults.handle(request)
            assert isinstance(response, SandboxResponse)
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            if response.status != 204:
                self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815  the library defines these names

        def log_message(self, *_: Any) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def environment(address: str) -> Environment:
    """Return an environment in which all four APIs have one address."""
    known = Sandbox().environment
    return Environment(
        name="generators",
        base_url=address,
        gateway_url=address,
        user_mgmt_url=address,
        storefront_url=address,
        api_user=known.api_user,
        api_key=known.api_key,
        gateway_api_key=known.gateway_api_key,
        session_id=known.session_id,
        access_token=known.access_token,
        wire_names=SANDBOX_WIRE_NAMES,
    )


@contextmanager
def shop(sandbox: Sandbox, address: str, http_client: Callable[[], httpx.Client]) -> Iterator[Shop]:
    """Yield sync clients that call an address."""
    there = environment(address)
    with Shop("blocking", sandbox) as made, ExitStack() as opened:
        for group, kind in BLOCKING.items():
            over = opened.enter_context(http_client())
            client = kind(environment=there, http_client=over, allow_insecure_loopback=True)
            setattr(made, group, opened.enter_context(client))
        yield made
