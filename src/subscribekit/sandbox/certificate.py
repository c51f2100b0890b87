"""The certificate of the sandbox's server: an authority of its own, made anew at every start.

The authority's key is never written, so nothing else can be signed by the authority that a client was told to trust.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_LIFETIME = timedelta(days=30)
_CLOCKS_APART = timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    """Where the certificate was written.

    Attributes:
        authority: What clients trust: `ssl.create_default_context(cafile=...)`.
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
        """Return a context for clients that trusts this server and nobody else."""
        return ssl.create_default_context(cafile=str(self.authority))


def make_certificate(directory: Path) -> Certificate:
    """Make an authority and a certificate for this machine's loopback names, and write both into a directory."""
    authority_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = _authority(authority_key)
    server = _server(server_key, authority_key)
    key = server_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    directory.mkdir(parents=True, exist_ok=True)
    made = Certificate(directory / "authority.pem", directory / "server.pem")
    made.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    _write_private(made.server, server.public_bytes(serialization.Encoding.PEM) + key)
    return made


def _write_private(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123  needs the mode
        file.write(content)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(subject: str, issuer: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCKS_APART)
        .not_valid_after(now + _LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


_AUTHORITY = "subscribekit sandbox authority"


def _authority(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    return (
        _builder(_AUTHORITY, _AUTHORITY, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )


def _server(key: ec.EllipticCurvePrivateKey, authority_key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    names = [
        x509.DNSName("localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        x509.IPAddress(ipaddress.ip_address("::1")),
    ]
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    return (
        _builder("localhost", _AUTHORITY, key.public_key())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(issuer, critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
