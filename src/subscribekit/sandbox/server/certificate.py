"""Creates a new certificate authority (CA) and the server's certificate each time the sandbox's server starts.

The sandbox never writes the private key of the CA to disk, so that nobody can sign another certificate that the clients
trust.
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
    """The files that contain the certificates of the sandbox's server and its CA.

    Attributes:
        authority: The file with the CA certificate that clients trust, for `ssl.create_default_context(cafile=...)`.
        server: The file with the server's certificate and private key, which only the file's owner can read.
    """

    authority: Path
    server: Path

    def server_context(self) -> ssl.SSLContext:
        """Return the TLS context of the server."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(self.server)
        return context

    def client_context(self) -> ssl.SSLContext:
        """Return a TLS context for clients that trusts only this server."""
        return ssl.create_default_context(cafile=str(self.authority))


def make_certificate(directory: Path) -> Certificate:
    """Create a CA and a certificate for this machine's loopback addresses, and write the files to a directory."""
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
