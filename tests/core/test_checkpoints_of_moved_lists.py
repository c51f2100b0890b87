"""A resumed offset list repeats nothing, even if up to one page of items was added in front of it (H417)."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from hashlib import blake2b
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Always, Run, Sent, answer
from looped import looped
from subscribekit import UserMgmtClient
from subscribekit._core.lists.checkpoint import DIGEST, MAX_DIGESTS, Position, parse
from subscribekit._core.lists.listing import ByOffset, offset_list
from subscribekit._core.lists.page_history import PageHistory
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import AccountAssociation

pytestmark = pytest.mark.hazard("H417")

COUNT = 11


class Growing:
    """An offset list to which a test can add items in front."""

    def __init__(self, count: int = COUNT, *, total: bool = True, **more: object) -> None:
        self.items: list[dict[str, object]] = [{"id": number, **more} for number in range(count)]
        self.total = total
        self.transport = Always(self.respond)

    def add(self, count: int) -> None:
        self.items[:0] = [{"id": f"new-{number}"} for number in range(count)]

    def respond(self, sent: Sent) -> httpx.Response:
        arguments = dict(sent.query)
        start, size = int(arguments["offset"]), int(arguments.get("size", "20"))
        headers = {"X_Total_Count": str(len(self.items))} if self.total else {}
        return answer(self.items[start : start + size], **headers)


@looped("added", [1, 3, 4])
@looped("taken", [0, 1, 3, 4, 5, 8, COUNT])
@looped("size", [3, 4])
@looped("ahead", [{}, {"concurrency": 3}])
def test_items_added_in_front_before_a_resume_repeat_nothing(
    ahead: dict[str, Any], size: int, taken: int, added: int, run: Run
) -> None:
    """This holds even if the iteration stopped within a page."""
    if added > size:
        return
    growing = Growing()

    async def story(client: Any) -> None:
        pager = client.accounts.list(size=size, **ahead)
        iterator = run.iterator(pager)
        got = [(await run.following(iterator)).id for _ in range(taken)]
        growing.add(added)
        rest = client.accounts.list(size=size, checkpoint=pager.checkpoint, **ahead)
        assert rest.checkpoint == pager.checkpoint
        got += [item.id for item in await run.finish(rest)]
        old = [each for each in got if isinstance(each, int)]
        assert old == list(range(COUNT))

    run("user_mgmt", story, transport=growing.transport)


@pytest.mark.parametrize("reader", ["pages", "raw"])
def test_pages_are_resumed_by_the_same_rule(reader: str, run: Run) -> None:
    growing = Growing()

    async def story(client: Any) -> None:
        pager = (client if reader == "pages" else client.with_raw_response).accounts.list(size=4)
        iterator = run.iterator(pager.pages() if reader == "pages" else pager)
        found = [await run.following(iterator) for _ in range(2)]
        growing.add(3)
        again = (client if reader == "pages" else client.with_raw_response).accounts
        rest = again.list(size=4, checkpoint=pager.checkpoint)
        found += await run.finish(rest.pages() if reader == "pages" else rest)
        pages = found if reader == "pages" else [each.data for each in found]
        assert [item.id for each in pages for item in each.data] == list(range(COUNT))

    run("user_mgmt", story, transport=growing.transport)


def test_a_second_resume_repeats_nothing_either(run: Run) -> None:
    growing = Growing()

    async def story(client: Any) -> None:
        got: list[Any] = []
        checkpoint = None
        for _ in range(COUNT):
            pager = client.accounts.list(size=3, checkpoint=checkpoint)
            got += [item.id for item in await run.now(pager.take(1))]
            checkpoint = pager.checkpoint
            growing.add(1)
        assert got == list(range(COUNT))

    run("user_mgmt", story, transport=growing.transport)


def test_more_additions_than_a_page_can_repeat_items(run: Run) -> None:
    """The guide documents this limit."""
    growing = Growing()

    async def story(client: Any) -> None:
        pager = client.accounts.list(size=3)
        await run.now(pager.take(6))
        growing.add(4)
        rest = await run.finish(client.accounts.list(size=3, checkpoint=pager.checkpoint))
        assert [item.id for item in rest] == [2, *range(6, COUNT)]

    run("user_mgmt", story, transport=growing.transport)


@pytest.mark.parametrize("same", [True, False])
def test_items_without_an_id_are_never_left_out(same: bool, run: Run) -> None:
    growing = Growing()
    growing.items = [{"type": 0 if same else number} for number in range(6)]

    async def story(client: Any) -> None:
        pager = client.accounts.list(size=3)
        await run.now(pager.take(3))
        assert len(await run.finish(client.accounts.list(size=3, checkpoint=pager.checkpoint))) == 3
        growing.items[:0] = growing.items[:3]
        assert len(await run.finish(client.accounts.list(size=9, checkpoint=pager.checkpoint))) == 6

    run("user_mgmt", story, transport=growing.transport)


def test_an_item_that_changed_since_is_returned_again(run: Run) -> None:
    """Only equal content shows that an item without a vid is the same one."""
    growing = Growing()

    async def story(client: Any) -> None:
        pager = client.accounts.list(size=3)
        await run.now(pager.take(3))
        growing.items[2] = {"id": 2, "status": "changed"}
        growing.add(2)
        rest = await run.finish(client.accounts.list(size=3, checkpoint=pager.checkpoint))
        assert [item.id for item in rest] == list(range(2, COUNT))

    run("user_mgmt", story, transport=growing.transport)


@given(
    count=st.integers(0, 20),
    size=st.integers(1, 6),
    stops=st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), max_size=4),
    total=st.booleans(),
    concurrency=st.integers(1, 3),
)
def test_a_list_that_is_resumed_anywhere_is_complete(
    count: int, size: int, stops: list[tuple[int, int]], total: bool, concurrency: int
) -> None:
    """All stops together add at most one page of items."""
    growing = Growing(count, total=total)
    got: list[Any] = []
    checkpoint = None
    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=growing.transport) as client:
        for taken, added in stops:
            pager = client.accounts.list(size=size, checkpoint=checkpoint, concurrency=concurrency)
            got += [item.id for item in pager.take(taken)]
            checkpoint = pager.checkpoint
            new = min(added, size + count - len(growing.items))
            growing.items[:0] = [{"id": f"new-{len(growing.items)}-{number}"} for number in range(new)]
        got += [item.id for item in client.accounts.list(size=size, checkpoint=checkpoint)]
    assert [each for each in got if isinstance(each, int)] == list(range(count))


def test_the_digests_are_the_same_in_another_process() -> None:
    items = [{"id": 1, "name": "ä \U0001f600", "amount": [1, None, True]}, {"vid": "v1"}]
    code = f"""
