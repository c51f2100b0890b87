"""A checkpoint resumes a list where it stopped, also in another process. Another list refuses the checkpoint."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import httpx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kit.calls import CREDENTIALS, URL, Always, Group, Run, Sent, Service, answer, array, page
from looped import looped
from reliability.kit import hazard
from subscribekit import BillingClient, Environment, UserMgmtClient, WireNames
from subscribekit._core.lists.listing import ByCursor, ByOffset, Position, cursor_list, offset_list
from subscribekit._core.operations.arguments import Wire
from subscribekit.errors import InvalidArgumentError, NotFoundError
from subscribekit.models import Account, AccountAssociation

IDS = [f"a{number:02}" for number in range(11)]


def cursor_service(sizes: Iterator[int] | None = None, **more: Any) -> Always:
    """Return a service with a list of accounts that responds as the specification says."""

    def respond(sent: Sent) -> httpx.Response:
        arguments = dict(sent.query) if "?" in sent.url else {}
        limit = int(arguments.get("limit", "3")) if sizes is None else next(sizes)
        if "ending_before" in arguments:
            end = IDS.index(arguments["ending_before"])
            start = max(0, end - limit)
        else:
            start = IDS.index(arguments["starting_after"]) + 1 if "starting_after" in arguments else 0
            end = min(start + limit, len(IDS))
        links = {}
        if start < end:
            links["next_link"] = f"/accounts?starting_after={IDS[end - 1]}" if end < len(IDS) else None
            links["previous_link"] = f"/accounts?ending_before={IDS[start]}" if start else None
        return page(*IDS[start:end], **links, **more)

    return Always(respond)


def offset_service() -> Always:
    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return array(*range(start, min(start + int(dict(sent.query).get("size", "3")), 11)), total=11)

    return Always(respond)


def names(items: Any) -> list[Any]:
    return [item.id for item in items]


@looped("taken", range(12))
@looped("limit", [None, 1, 4, 100])
def test_a_cursor_list_resumes_after_the_last_item(taken: int, limit: int | None, run: Run) -> None:
    service = cursor_service()

    async def story(client: Any) -> None:
        pager = client.accounts.list(limit=limit)
        iterator = run.iterator(pager)
        got = [(await run.following(iterator)).id for _ in range(taken)]
        again = client.accounts.list(limit=limit, checkpoint=pager.checkpoint)
        assert again.checkpoint == pager.checkpoint
        assert got + names(await run.finish(again)) == IDS

    run("billing", story, transport=service)


@looped("taken", range(12))
def test_an_offset_list_resumes_after_the_last_item(taken: int, run: Run) -> None:
    async def story(client: Any) -> None:
        pager = client.accounts.list(size=3)
        iterator = run.iterator(pager)
        got = [(await run.following(iterator)).id for _ in range(taken)]
        assert got + names(await run.finish(client.accounts.list(size=3, checkpoint=pager.checkpoint))) == list(
            range(11)
        )

    run("user_mgmt", story, transport=offset_service())


@pytest.mark.parametrize("taken", range(9))
def test_a_list_that_is_read_backwards_resumes_too(taken: int, run: Run) -> None:
    service = cursor_service()
    whole = ["a05", "a06", "a07", "a02", "a03", "a04", "a00", "a01"]

    async def story(client: Any) -> None:
        pager = client.accounts.list(ending_before="a08")
        iterator = run.iterator(pager)
        got = [(await run.following(iterator)).id for _ in range(taken)]
        assert got == whole[:taken]
        assert got + names(await run.finish(client.accounts.list(checkpoint=pager.checkpoint))) == whole

    run("billing", story, transport=service)


def test_items_without_an_identifier_are_counted(run: Run) -> None:
    summaries = [{"object": "EventSummary", "event_count": number} for number in range(4)]
    link = "/event_summaries?starting_after=c1"
    service = Service(page(*summaries[:3], next_link=link), page(*summaries[:3], next_link=link), page(summaries[3]))

    async def story(client: Any) -> None:
        pager = client.event_summaries.list()
        iterator = run.iterator(pager)
        counts = [(await run.following(iterator)).event_count for _ in range(2)]
        rest = await run.finish(client.event_summaries.list(checkpoint=pager.checkpoint))
        assert counts + [each.event_count for each in rest] == [0, 1, 2, 3]

    run("billing", story, transport=service)


def test_a_checkpoint_between_pages_resumes_at_the_next_page(run: Run) -> None:
    async def story(client: Any) -> None:
        pager = client.accounts.list(limit=4)
        pages = run.iterator(pager.pages())
        first = await run.following(pages)
        rest = await run.finish(client.accounts.list(limit=4, checkpoint=pager.checkpoint))
        assert names(first.data) + names(rest) == IDS

    run("billing", story, transport=cursor_service())


def test_a_failed_iteration_resumes_from_the_checkpoint_of_its_error(run: Run) -> None:
    service = cursor_service()
    respond, calls = service.give, iter(range(100))
    service.give = lambda sent: answer({}, 404) if next(calls) == 2 else respond(sent)
    got: list[str] = []

    async def story(client: Any) -> None:
        with pytest.raises(NotFoundError) as caught:
            await run.collect(client.accounts.list(), got)
        assert caught.value.checkpoint is not None
        got.extend(names(await run.finish(client.accounts.list(checkpoint=caught.value.checkpoint))))

    run("billing", story, transport=service)
    assert got == IDS


def test_another_page_size_does_no_harm(run: Run) -> None:
    async def story(client: Any) -> None:
        pager = client.accounts.list(limit=4)
        iterator = run.iterator(pager)
        got = [(await run.following(iterator)).id for _ in range(6)]
        assert got + names(await run.finish(client.accounts.list(limit=2, checkpoint=pager.checkpoint))) == IDS

    run("billing", story, transport=cursor_service())


def test_a_checkpoint_is_short_text_that_shows_no_filter(run: Run) -> None:
    async def story(client: Any) -> None:
        pager = client.accounts.list(email="private-4720@example.com")
        await run.now(pager.take(2))
        checkpoint = pager.checkpoint
        assert len(checkpoint) < 120
        assert checkpoint.isascii()
        assert checkpoint.replace("-", "").replace("_", "").isalnum()
        assert b"private" not in base64.urlsafe_b64decode(checkpoint + "===")

    run("billing", story, transport=cursor_service())


def test_another_process_needs_only_the_checkpoint() -> None:
    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=cursor_service()) as client:
        pager = client.accounts.list(limit=4, email="x@y.z")
        pager.take(6)
        checkpoint = pager.checkpoint
    code = f"""
