"""After a refund, a cache by Varnish or nginx leads to `not_applied` only in the case that the guide names (H216)."""

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
    """Fill the cache, lose the response to a refund, and resolve it when the request can't be in flight anymore."""
    run = Run(style)

    async def story() -> Verdict:
        client = run.client("billing", base_url=f"{url}/rest", api_user="u", api_key="k", **options)
        assert [item async for item in run.every(client.refunds.list("t1", limit=100))] == []
        await asyncio.sleep(1.2)
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.refunds.create("t1", Refund(id="r1", amount=Decimal(5))))
        verdict: Verdict = await run.now(client.resolve(caught.value, not_applied_after=0.0))
        await run.close(client)
        return verdict

    verdict = asyncio.run(story())
    assert len(service.refunds) == 1
    return verdict


@pytest.mark.real_servers("varnishd")
@pytest.mark.parametrize(
    ("receive", "states"),
    [
        ("", {"undecided"}),  # each response is some seconds old, and shows this in its header Age
        ('if (req.http.Cache-Control ~ "no-cache") { return (pass); }', {"applied"}),
    ],
    ids=["keeps", "asks"],
)
def test_a_refund_behind_varnish_is_not_safe_to_retry(
    style: Style, service: RefundService, tmp_path: Path, receive: str, states: set[str]
) -> None:
    with Varnish(tmp_path, service.port, receive) as varnish:
        url = f"http://127.0.0.1:{varnish.port}"
        verdict = resolved(style, service, url, allow_insecure_loopback=True)
    assert (verdict.state in states, verdict.safe_to_retry) == (True, False), verdict


@pytest.mark.real_servers("varnishd")
def test_a_refund_behind_varnish_without_age_is_not_safe_to_retry(
    style: Style, service: RefundService, tmp_path: Path
) -> None:
    with Varnish(tmp_path, service.port) as varnish:
        varnish.config.write_text(varnish.config.read_text() + "sub vcl_deliver { unset resp.http.Age; }\n")
        varnish.restart()
        verdict = resolved(style, service, f"http://127.0.0.1:{varnish.port}", allow_insecure_loopback=True)
    assert (verdict.state in {"undecided", "in_effect", "applied"}, verdict.safe_to_retry) == (True, False), verdict


@pytest.mark.real_servers("nginx")
def test_a_refund_behind_nginx_that_bypasses_its_cache_is_found(
    style: Style, service: RefundService, open_folder: Path, trust: ssl.SSLContext, certificate: Path
) -> None:
    with Nginx(open_folder, service.port, certificate, KEEPS + ASKS) as nginx:
        verdict = resolved(style, service, f"https://127.0.0.1:{nginx.port}", ssl_context=trust)
    assert (verdict.state, verdict.safe_to_retry) == ("applied", False), verdict


@pytest.mark.real_servers("nginx")
def test_the_guide_names_the_cache_that_cannot_be_seen(
    style: Style, service: RefundService, open_folder: Path, trust: ssl.SSLContext, certificate: Path
) -> None:
    """Without this directive, nginx adds its own `Date` and no `Age` to cached responses."""
    with Nginx(open_folder, service.port, certificate, KEEPS) as nginx:
        verdict = resolved(style, service, f"https://127.0.0.1:{nginx.port}", ssl_context=trust)
    assert verdict.state == "not_applied"
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "resolve.md").read_text(encoding="utf-8")
    assert "as nginx does with `proxy_cache`" in guide
    assert ASKS in guide
