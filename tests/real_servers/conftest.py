"""Fixtures of the tests that need nginx, HAProxy, squid, PgBouncer, and Varnish, and that run by name only.

apt-get install nginx-light haproxy squid pgbouncer varnish
pytest tests/real_servers
"""

from __future__ import annotations

import os
import ssl
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from real_servers.load import Style
from real_servers.servers import program

PACKAGES = {
    "nginx": "nginx-light", "haproxy": "haproxy", "squid": "squid", "pgbouncer": "pgbouncer", "varnishd": "varnish",
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests whose server isn't installed, with the name of its package."""
    for item in items:
        for mark in item.iter_markers("real_servers"):
            for name in mark.args:
                if program(name) is None:
                    reason = f"NOT TESTED: {name} is not installed (apt-get install {PACKAGES[name]})"
                    item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(params=["blocking", "async"])
def style(request: pytest.FixtureRequest) -> Style:
    value: Style = request.param
    return value


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def trust(authority: trustme.CA) -> ssl.SSLContext:
    """Return the TLS context of a client, which trusts only the CA of the tests."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(context)
    return context


@pytest.fixture
def certificate(authority: trustme.CA, tmp_path: Path) -> Path:
    """Return a file with the key and the certificates of 127.0.0.1."""
    path = tmp_path / "server.pem"
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(path))
    return path


@pytest.fixture
def backend_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Yield a folder that every user can read, because squid switches to the user `proxy`."""
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() == 0:
            Path(name).chmod(0o755)
        yield Path(name)
