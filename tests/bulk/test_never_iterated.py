"""If `send` is called but never iterated, it sends nothing, and the end of the run reports that."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import KEY, URL, Ledgered, client_of, jobs
from subscribekit import AsyncGatewayClient
from subscribekit.bulk import AsyncRun, Run
from subscribekit.errors import BulkError

TOLD = "run.send() was never iterated, so it sent nothing; write `for item in run.send(): ...`"
TOLD_ASYNC = "run.send() was never iterated, so it sent nothing; write `async for item in run.send(): ...`"


class Style:
    """Sync or async runs behind the same coroutines."""

    def __init__(self, name: str, path: Path) -> None:
        self.is_async, self.path, self.service = name == "async", path, Ledgered()

    @asynccontextmanager
    async def run(self) -> Any:
        """Open a run with two items, and leave its `with` block."""
        if self.is_async:
            async with self.client() as client, AsyncRun(self.path, client) as run:
                await run.add(jobs(client, 2))
                yield run
        else:
            with self.client() as client, Run(self.path, client) as run:
                run.add(jobs(client, 2))
                yield run

    def client(self) -> Any:
        if self.is_async:
            return AsyncGatewayClient(base_url=URL, api_key=KEY, transport=self.service)
        return client_of(self.service)

    async def close(self, run: Any) -> None:
        if self.is_async:
            await run.aclose()
        else:
            run.close()

    async def first(self, sending: Any) -> Any:
        return await anext(sending) if self.is_async else next(sending)

    async def rest(self, sending: Any) -> list[Any]:
        return [item async for item in sending] if self.is_async else list(sending)


@pytest.fixture(params=["sync", "async"])
def style(request: pytest.FixtureRequest, tmp_path: Path) -> Style:
    return Style(request.param, tmp_path / "ledger.db")


Story = Callable[[Style], Coroutine[Any, Any, None]]


async def ends_the_block(style: Style) -> None:
    async with style.run() as run:
        run.send()


async def closes(style: Style) -> None:
    async with style.run() as run:
        run.send()
        await style.close(run)


async def closes_after_an_earlier_call_was_iterated(style: Style) -> None:
    async with style.run() as run:
        await style.rest(run.send())
        run.send()


async def ends_a_block_inside_a_handler(style: Style) -> None:
    try:
        int("an earlier failure")
    except ValueError:
        await ends_the_block(style)


async def closes_in_a_handler_that_goes_on(style: Style) -> None:
    async with style.run() as run:
        run.send()
        try:
            int("an earlier failure")
        except ValueError:
            await style.close(run)


@pytest.mark.parametrize(
    "story",
    [
        ends_the_block, closes, closes_after_an_earlier_call_was_iterated, ends_a_block_inside_a_handler,
        closes_in_a_handler_that_goes_on,
    ],
)  # fmt: skip
def test_a_run_that_ends_with_a_call_that_was_never_iterated_raises(style: Style, story: Story) -> None:
    with pytest.raises(BulkError) as caught:
        asyncio.run(story(style))
    assert str(caught.value) == (TOLD_ASYNC if style.is_async else TOLD)
    assert len(style.service.arrived) == (2 if "earlier_call" in story.__name__ else 0)


def test_the_ledger_is_closed_and_the_error_is_raised_once(style: Style) -> None:
    async def story() -> None:
        async with style.run() as run:
            run.send()
            with pytest.raises(BulkError, match="never iterated"):
                await style.close(run)
            with pytest.raises(BulkError, match="the run is closed"):
                run.send()
            await style.close(run)
        async with style.run() as again:
            assert len(await style.rest(again.send())) == 2

    asyncio.run(story())


async def iterates_all(style: Style, run: Any) -> None:
    await style.rest(run.send())


async def iterates_a_part(style: Style, run: Any) -> None:
    await style.first(run.send())


async def iterates_a_later_call(style: Style, run: Any) -> None:
    run.send()
    await style.rest(run.send())


async def never_sends(_: Style, __: Any) -> None:
    """Never call `send`, which isn't an error."""


@pytest.mark.parametrize("use", [iterates_all, iterates_a_part, iterates_a_later_call, never_sends])
def test_a_run_that_was_iterated_ends_without_an_error(style: Style, use: Callable[..., Any]) -> None:
    async def story() -> None:
        async with style.run() as run:
            await use(style, run)
            await style.close(run)

    asyncio.run(story())


async def fails_in_the_block(style: Style, failure: BaseException) -> None:
    async with style.run() as run:
        run.send()
        raise failure


async def closes_in_finally(style: Style, failure: BaseException) -> None:
    async with style.run() as run:
        run.send()
        try:
            raise failure
        finally:
            await style.close(run)


@pytest.mark.parametrize("failure", [ValueError("of the application"), KeyboardInterrupt(), BulkError("another")])
@pytest.mark.parametrize("story", [fails_in_the_block, closes_in_finally])
def test_the_exception_of_the_block_is_not_replaced(
    style: Style, story: Callable[..., Coroutine[Any, Any, None]], failure: BaseException
) -> None:
    with pytest.raises(type(failure)) as caught:
        asyncio.run(story(style, failure))
    assert caught.value is failure


def test_an_exception_is_not_replaced_by_a_library_that_closes_the_run(tmp_path: Path) -> None:
    def use(run: Run) -> None:
        with closing(run):
            run.send()
            int("of the application")

    with client_of() as client, pytest.raises(ValueError, match="of the application"):
        use(Run(tmp_path / "l.db", client))


@pytest.mark.posix("there is no fork")
def test_a_forked_child_does_not_report_a_call_of_its_parent(tmp_path: Path) -> None:
    with client_of() as client, Run(tmp_path / "l.db", client) as run:
        sending = run.send()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                run.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert list(sending) == []
