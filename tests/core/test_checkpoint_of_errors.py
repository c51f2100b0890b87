"""An error's checkpoint is before the first item that wasn't returned, however the list is read (H75, H91)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Always, Run, Sent, Service, answer, array, page
from subscribekit.errors import InvalidArgumentError, InvalidResponseError, NotFoundError, SubscribekitError

IDS = [f"a{number:02}" for number in range(11)]
BACKWARDS = ["a05", "a06", "a07", "a02", "a03", "a04", "a00", "a01"]


class Broken:
    """A list that fails at one page or one item until a test sets `fails` to `None`."""

    def __init__(self, kind: str, fails: tuple[str, int] | None) -> None:
        self.kind, self.fails = kind, fails
        self.whole: list[Any] = {"forward": IDS, "backward": BACKWARDS, "offset": list(range(11))}[kind]
        self.transport = Always(self.respond)

    def options(self) -> dict[str, Any]:
        return {"forward": {"limit": 3}, "backward": {"limit": 3, "ending_before": "a08"}, "offset": {"size": 3}}[
            self.kind
        ]

    @property
    def group(self) -> Any:
        return "user_mgmt" if self.kind == "offset" else "billing"

    def respond(self, sent: Sent) -> Any:
        arguments = dict(sent.query)
        limit = int(arguments.get("limit") or arguments.get("size") or 3)
        if self.kind == "offset":
            start = int(arguments["offset"])
            end = min(start + limit, len(IDS))
        elif "ending_before" in arguments:
            end = IDS.index(arguments["ending_before"])
            start = max(0, end - limit)
        else:
            start = IDS.index(arguments["starting_after"]) + 1 if "starting_after" in arguments else 0
            end = min(start + limit, len(IDS))
        if self.fails is not None and self.fails[0] == "page" and start <= self.fails[1] < end:
            return answer({}, 404)
        items: list[Any] = [
            5 if self.fails == ("item", index) else index if self.kind == "offset" else IDS[index]
            for index in range(start, end)
        ]
        if self.kind == "offset":
            return answer([each if self._bad(i + start) else {"id": each} for i, each in enumerate(items)],
                          X_Total_Count="11")  # fmt: skip
        data: list[Any] = [each if each == 5 else {"object": "Account", "id": each} for each in items]
        links: dict[str, Any] = {"object": "List", "data": data}
        if end < len(IDS):
            links["next"] = f"/accounts?starting_after={IDS[end - 1]}"
        if start and start < end:
            links["previous"] = f"/accounts?ending_before={IDS[start]}"
        return answer(links)

    def _bad(self, index: int) -> bool:
        return self.fails == ("item", index)


Way = Callable[[Run, Any, list[Any]], Coroutine[Any, Any, None]]


async def by_items(run: Run, pager: Any, got: list[Any]) -> None:
    await run.collect(pager, got)


async def by_data(run: Run, pages: Any, got: list[Any]) -> None:
    async for each in run.every(pages):
        got += [item.id for item in (each.data if isinstance(each.data, list) else each.data.data)]


async def by_pages(run: Run, pager: Any, got: list[Any]) -> None:
    await by_data(run, pager.pages(), got)


async def by_responses(run: Run, pager: Any, got: list[Any]) -> None:
    await by_data(run, pager.responses(), got)


async def by_list(run: Run, pager: Any, got: list[Any]) -> None:
    got += [item.id for item in await run.now(pager.to_list())]


async def by_take(run: Run, pager: Any, got: list[Any]) -> None:
    got += [item.id for item in await run.now(pager.take(10))]


async def by_first(run: Run, pager: Any, got: list[Any]) -> None:
    found = await run.now(pager.first())
    got += [] if found is None else [found.id]


WAYS: dict[str, Way] = {
    "for": by_items, "pages": by_pages, "responses": by_responses, "to_list": by_list, "take": by_take,
    "first": by_first,
}  # fmt: skip


async def two_halves(run: Run, client: Any, broken: Broken, way: Way, options: dict[str, Any]) -> None:
    """Read until the error, and resume from its checkpoint. Both parts together must be the whole list."""
    got: list[Any] = []
    pager = client.accounts.list(**broken.options(), **options)
    try:
        await way(run, pager, got)
    except SubscribekitError as error:
        checkpoint = error.checkpoint
    else:
        checkpoint = pager.checkpoint
    assert checkpoint == pager.checkpoint
    broken.fails = None
    size = {name: value for name, value in broken.options().items() if name != "ending_before"}
    rest = [item.id async for item in run.every(client.accounts.list(**size, checkpoint=checkpoint))]
    assert got + rest == broken.whole


@given(
    kind=st.sampled_from(["forward", "backward", "offset"]),
    fault=st.sampled_from(["page", "item"]),
    place=st.integers(0, 10),
    way=st.sampled_from(sorted(WAYS)),
    ahead=st.sampled_from([{}, {"prefetch": True}, {"concurrency": 3}]),
    style=st.sampled_from(["blocking", "async"]),
)
def test_the_items_before_an_error_and_after_the_resume_are_the_whole_list(
    kind: str, fault: str, place: int, way: str, ahead: dict[str, Any], style: Any
) -> None:
    run, broken = Run(style), Broken(kind, (fault, place))
    options = ahead if kind == "offset" or "prefetch" in ahead else {}

    async def story(client: Any) -> None:
        await two_halves(run, client, broken, WAYS[way], options)

    run(broken.group, story, transport=broken.transport)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["forward", "backward", "offset"])
def test_each_way_of_reading_loses_nothing_if_an_item_on_a_later_page_fails(kind: str, way: str, run: Run) -> None:
    broken = Broken(kind, ("item", 3 if kind == "backward" else 5))

    async def story(client: Any) -> None:
        await two_halves(run, client, broken, WAYS[way], {})

    run(broken.group, story, transport=broken.transport)


@pytest.mark.parametrize("kind", ["forward", "offset"])
def test_raw_pages_lose_nothing_either(kind: str, run: Run) -> None:
    broken = Broken(kind, ("item", 7))
    got: list[Any] = []

    async def story(client: Any) -> None:
        pager = client.with_raw_response.accounts.list(**broken.options())
        with pytest.raises(InvalidResponseError) as caught:
            await by_data(run, pager, got)
        assert caught.value.checkpoint == pager.checkpoint
        broken.fails = None
        rest = client.with_raw_response.accounts.list(**broken.options(), checkpoint=caught.value.checkpoint)
        await by_data(run, rest, got)

    run(broken.group, story, transport=broken.transport)
    assert got == broken.whole


@pytest.mark.parametrize("kind", ["forward", "backward", "offset"])
def test_reading_pages_can_continue_after_an_error_and_skips_nothing(kind: str, run: Run) -> None:
    broken = Broken(kind, ("page", 5))
    got: list[Any] = []

    async def story(client: Any) -> None:
        pages = run.iterator(client.accounts.list(**broken.options()).pages())
        with pytest.raises(NotFoundError):
            await by_data(run, pages, got)
        assert got == broken.whole[: len(got)] != broken.whole
        broken.fails = None
        await by_data(run, pages, got)

    run(broken.group, story, transport=broken.transport)
    assert got == broken.whole


def test_an_iteration_does_not_move_past_a_page_with_an_unreadable_item(run: Run) -> None:
    service = Service(page("a1", next_link="/accounts?starting_after=a1"), page("a2", {"object": "Campaign"}, "a3"))

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        pages = run.iterator(pager.pages())
        assert [item.id for item in (await run.following(pages)).data] == ["a1"]
        before = pager.checkpoint
        for _ in range(3):
            with pytest.raises(InvalidResponseError) as caught:
                await run.following(pages)
            assert caught.value.checkpoint is not None
            request = client.prepare.accounts.list(checkpoint=caught.value.checkpoint)
            assert request.url == client.prepare.accounts.list(checkpoint=before).url

    run("billing", story, transport=service)


def test_an_interrupted_to_list_does_not_move_the_checkpoint(run: Run) -> None:
    def interrupt(sent: Sent) -> Any:
        raise KeyboardInterrupt if run.style == "blocking" else asyncio.CancelledError

    service = Service(page("a1", "a2", next_link="/accounts?starting_after=a2"), interrupt)

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        start = pager.checkpoint
        with pytest.raises((KeyboardInterrupt, asyncio.CancelledError)):
            await run.now(pager.to_list())
        assert pager.checkpoint == start

    run("billing", story, transport=service)


def test_an_error_of_total_count_carries_a_checkpoint(run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(NotFoundError) as caught:
            await run.now(client.accounts.list().total_count())
        assert caught.value.checkpoint == client.accounts.list().checkpoint

    run("billing", story, transport=Service(answer({}, 404)))


# A checkpoint that counts items of a page is checked against that page


def backwards(*names: str) -> Any:
    return page(*names, previous_link=f"/accounts?ending_before={names[0]}")


@pytest.mark.parametrize(
    "changed",
    [("a04", "a06", "a07"), ("a06", "a07"), ("a05x", "a06", "a07"), ("a05",), ("a06", "a05", "a07")],
    ids=["one before it was deleted", "and no page before", "another one", "shorter", "another order"],
)
def test_a_page_that_changed_before_the_checkpoint_is_refused(changed: tuple[str, ...], run: Run) -> None:
    service = Service(backwards("a05", "a06", "a07"), backwards(*changed))

    async def story(client: Any) -> None:
        pager = client.accounts.list(ending_before="a08", limit=3)
        iterator = run.iterator(pager)
        for _ in range(2):
            await run.following(iterator)
        checkpoint = pager.checkpoint
        resumed = client.accounts.list(limit=3, checkpoint=checkpoint)
        with pytest.raises(InvalidArgumentError, match="the list has changed since the checkpoint") as caught:
            await run.finish(resumed)
        assert caught.value.checkpoint == checkpoint == resumed.checkpoint
        assert caught.value.operation == "accounts.list"

    run("billing", story, transport=service)


def test_changes_after_the_checkpoint_do_no_harm(run: Run) -> None:
    service = Service(backwards("a05", "a06", "a07"), page("a05", "a06", "a08"))

    async def story(client: Any) -> None:
        pager = client.accounts.list(ending_before="a09", limit=3)
        iterator = run.iterator(pager)
        for _ in range(2):
            await run.following(iterator)
        rest = await run.finish(client.accounts.list(limit=3, checkpoint=pager.checkpoint))
        assert [item.id for item in rest] == ["a08"]

    run("billing", story, transport=service)


def test_items_without_an_identifier_are_compared_as_a_whole(run: Run) -> None:
    def summaries(*counts: int) -> Any:
        return page(*({"object": "EventSummary", "event_count": count} for count in counts))

    service = Service(summaries(1, 2, 3), summaries(1, 2, 3), summaries(2, 3))

    async def story(client: Any) -> None:
        pager = client.event_summaries.list()
        iterator = run.iterator(pager)
        for _ in range(2):
            await run.following(iterator)
        rest = await run.finish(client.event_summaries.list(checkpoint=pager.checkpoint))
        assert [each.event_count for each in rest] == [3]
        with pytest.raises(InvalidArgumentError, match="the list has changed"):
            await run.finish(client.event_summaries.list(checkpoint=pager.checkpoint))

    run("billing", story, transport=service)


def test_total_count_does_not_move_the_checkpoint(run: Run) -> None:
    service = Service(array(1, total=1), array(1, total=1))

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        assert await run.now(pager.total_count()) == 1
        assert pager.checkpoint == client.accounts.list().checkpoint
        assert [item.id for item in await run.finish(pager)] == [1]

    run("user_mgmt", story, transport=service)
