"""The certificate of the sandbox's server: its own authority, made anew at every start.

The authority's key is never written, so nothing else can be signed by the authority that a client was told to trust.
"""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

from ..._private_files import replace

_LIFETIME = timedelta(days=30)


@dataclass(frozen=True)
class Certificate:
    """Where the certificate was written.

    Attributes:
        authority: The authority that clients trust: `ssl.create_default_context(cafile=...)`.
        server: The server's certificate and key; only its owner can read it.
    """

    authority: Path
    server: Path

    def server_context(self) -> ssl.SSLContext:
        """Return the context that the server speaks TLS with."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(self.server)
        return context

    def client_context(self) -> ssl.SSLContext:
        """Return a context for clients that trusts this server and nothing else."""
        return ssl.create_default_context(cafile=str(self.authority))


def make_certificate(directory: Path) -> Certificate:
    """Make an authority and a certificate for this machine's loopback names, and write both into a directory."""
    authority = trustme.CA(organization_name="subscribekit sandbox")
    issued = authority.issue_cert("localhost", "127.0.0.1", "::1", not_after=datetime.now(UTC) + _LIFETIME)
    directory.mkdir(parents=True, exist_ok=True)
    made = Certificate(directory / "authority.pem", directory / "server.pem")
    made.authority.write_bytes(authority.cert_pem.bytes())
    _write_private(made.server, issued.private_key_and_cert_chain_pem.bytes())
    return made


def _write_private(path: Path, content: bytes) -> None:
    with os.fdopen(replace(path), "wb") as file:
        file.write(content)
