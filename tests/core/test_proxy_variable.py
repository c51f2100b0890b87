"""`SUBSCRIBEKIT_<NAME>_PROXY` sets a proxy for the addresses of one environment, and for no others (H336)."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from kit.calls import Run
from subscribekit import AsyncBillingClient, BillingClient, RetryPolicy
from subscribekit.errors import ConfigurationError, ConnectionFailedError

pytestmark = pytest.mark.hazard("H336")
PROXY = "http://user:hunter2@127.0.0.1:1"


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"BASE_URL": "https://billing.invalid", "API_USER": "u", "API_KEY": "k", "PROXY": PROXY}.items():
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name}", value)


def made(run: Run, **options: Any) -> Any:
    kind = BillingClient if run.style == "blocking" else AsyncBillingClient
    return kind(**{"environment": "staging", "retry": RetryPolicy(max_attempts=1), **options})


def failure(run: Run, **options: Any) -> str:
    async def story() -> str:
        client = made(run, **options)
        with pytest.raises(ConnectionFailedError) as caught:
            await run.now(client.accounts.retrieve("a"))
        await run.now(client.close() if run.style == "blocking" else client.aclose())
        assert caught.value.outcome == "not_sent"
        return str(caught.value)

    return asyncio.run(story())


def test_the_variable_sets_the_proxy(run: Run) -> None:
    text = failure(run)
    assert "127.0.0.1:1" in text
    assert "hunter2" not in text


def test_the_argument_overrides_the_variable(run: Run) -> None:
    assert "127.0.0.1:2" in failure(run, proxy="http://127.0.0.1:2")


def test_the_variable_does_not_apply_to_another_address(run: Run) -> None:
    text = failure(run, base_url="https://other.invalid", api_user="u", api_key="k")
    assert "127.0.0.1" not in text


def test_the_variable_is_refused_together_with_a_transport(run: Run) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(500))
    with pytest.raises(ConfigurationError, match="SUBSCRIBEKIT_STAGING_PROXY can't be combined with transport"):
        made(run, transport=transport)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("socks5://127.0.0.1", "must be http://host:port"),
        ("127.0.0.1:8080", "must be"),
        ("http://[", "isn't a valid URL"),
    ],
)
def test_the_error_about_an_invalid_value_names_the_variable_and_hides_the_value(
    run: Run, monkeypatch: pytest.MonkeyPatch, value: str, sentence: str
) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_STAGING_PROXY", value)
    with pytest.raises(ConfigurationError, match=sentence) as caught:
        made(run)
    assert str(caught.value).startswith("SUBSCRIBEKIT_STAGING_PROXY ")
    assert value not in str(caught.value)