from subscribekit._core.lists.page_history import PageHistory
history = PageHistory(by_offset=True)
history.load({items!a})
print(history.recent(2).hex())
"""
    history = PageHistory(by_offset=True)
    history.load(items)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == history.recent(2).hex()
    assert len(history.recent(2)) == 2 * DIGEST


@pytest.mark.parametrize("count", [3, 100, 250])
def test_a_checkpoint_holds_digests_of_one_page(count: int) -> None:
    growing = Growing(1_000, name="private-name")
    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=growing.transport) as client:
        pager = client.accounts.list(size=min(count, 100))
        pager.take(2 * count)
    position = parse(pager.checkpoint).position
    assert (position.cursor, len(position.recent)) == (2 * count, DIGEST * min(count, MAX_DIGESTS))
    assert len(pager.checkpoint) < 1_700


WRONG = ["x", "AAAA", "AAAAAAAAAAA", "ä", "=", None, 5, ["AAAAAAAAAAA="], "A" * 11 * 200, "AAAAAAAAAAA=\n"]


@looped("wrong", WRONG)
def test_damaged_digests_are_refused(wrong: object) -> None:
    listing = offset_list("/user/accounts", item=AccountAssociation, paging=ByOffset())
    value = json.dumps([listing.fingerprint, "offset", 5, 0, None, None, None, wrong]).encode()
    text = base64.urlsafe_b64encode(blake2b(value, digest_size=6).digest() + value).decode().rstrip("=")
    with pytest.raises(InvalidArgumentError, match="checkpoint is damaged"):
        listing.resume(text)


@given(offset=st.integers(0, 10**12), digests=st.lists(st.binary(min_size=DIGEST, max_size=DIGEST), max_size=5))
def test_a_checkpoint_keeps_any_digests(offset: int, digests: list[bytes]) -> None:
    listing: Any = offset_list("/user/accounts", item=AccountAssociation, paging=ByOffset())
    position = Position(offset, recent=b"".join(digests))
    assert listing.resume(listing.checkpoint(position)).start == position
