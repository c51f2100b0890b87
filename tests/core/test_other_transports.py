"""What may be given as `transport`: the protocols, and the transports of httpx, httpx2 and of wrappers."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

import subscribekit
from subscribekit.transports import AsyncBackend, AsyncHttpTransport, HttpTransport

CLIENTS = ("BillingClient", "GatewayClient", "UserMgmtClient", "StorefrontClient")


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    ("prefix", "expected"),
    [("", HttpTransport | None), ("Async", AsyncHttpTransport | AsyncBackend | None)],
    ids=["blocking", "async"],
)
def test_the_annotation_of_transport_resolves_to_types_of_this_package(name: str, prefix: str, expected: Any) -> None:
    init = getattr(subscribekit, prefix + name).__init__
    names = vars(__import__("subscribekit._core.calls.observers", fromlist=["Observer"]))
    assert get_type_hints(init, localns={"Observer": names["Observer"]})["transport"] == expected
