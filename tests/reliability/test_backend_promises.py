"""Checks each cell of the table "Guarantees of each HTTP backend", with every backend and style."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import Any, get_args

import aiohttp
import httpx_aiohttp
import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import Backend, Run, Style, hazard
from reliability.operations import E8
from reliability.promises import ASYNC_ONLY, HEADING, ONCE, PAGE, PROMISES, client, read_table
from subscribekit.errors import ConfigurationError

TEXT = PAGE.read_text(encoding="utf-8")
TABLE = read_table(TEXT)
STYLES: tuple[Style, ...] = ("blocking", "async")
OF_STYLE = {"async only": {"async": "yes", "blocking": "no"}, "sync only": {"async": "no", "blocking": "yes"}}
NEEDS = {
    "A forked child": "fork",
    "The exception of a canceled or interrupted charge has a note with the outcome": "kill",
}


def cells() -> Iterator[Any]:
    """Yield each cell in each style that its backend and its row support."""
    for name in TABLE:
        marks = [pytest.mark.posix(f"there is no {NEEDS[name]} here")] if name in NEEDS else []
        for backend in get_args(Backend):
            styles = STYLES[1:] if backend == "httpx-aiohttp" or name in ASYNC_ONLY else STYLES
            for style in styles:
                yield pytest.param(name, backend, style, marks=marks)


@hazard("H05", "H10", "H58", "H83", "H87", "H111", "H260", "H261", "H263", "H350", "H351")
@pytest.mark.parametrize(("name", "backend", "style"), [*cells()])
def test_each_cell_of_the_table_matches_the_observation(name: str, backend: Backend, style: Style) -> None:
    """The cells that say "no" must match too."""
    run = Run(style, backend)
    cell = TABLE[name]["default" if backend == "pooled" else backend]
    try:
        assert PROMISES[name](run) == OF_STYLE.get(cell, {}).get(style, cell)
    finally:
        run.close()


def test_each_row_is_observed() -> None:
    assert list(TABLE) == list(PROMISES)
    assert NEEDS.keys() <= TABLE.keys()


@pytest.mark.parametrize(
    "cut",
    [
        lambda row: row.rpartition(" | ")[0] + " |", lambda row: row.replace("| yes |", "| |", 1),
        lambda row: row.replace("| yes |", "| mostly |", 1), lambda row: f"{row}\n{row}",
    ],
    ids=["missing", "empty", "unknown", "twice"],
)  # fmt: skip
def test_a_table_with_an_invalid_row_is_refused(cut: Any) -> None:
    section = TEXT.partition(f"\n{HEADING}\n")[2]
    row = next(line for line in section.splitlines() if "| yes |" in line)
    with pytest.raises(ValueError, match="the row"):
        read_table(TEXT.replace(row, cut(row)))


@pytest.mark.parametrize("name", [HEADING, "| `direct()` |"])
def test_a_table_without_its_heading_or_a_column_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"section|columns"):
        read_table(TEXT.replace(name, "|"))


# httpx-aiohttp


@pytest.fixture
def adapter() -> Iterator[Run]:
    run = Run("async", "httpx-aiohttp")
    yield run
    run.close()


@hazard("H87")
@pytest.mark.parametrize(
    ("step", "text"), [(f.tls_abort(), "the service rejected TLS"), (f.tls_plaintext(), "doesn't use TLS")], ids=str
)
def test_a_handshake_that_fails_below_aiohttp_is_reported_as_not_sent(adapter: Run, step: Any, text: str) -> None:
    with FaultServer(step, tls=True) as srv:
        error = adapter.fails(client(adapter, srv), E8.use)
        assert (error.outcome, srv.requests) == ("not_sent", [])
        assert text in str(error)


def unchecked() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    return context


@hazard("H260")
@pytest.mark.parametrize(
    "options",
    [
        lambda: {"verify": False}, lambda: {"verify": unchecked()},
        lambda: {"client": aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False))},
        lambda: {"client": aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=unchecked()))},
    ],
    ids=["verify=False", "a context", "a session", "the context of a session"],
)  # fmt: skip
def test_an_aiohttp_transport_that_does_not_verify_certificates_is_refused(adapter: Run, options: Any) -> None:
    async def make() -> None:
        transport = httpx_aiohttp.AiohttpTransport(**options())
        try:
            adapter.client("gateway", "https://gateway.test", timed=False, transport=transport, retry=ONCE)
        finally:
            await transport.aclose()

    with pytest.raises(ConfigurationError, match="doesn't verify certificates"):
        adapter.wait(make())