from subscribekit import BillingClient
client = BillingClient(base_url="https://other.test", api_user="u", api_key="k")
print(client.prepare.accounts.list(limit=4, email="x@y.z", checkpoint={checkpoint!r}).url)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "https://other.test/accounts?email=x%40y.z&limit=4&starting_after=a05"


# Refusals


def checkpoint_of(run: Run, group: Any = "billing", **arguments: Any) -> str:
    client = run.client(group, wire_names=WireNames(accounts_boleto_fiscal_number="boleto"))
    return str(client.accounts.list(**arguments).checkpoint)


@pytest.mark.parametrize(
    ("there", "here"),
    [
        ({}, {"email": "x@y.z"}),
        ({"email": "x@y.z"}, {}),
        ({"email": "x@y.z"}, {"email": "x@y.zz"}),
        ({"email": "x"}, {"payment_method": "x"}),
        ({"boleto_fiscal_number": "1"}, {"email": "1"}),
    ],
)
def test_a_checkpoint_of_other_filters_is_refused(there: dict[str, str], here: dict[str, str], run: Run) -> None:
    checkpoint = checkpoint_of(run, **there)
    client = run.client("billing", wire_names=WireNames(accounts_boleto_fiscal_number="boleto"), transport=Service())
    with pytest.raises(InvalidArgumentError, match="another list or to other filters"):
        client.accounts.list(**here, checkpoint=checkpoint)
    client.accounts.list(**there, checkpoint=checkpoint)


