"""Sends calls while truststore replaces `ssl.SSLContext`. Runs in its own process.

`SSL_CERT_FILE` makes the machine trust only one CA, which signed the certificate of a foreign server.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import trustme

AUTHORITY, FOREIGN = trustme.CA(), trustme.CA()
FOLDER = Path(mkdtemp())
for name, each in (("own", AUTHORITY), ("foreign", FOREIGN)):
    each.cert_pem.write_to_path(str(FOLDER / f"{name}.pem"))
CLIENT = AUTHORITY.issue_cert("client@example.com")
CLIENT.private_key_and_cert_chain_pem.write_to_path(str(FOLDER / "client.pem"))
os.environ["SSL_CERT_FILE"] = str(FOLDER / "foreign.pem")
BEFORE = ssl.SSLContext


def served(authority: trustme.CA, *, asks: bool = False) -> ssl.SSLContext:
    """Return the context of a server, which can require a client certificate."""
    context = BEFORE(ssl.PROTOCOL_TLS_SERVER)
    if asks:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(FOLDER / "own.pem")
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


OWN, OTHER, ASKING = served(AUTHORITY), served(FOREIGN), served(AUTHORITY, asks=True)
EARLY = ssl.create_default_context(cafile=str(FOLDER / "own.pem"))
BARE = BEFORE(ssl.PROTOCOL_TLS_CLIENT)
BARE.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED  # otherwise, the SDK would set it, which would recurse
BARE.options |= getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)  # the SDK clears this option
BARE.load_verify_locations(FOLDER / "own.pem")
WITH_CERTIFICATE = ssl.create_default_context(cafile=str(FOLDER / "own.pem"))
WITH_CERTIFICATE.load_cert_chain(FOLDER / "client.pem")


def late() -> ssl.SSLContext:
    """Return a context of truststore."""
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(FOLDER / "own.pem")
    context.load_cert_chain(FOLDER / "client.pem")
    return context


CONTEXTS: dict[str, Callable[[], dict[str, Any]]] = {
    "context": lambda: {"ssl_context": EARLY},
    "bare": lambda: {"ssl_context": BARE},
    "client certificate": lambda: {"ssl_context": WITH_CERTIFICATE},
    "truststore": lambda: {"ssl_context": late()},
    "CA file": dict[str, Any],
}


def main(style: str, kind: str, when: str) -> None:
    """Check that calls reach only the server of the configured CA, over one connection, and meet the deadline."""
    import truststore

    if when == "before":
        truststore.inject_into_ssl()
    import subscribekit
    from kit.faults import scripts as f
    from kit.faults.server import FaultServer
    from subscribekit.errors import DeadlineExceededError, SubscribekitError

    asks = kind in ("client certificate", "truststore")
    client_class: Any = subscribekit.GatewayClient if style == "blocking" else subscribekit.AsyncGatewayClient
    with asyncio.Runner() as runner, FaultServer() as server, FaultServer() as foreign:
        server._tls, foreign._tls = (ASKING if asks else OWN), OTHER

        def client(origin: FaultServer, **options: Any) -> Any:
            environment = subscribekit.Environment(
                name="own", gateway_url=origin.url, gateway_api_key="k",
                ca_file=str(FOLDER / "own.pem") if kind == "CA file" else None,
            )  # fmt: skip
            retry = subscribekit.RetryPolicy(max_attempts=1)
            return client_class(environment=environment, retry=retry, **{**CONTEXTS[kind](), **options})

        def call(each: Any, times: int = 1) -> None:
            if style == "blocking":
                with ThreadPoolExecutor(times) as threads:
                    list(threads.map(lambda _: each.subscriptions.retrieve("s1"), range(times)))
                return

            async def calls() -> None:
                await asyncio.gather(*(each.subscriptions.retrieve("s1") for _ in range(times)))

            runner.run(calls())

        def close(each: Any) -> None:
            each.close() if style == "blocking" else runner.run(each.aclose())

        def fails(each: Any) -> SubscribekitError:
            try:
                call(each)
            except SubscribekitError as error:
                return error
            raise AssertionError("no error")

        one = client(server, limits=subscribekit.Limits(max_connections=1))
        if when == "after":
            truststore.inject_into_ssl()
        call(one)
        call(one, 4)
        assert (server.connections, len(server.requests)) == (1, 5), server.connections
        server.script(f.stall_mid_body())
        error = fails(one.with_options(deadline=0.5))
        assert isinstance(error, DeadlineExceededError), repr(error)
        stranger = client(foreign)
        # A context that the caller creates with truststore also trusts the machine's CAs.
        if kind != "truststore":
            assert "certificate was not accepted" in str(fails(stranger))
            assert not foreign.requests
        plain = client(foreign, ssl_context=None) if kind != "CA file" else stranger
        assert "certificate was not accepted" in str(fails(plain))
        for each in (one, stranger, plain):
            close(each)
    print(kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
