"""If a reverse proxy is reloaded or killed during charges, each success has one effect, and no charge has two."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from real_servers.backend import Backend
from real_servers.load import Disturbance, Load, Style
from real_servers.servers import HAProxy, Nginx

pytestmark = pytest.mark.hazard("H97")


@pytest.mark.real_servers("nginx")
def test_nginx_is_reloaded(style: Style, trust: ssl.SSLContext, certificate: Path, tmp_path: Path) -> None:
    with Backend() as backend:
        with Nginx(tmp_path, backend.port, certificate) as nginx:
            load = Load(style, f"https://127.0.0.1:{nginx.port}", trust)
            with Disturbance(nginx.reload, every=0.3) as reloads:
                load.run(lambda: reloads.reached(3))
        load.check(backend)
    assert load.share > 0.8, load.told


@pytest.mark.real_servers("haproxy")
def test_haproxy_is_reloaded(style: Style, trust: ssl.SSLContext, certificate: Path, tmp_path: Path) -> None:
    with Backend() as backend:
        with HAProxy(tmp_path, backend.port, certificate) as haproxy:
            load = Load(style, f"https://127.0.0.1:{haproxy.port}", trust)
            with Disturbance(haproxy.reload, every=0.5) as reloads:
                load.run(lambda: reloads.reached(3))
        load.check(backend)
    assert load.share > 0.8, load.told


@pytest.mark.real_servers("haproxy")
def test_haproxy_is_killed(style: Style, trust: ssl.SSLContext, certificate: Path, tmp_path: Path) -> None:
    with Backend() as backend:
        with HAProxy(tmp_path, backend.port, certificate) as haproxy:
            load = Load(style, f"https://127.0.0.1:{haproxy.port}", trust)
            with Disturbance(haproxy.restart, every=0.5) as kills:
                load.run(lambda: kills.reached(3))
        load.check(backend)
    assert load.counts["unknown"] > 0, "no charge was in flight when HAProxy was killed"
    assert load.share > 0.2, load.told