def test_a_checkpoint_of_another_list_is_refused(run: Run) -> None:
    cursor, offset = checkpoint_of(run), checkpoint_of(run, "user_mgmt")
    users, billing = run.client("user_mgmt"), run.client("billing")
    entity = users.entities.list("/user/{userId}/groups", user_id="u1").checkpoint
    for refused in (
        lambda: billing.event_summaries.list(checkpoint=cursor),
        lambda: billing.accounts.list(checkpoint=offset),
        lambda: users.accounts.list(checkpoint=cursor),
        lambda: users.accounts.list(checkpoint=entity),
        lambda: users.entities.list("/user/{userId}/groups", user_id="u2", checkpoint=entity),
        lambda: users.entities.list("/user/groups", checkpoint=entity),
    ):
        with pytest.raises(InvalidArgumentError, match="another list"):
            refused()


def named(group: Group, name: str) -> dict[str, Any]:
    """Return client options with an environment of this name. All environments of this file share one base URL."""
    address = {"billing": "base_url", "user_mgmt": "user_mgmt_url"}[group]
    return {"environment": Environment(name=name, **{address: URL[group]}, **CREDENTIALS[group])}


def checkpoint_after_one_item(group: Group, options: dict[str, Any], run: Run) -> str:
    """Read one item of a list, and return the checkpoint after it."""
    found: list[str] = []

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        iterator = run.iterator(pager)
        await run.following(iterator)
        found.append(pager.checkpoint)

    service = cursor_service() if group == "billing" else offset_service()
    run(group, story, transport=service, **options)
    return found[0]


@hazard("H215")
@pytest.mark.parametrize("group", ["billing", "user_mgmt"])
def test_a_checkpoint_of_another_environment_is_refused(group: Group, run: Run) -> None:
    checkpoint = checkpoint_after_one_item(group, named(group, "staging"), run)
    production = run.client(group, **named(group, "production"))
    for made in (production, production.with_raw_response, production.prepare):
        with pytest.raises(InvalidArgumentError) as caught:
            made.accounts.list(checkpoint=checkpoint)
        assert str(caught.value) == (
            "checkpoint belongs to the environment 'staging', and this client to 'production'; "
            "use a client for the environment of the checkpoint"
        )
        assert caught.value.outcome == "not_sent"
    assert run.client(group, **named(group, "staging")).accounts.list(checkpoint=checkpoint).checkpoint == checkpoint


@pytest.mark.parametrize("group", ["billing", "user_mgmt"])
def test_a_client_without_an_environment_accepts_any_checkpoint_and_keeps_its_environment(
    group: Group, run: Run
) -> None:
    checkpoint = checkpoint_after_one_item(group, named(group, "staging"), run)
    passed_on = run.client(group).accounts.list(checkpoint=checkpoint).checkpoint
    with pytest.raises(InvalidArgumentError, match="environment 'staging'"):
        run.client(group, **named(group, "production")).accounts.list(checkpoint=passed_on)
    nameless = checkpoint_after_one_item(group, {}, run)
    run.client(group, **named(group, "production")).accounts.list(checkpoint=nameless)


@pytest.mark.parametrize("start", [{"starting_after": "a"}, {"ending_before": "a"}])
def test_a_checkpoint_and_a_starting_point_exclude_each_other(start: dict[str, str], run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="checkpoint can't be combined with"):
        run.client("billing").accounts.list(checkpoint=checkpoint_of(run), **start)
    with pytest.raises(InvalidArgumentError, match="checkpoint can't be combined with"):
        run.client("user_mgmt").accounts.list(checkpoint=checkpoint_of(run, "user_mgmt"), offset=5)


@looped("wrong", ["", "x", "WyIxIl0", "ä", "=", "W10", "\n", 5, b"WyIxIl0", ["x"], "{}", "e30"])
def test_a_value_that_is_not_a_checkpoint_is_refused(wrong: Any, run: Run) -> None:
    for group in ("billing", "user_mgmt"):
        with pytest.raises(InvalidArgumentError, match="checkpoint"):
            run.client(group).accounts.list(checkpoint=wrong)


