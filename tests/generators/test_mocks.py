"""The SDK accepts the responses of Prism and Mockoon, and Prism finds no violation in the sandbox (H493)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.styles import Shop
from generators.conftest import DOCUMENT, program, started
from generators.mocked import Requests, calls, example_path, satisfied
from generators.serving import served, shop
from subscribekit.errors import BadRequestError, PaginationError
from subscribekit.sandbox import Sandbox


def mock_of(name: str, port: int) -> list[str]:
    if name == "prism":
        return [program(name), "mock", str(DOCUMENT), "--port", str(port), "--multiprocess", "false"]
    return [program(name), "start", "--data", str(DOCUMENT), "--port", str(port), "--disable-log-to-file"]


@pytest.mark.hazard("H493")
@pytest.mark.parametrize("name", ["prism", "mockoon-cli"])
def test_a_mock_satisfies_the_sdk_for_each_operation_with_the_identifiers_of_its_example(
    name: str, tmp_path: Path
) -> None:
    program(name)
    document, requests = json.loads(DOCUMENT.read_text(encoding="utf-8")), Requests()
    with (
        started(tmp_path / "log.txt", lambda port: mock_of(name, port)) as address,
        shop(Sandbox(), address, requests.client) as clients,
    ):
        errors = satisfied(clients, requests, document)
        with pytest.raises(PaginationError):
            clients(clients.billing.accounts.list())
    failed: dict[str, str] = {}
    for path, verbs in document["paths"].items():
        for verb in verbs.keys() - {"servers"}:
            place = (verb.upper(), example_path(path, verbs[verb]))
            if errors.get(place, "was not called"):
                failed[verbs[verb]["operationId"]] = f"{place}: {errors.get(place, 'was not called')}"
    assert failed == {}


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[Shop, Requests]]:
    """Yield clients of a sandbox whose requests and responses Prism compares with the document."""
    sandbox, requests = Sandbox(), Requests()

    def command(port: int, upstream: str) -> list[str]:
        options = ["--port", str(port), "--multiprocess", "false"]
        return [program("prism"), "proxy", str(DOCUMENT), upstream, *options]

    program("prism")
    with (
        served(sandbox) as upstream,
        started(tmp_path / "log.txt", lambda port: command(port, upstream)) as address,
        shop(sandbox, address, requests.client) as clients,
    ):
        yield clients, requests


@pytest.mark.hazard("H493")
def test_a_validating_proxy_finds_no_violation_in_the_story(proxied: tuple[Shop, Requests]) -> None:
    clients, requests = proxied
    for call in calls():
        clients(call(clients))
    assert len(requests.paths) > 100
    assert requests.violations == []
    with pytest.raises(BadRequestError):
        clients.billing.request("GET", "/accounts", params={"limit": 101})
    assert len(requests.violations) == 1
