"""Varnish and nginx keep responses of the service, and a refund that was made is not called `not_applied` (H216)."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from kit.calls import Run
from real_servers.load import Style
from real_servers.servers import Nginx, Varnish
from resolve.cached import BEGIN, RefundService
from subscribekit import Verdict
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import Refund

pytestmark = pytest.mark.hazard("H216")

KEEPS = "proxy_cache kept; proxy_cache_valid any 1h; proxy_ignore_headers Cache-Control Expires;"
ASKS = "proxy_cache_bypass $http_cache_control;"


@pytest.fixture
def service() -> Iterator[RefundService]:
    with RefundService(lambda: time.time() - BEGIN.timestamp()).serving() as service:
        yield service


def resolved(style: Style, service: RefundService, url: str, **options: Any) -> Verdict:
    """Fill the cache, lose a refund, and resolve it; the request cannot be under way any more."""
    run = Run(style)

    async def story() -> Verdict:
        client = run.client("billing", base_url=f"{url}/rest", api_user="u", api_key="k", **options)
        assert [item async for item in run.every(client.refunds.list("t1", limit=100))] == []
        await asyncio.sleep(1.2)
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.refunds.create("t1", Refund(id="r1", amount=Decimal(5))))
        found: Verdict = await run.now(client.resolve(caught.value, not_applied_after=0.0))
        await run.close(client)
        return found

    found = asyncio.run(story())
    assert len(service.refunds) == 1
    return found


@pytest.mark.real_servers("varnishd")
@pytest.mark.parametrize(
    ("receive", "states"),
    [
        ("", {"undecided"}),  # each response is some seconds old, and says so by its Age
        ('if (req.http.Cache-Control ~ "no-cache") { return (pass); }', {"applied"}),
    ],
    ids=["keeps", "asks"],
)
def test_varnish(style: Style, service: RefundService, tmp_path: Path, receive: str, states: set[str]) -> None:
    with Varnish(tmp_path, service.port, receive) as varnish:
        url = f"http://127.0.0.1:{varnish.port}"
        found = resolved(style, service, url, allow_insecure_loopback=True)
    assert (found.state in states, found.safe_to_retry) == (True, False), found


@pytest.mark.real_servers("varnishd")
def test_varnish_without_its_age(style: Style, service: RefundService, tmp_path: Path) -> None:
    with Varnish(tmp_path, service.port) as varnish:
        varnish.config.write_text(varnish.config.read_text() + "sub vcl_deliver { unset resp.http.Age; }\n")
        varnish.restart()
        found = resolved(style, service, f"http://127.0.0.1:{varnish.port}", allow_insecure_loopback=True)
    assert (found.state in {"undecided", "in_effect", "applied"}, found.safe_to_retry) == (True, False), found


@pytest.mark.real_servers("nginx")
def test_nginx_that_asks_the_service_where_it_is_asked_to(
    style: Style, service: RefundService, open_folder: Path, trust: ssl.SSLContext, certificate: Path
) -> None:
    with Nginx(open_folder, service.port, certificate, KEEPS + ASKS) as nginx:
        found = resolved(style, service, f"https://127.0.0.1:{nginx.port}", ssl_context=trust)
    assert (found.state, found.safe_to_retry) == ("applied", False), found


@pytest.mark.real_servers("nginx")
def test_the_guide_names_the_cache_that_cannot_be_seen(
    style: Style, service: RefundService, open_folder: Path, trust: ssl.SSLContext, certificate: Path
) -> None:
    """Without that line, nginx writes a `Date` of its own and no `Age` on what it kept."""
    with Nginx(open_folder, service.port, certificate, KEEPS) as nginx:
        found = resolved(style, service, f"https://127.0.0.1:{nginx.port}", ssl_context=trust)
    assert found.state == "not_applied"
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "resolve.md").read_text(encoding="utf-8")
    assert "as nginx does with `proxy_cache`" in guide
    assert ASKS in guide