@pytest.mark.parametrize("group", ["billing", "user_mgmt"])
def test_a_checkpoint_with_one_character_changed_is_refused(group: Any) -> None:
    run = Run("blocking")
    client = run.client(group, transport=cursor_service() if group == "billing" else offset_service())
    pager = client.accounts.list()
    pager.take(5)
    checkpoint = pager.checkpoint
    for place, old in enumerate(checkpoint):
        for new in "AZz09-_":
            if new == old:
                continue
            forged = checkpoint[:place] + new + checkpoint[place + 1 :]
            with pytest.raises(InvalidArgumentError, match="checkpoint"):
                client.accounts.list(checkpoint=forged)
    for forged in (checkpoint[:-1], checkpoint[1:], checkpoint + "A", checkpoint * 2):
        with pytest.raises(InvalidArgumentError, match="checkpoint"):
            client.accounts.list(checkpoint=forged)


@given(
    cursor=st.none() | st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40),
    taken=st.integers(0, 10**6),
    email=st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40),
)
def test_a_checkpoint_keeps_any_position_of_a_cursor_list(cursor: str | None, taken: int, email: str) -> None:
    listing = cursor_list("/accounts", item=Account, paging=ByCursor(), filters=((Wire("accounts_email"), email),))
    position = Position(cursor, taken)
    assert listing.resume(listing.checkpoint(position)).start == position


@given(offset=st.integers(0, 10**12), user=st.text(alphabet="abc-", min_size=1))
def test_a_checkpoint_keeps_any_position_of_an_offset_list(offset: int, user: str) -> None:
    assume(user not in (".", ".."))
    listing = offset_list("/user/{userId}/accounts", user, item=AccountAssociation, paging=ByOffset())
    assert listing.resume(listing.checkpoint(Position(offset))).start == Position(offset)


@given(st.text(max_size=60) | st.text(alphabet="WyIxIiwiZDJmNTk3MWViOTY5NzgwOSIsbnVsbCwwXQ-_=", max_size=60))
def test_any_other_text_is_refused(text: str) -> None:
    listing = cursor_list("/accounts", item=Account, paging=ByCursor())
    assume(text != listing.checkpoint(Position()))
    with pytest.raises(InvalidArgumentError, match="checkpoint"):
        listing.resume(text)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.integers(0, 11))
def test_a_list_that_stops_anywhere_and_is_resumed_is_complete(sizes: list[int], taken: int) -> None:
    def cycle() -> Iterator[int]:
        while True:
            yield from sizes

    with BillingClient(
        base_url="https://b.test", api_user="u", api_key="k", transport=cursor_service(cycle())
    ) as client:
        pager = client.accounts.list()
        got = names(pager.take(taken))
        assert got + names(client.accounts.list(checkpoint=pager.checkpoint)) == IDS


def test_the_offset_of_a_moved_list_is_kept(run: Run) -> None:
    service = Service(array(1, 2, 3, total=5), array(3, 4, 5, total=6), array(5, total=6))

    async def story(client: Any) -> None:
        pager = client.accounts.list(size=3)
        iterator = run.iterator(pager)
        got = [(await run.following(iterator)).id for _ in range(4)]
        assert got == [1, 2, 3, 4]
        await run.finish(client.accounts.list(size=3, checkpoint=pager.checkpoint))

    run("user_mgmt", story, transport=service)
    assert [dict(sent.query)["offset"] for sent in service.sent] == ["0", "3", "5"]


def test_another_client_of_group_c_resumes_from_the_checkpoint(run: Run) -> None:
    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=offset_service()) as client:
        pager = client.accounts.list(offset=2, size=3)
        assert names(pager.take(4)) == [2, 3, 4, 5]
        checkpoint = pager.checkpoint
    rest = run(
        "user_mgmt", lambda other: other.accounts.list(size=3, checkpoint=checkpoint), transport=offset_service()
    )
    assert names(rest) == [6, 7, 8, 9, 10]


# The page size matters if a checkpoint counts the items of a page


