"""Calls through squid as a forward proxy: open tunnels, refused tunnels, and a proxy that is killed."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from real_servers.backend import Backend
from real_servers.load import Disturbance, Load, Style
from real_servers.servers import Squid

pytestmark = [pytest.mark.hazard("H98"), pytest.mark.real_servers("squid")]

PASSWORD = "proxy-key-4715"


@pytest.mark.parametrize("password", [None, PASSWORD])
def test_calls_go_through_a_tunnel(
    password: str | None, style: Style, trust: ssl.SSLContext, backend_tls: ssl.SSLContext, open_folder: Path
) -> None:
    with Backend(backend_tls) as backend:
        with Squid(open_folder, password=password) as squid:
            user = "" if password is None else f"merchant:{password}@"
            proxy = f"http://{user}127.0.0.1:{squid.port}"
            load = Load(style, f"https://127.0.0.1:{backend.port}", trust, proxy, charges=100)
            load.run()
        load.check(backend)
    assert load.counts == {"done": 100}, load.told


@pytest.mark.parametrize(
    ("access", "password", "user"),
    [
        ("http_access deny all", None, ""),
        ("", PASSWORD, ""),
        ("", PASSWORD, "merchant:wrong-key-4716@"),
    ],
    ids=["403", "407", "407 wrong password"],
)
def test_a_refused_tunnel_sends_nothing(
    access: str,
    password: str | None,
    user: str,
    style: Style,
    trust: ssl.SSLContext,
    backend_tls: ssl.SSLContext,
    open_folder: Path,
) -> None:
    with Backend(backend_tls) as backend:
        with Squid(open_folder, access=access, password=password) as squid:
            proxy = f"http://{user}127.0.0.1:{squid.port}"
            load = Load(style, f"https://127.0.0.1:{backend.port}", trust, proxy, charges=10)
            load.run()
        load.check(backend)
    assert load.counts == {"not_sent": 10}, load.told
    assert "-key-47" not in str(load.told)


def test_a_proxy_is_killed(style: Style, trust: ssl.SSLContext, backend_tls: ssl.SSLContext, open_folder: Path) -> None:
    with Backend(backend_tls) as backend:
        with Squid(open_folder) as squid:
            proxy = f"http://127.0.0.1:{squid.port}"
            load = Load(style, f"https://127.0.0.1:{backend.port}", trust, proxy)
            with Disturbance(squid.restart, every=0.6) as kills:
                load.run(lambda: kills.reached(3))
        load.check(backend)
    assert load.counts["unknown"] > 0, "no charge was in flight when squid was killed"
    assert load.share > 0.2, load.told
