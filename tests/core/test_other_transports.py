"""The argument `transport` accepts transports of httpx and httpx2, and its annotation names the SDK's protocols."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, get_type_hints

import pytest

import subscribekit
from subscribekit.transports import AsyncHttpTransport, HttpTransport

CLIENTS = ("BillingClient", "GatewayClient", "UserMgmtClient", "StorefrontClient")


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    ("prefix", "expected"),
    [("", HttpTransport | None), ("Async", AsyncHttpTransport | None)],
    ids=["blocking", "async"],
)
def test_the_annotation_of_transport_resolves_to_types_of_this_package(name: str, prefix: str, expected: Any) -> None:
    init = getattr(subscribekit, prefix + name).__init__
    assert get_type_hints(init)["transport"] == expected


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_a_transport_of_either_library_works_and_the_other_library_is_not_imported(library: str) -> None:
    """The test needs a process in which nothing else has imported the libraries."""
    story = f"""
import asyncio, sys
import {library} as library
import subscribekit
from subscribekit.errors import ConnectionFailedError, OutcomeUnknownError

def answer(request):
    if request.method == "POST":
        raise library.ReadTimeout("no")
    if request.url.path.endswith("gone"):
        raise library.ConnectError("no")
    return library.Response(200, json={{"object": "Subscription", "id": "s1"}})

given = dict(api_key="k", base_url="https://x.test", retry=subscribekit.RetryPolicy(max_attempts=1))
transport = library.MockTransport(answer)

def failure(call):
    try:
        call()
    except subscribekit.errors.SubscribekitError as error:
        return type(error).__name__, error.outcome

blocking = subscribekit.GatewayClient(**given, transport=transport)
client = subscribekit.AsyncGatewayClient(**given, transport=transport)
faces = (
    lambda use: use(blocking),
    lambda use: asyncio.run(finish(use)),
)

async def finish(use):
    return await use(client)

for run in faces:
    assert run(lambda c: c.subscriptions.retrieve("s1")).id == "s1"
    assert failure(lambda: run(lambda c: c.partner_subscriptions.cancel("p1"))) == ("OutcomeUnknownError", "unknown")
    assert failure(lambda: run(lambda c: c.subscriptions.retrieve("gone"))) == ("ConnectionFailedError", "not_sent")
other = {{"httpx": "httpx2", "httpx2": "httpx"}}[{library!r}]
print(other in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == ("False\n", 0), done.stderr