@looped("taken", range(1, 6))
@looped("limit", [1, 2, 3, 10, None])
def test_a_list_that_is_read_backwards_resumes_with_its_own_page_size(taken: int, limit: int | None) -> None:
    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=cursor_service()) as client:
        pager = client.accounts.list(ending_before="a06", limit=3)
        got = [account.id for account in pager.take(taken)]
        if limit not in (3, None):
            with pytest.raises(InvalidArgumentError, match="limit=3"):
                client.accounts.list(checkpoint=pager.checkpoint, limit=limit)
        else:
            got += [account.id for account in client.accounts.list(checkpoint=pager.checkpoint, limit=limit)]
            assert sorted(str(each) for each in got) == IDS[:6]


def test_a_list_of_unknown_page_size_is_resumed_without_one() -> None:
    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=cursor_service()) as client:
        pager = client.accounts.list(ending_before="a06")
        got = [account.id for account in pager.take(2)]
        with pytest.raises(InvalidArgumentError, match="without limit"):
            client.accounts.list(checkpoint=pager.checkpoint, limit=3)
        got += [account.id for account in client.accounts.list(checkpoint=pager.checkpoint)]
        assert sorted(str(each) for each in got) == IDS[:6]


# Forged checkpoints: anyone can compute the checksum


def forged(listing: Any, *parts: object) -> str:
    value = json.dumps([listing.fingerprint, *parts]).encode()
    return base64.urlsafe_b64encode(blake2b(value, digest_size=6).digest() + value).decode().rstrip("=")


WRONG_PARTS = [
    ["offset", 10**30, 0, None],
    ["offset", 2**63, 0, None],
    ["offset", -1, 0, None],
    ["offset", 1.5, 0, None],
    ["offset", True, 0, None],
    ["offset", None, 0, None],
    ["offset", "5", 0, None],
    ["offset", 5, 10**30, None],
    ["offset", 5, 1, None],
    ["starting_after", 5, 0, None],
    ["starting_after", "a", -1, None],
    ["starting_after", "a", 10**30, None],
    ["starting_after", "a", 1, "101"],
    ["starting_after", "a", 1, "0"],
    ["starting_after", "a", 1, "x"],
    ["starting_after", "a", 1, "9" * 5000],
    ["starting_after", "a", 1, 5],
    ["starting_after", "a", 1, None, 5],
    ["starting_after", ["a"], 0, None],
    ["sideways", "a", 0, None],
    [None, "a", 0, None],
    ["starting_after", "a"],
    ["starting_after", "a", 0, None, None, 5],
    ["starting_after", "a", 0, None, None, "no name"],
    ["starting_after", "a", 0, None, None, "staging", None],
]


@looped("parts", WRONG_PARTS)
@looped("kind", ["cursor", "offset"])
def test_a_forged_checkpoint_is_refused(parts: list[object], kind: str) -> None:
    listing: Any = cursor_list("/accounts", item=Account, paging=ByCursor())
    if kind == "offset":
        listing = offset_list("/user/accounts", item=AccountAssociation, paging=ByOffset())
    with pytest.raises(InvalidArgumentError, match="checkpoint is damaged"):
        listing.resume(forged(listing, *parts))


@given(
    parts=st.lists(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
        | st.sampled_from(["starting_after", "ending_before", "offset"]),
        min_size=3, max_size=7,
    )
)  # fmt: skip
def test_any_forged_checkpoint_is_refused_or_read(parts: list[object]) -> None:
    for listing in (
        cursor_list("/accounts", item=Account, paging=ByCursor()),
        offset_list("/users", item=AccountAssociation, paging=ByOffset()),
    ):
        with contextlib.suppress(InvalidArgumentError):
            listing.resume(forged(listing, *parts)).operation_at(None)  # type: ignore[attr-defined]  # both have it


def test_a_deeply_nested_checkpoint_is_refused() -> None:
    listing = cursor_list("/accounts", item=Account, paging=ByCursor())
    value = b"[" * 100_000 + b"]" * 100_000
    text = base64.urlsafe_b64encode(blake2b(value, digest_size=6).digest() + value).decode().rstrip("=")
    with pytest.raises(InvalidArgumentError, match="checkpoint is damaged"):
        listing.resume(text)
