"""IDs that can't be in a URL path, that repeat, or that a spreadsheet could run as a formula (H433, H437, H438)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from kit.calls import Run, Service, answer, page
from reconcile.kit import client_of, differences, now, opened, rows_of, story
from subscribekit._csv import safe_text, without_apostrophe
from subscribekit.errors import InvalidArgumentError
from subscribekit.reconcile import Counts, ReconcileError
from subscribekit.sandbox import Sandbox

FIELDS = {"status": "state"}
STRANGE = ["shop/4711", "50%", "a?b", "..", "x" * 129]


def subscription(key: str, vid: str | None = None, status: str = "Active") -> dict[str, Any]:
    """Return a subscription as the service sends it."""
    return {"object": "Subscription", "id": key, "status": status, **({} if vid is None else {"vid": vid})}


@pytest.mark.hazard("H433")
@pytest.mark.parametrize("key", STRANGE[:-1])  # the sandbox doesn't accept the last one as a cursor
def test_a_resource_whose_id_cannot_be_in_a_path_is_read_again_by_its_vid(run: Run, tmp_path: Path, key: str) -> None:
    sandbox = Sandbox()
    sandbox.service.store.add("subscriptions", {"id": key, "status": "Active", "items": []})
    added = next(each for each in sandbox.billing().subscriptions.list() if each.id == key)
    rows = [row for row in rows_of(sandbox) if row["id"] != key]

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list(), fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare(rows))
            before = len(sandbox.requests)
            assert [(each.key, each.kind) for each in await differences(run, check)] == [(key, "remote_only")]
            await now(check.compare([*rows, {"id": key, "state": "Cancelled"}]))
            (found,) = await differences(run, check)
            assert (found.key, found.kind, found.remote) == (key, "differs", "Active")
            assert {each.path for each in sandbox.requests[before:]} == {f"/subscriptions/{added.vid}"}

    story(run, scenario)


@pytest.mark.hazard("H433")
@pytest.mark.parametrize("key", STRANGE)
@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([], "remote_only"),
        (["Cancelled"], "differs"),
        (["Active"], None),
    ],
)
def test_without_a_vid_the_list_is_read_again(
    run: Run, tmp_path: Path, key: str, rows: list[str], kind: str | None
) -> None:
    reads = [] if kind is None else [page(subscription(key))]
    service = Service(page(subscription(key)), *reads)

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare([{"id": key, "state": state} for state in rows]))
            assert [each.kind for each in await differences(run, check)] == ([] if kind is None else [kind])

    story(run, scenario)
    assert {sent.path for sent in service.sent} == {"/rest/subscriptions"}


@pytest.mark.hazard("H433")
def test_a_row_whose_id_cannot_be_in_a_path_is_local_only_unless_the_list_has_it_now(run: Run, tmp_path: Path) -> None:
    service = Service(page(), page(subscription("shop/1")))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare([{"id": f"shop/{number}", "state": "Active"} for number in (1, 2)]))
            assert [(each.key, each.kind) for each in await differences(run, check)] == [("shop/2", "local_only")]
            assert await now(check.counts()) == Counts(local_only=1, changed_meanwhile=1)

    story(run, scenario)


@pytest.mark.hazard("H433")
def test_a_resource_with_another_key_is_read_again_by_its_vid(run: Run, tmp_path: Path) -> None:
    account = {"object": "Account", "id": "a/1", "vid": "v1", "external_id": "e1", "default_currency": "EUR"}
    service = Service(page(account), answer(account))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).accounts.list()
        async with opened(run, tmp_path / "n.db", pager, key="external_id", fields={"default_currency": "c"}) as check:
            await now(check.read())
            await now(check.compare([{"external_id": "e1", "c": "USD"}]))
            assert [(each.key, each.kind) for each in await differences(run, check)] == [("e1", "differs")]

    story(run, scenario)
    assert service.sent[1].path == "/rest/accounts/v1"


@pytest.mark.hazard("H433")
def test_a_read_that_the_sdk_refuses_ends_the_iteration(run: Run, tmp_path: Path) -> None:
    """The error must not count as the absence of the resource."""

    def refuse(request: object) -> None:
        raise InvalidArgumentError("refused")

    service = Service(page(subscription("s1")))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare([]))
            check._core.__dict__["_retrieve"] = refuse
            with pytest.raises(InvalidArgumentError, match="refused"):
                await differences(run, check)

    story(run, scenario)


@pytest.mark.hazard("H437")
@pytest.mark.parametrize("apart", ["on one page", "on two pages"])
def test_two_resources_with_one_id_are_refused_by_name(run: Run, tmp_path: Path, apart: str) -> None:
    plans = [{"object": "BillingPlan", "id": "gold", "vid": f"v{number}", "status": "Active"} for number in (1, 2)]
    lists = [page(*plans)]
    if apart == "on two pages":
        lists = [page(plans[0], next_link="/rest/billing_plans?starting_after=v1"), page(plans[1])]

    async def scenario() -> None:
        client = run.client("billing", transport=Service(*lists, page(*plans)))
        async with opened(run, tmp_path / "i.db", client.billing_plans.list(), fields=FIELDS) as check:
            with pytest.raises(ReconcileError, match=r"""two resources .* have the id 'gold' .*; write key="vid"$"""):
                await now(check.read())
        async with opened(run, tmp_path / "v.db", client.billing_plans.list(), key="vid", fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare([{"vid": vid, "state": "Active"} for vid in ("v1", "v2")]))
            assert await now(check.counts()) == Counts(equal=2)

    story(run, scenario)


@pytest.mark.hazard("H437")
@pytest.mark.parametrize("vids", [("v1", None), (None, "v1"), (None, None)])  # the list returns each vid only once
def test_a_resource_that_is_listed_twice_counts_once_with_its_later_content(
    run: Run, tmp_path: Path, vids: tuple[str | None, str | None]
) -> None:
    service = Service(page(subscription("s1", vids[0], "Suspended"), subscription("s1", vids[1])))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare([{"id": "s1", "state": "Active"}]))
            assert await now(check.counts()) == Counts(equal=1)

    story(run, scenario)


@pytest.mark.hazard("H437")
def test_resources_without_any_id_that_share_a_key_are_refused_by_name(run: Run, tmp_path: Path) -> None:
    summaries = [
        {"object": "EventSummary", "subscription_item": {"object": "SubscriptionItem", "id": key}} for key in "abb"
    ]

    async def scenario() -> None:
        pager = run.client("billing", transport=Service(page(*summaries))).event_summaries.list()
        async with opened(run, tmp_path / "n.db", pager, key="subscription_item.id", fields={}) as check:
            with pytest.raises(ReconcileError, match=r"have the same 'subscription_item.id', 'b'; choose another key"):
                await now(check.read())

    story(run, scenario)


@pytest.mark.hazard("H438")
@pytest.mark.parametrize("start", ["@", "=", "+", "-"])
def test_an_escaped_id_of_a_csv_export_matches_the_id(run: Run, tmp_path: Path, start: str) -> None:
    key = f"{start}shop"
    shown = subscription(key, status=key)
    with (tmp_path / "export.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "state"], [safe_text(key), safe_text(key)]])

    async def scenario() -> None:
        pager = run.client("billing", transport=Service(page(shown))).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=FIELDS) as check:
            await now(check.read())
            with (tmp_path / "export.csv").open(newline="", encoding="utf-8") as file:
                await now(check.compare(csv.DictReader(file)))
            assert await differences(run, check) == []
            assert await now(check.counts()) == Counts(equal=1)

    story(run, scenario)


@pytest.mark.hazard("H438")
def test_an_id_with_its_own_apostrophe_matches_before_an_escaped_id(run: Run, tmp_path: Path) -> None:
    shown = [subscription("'@a"), subscription("'@b"), subscription("@b"), subscription("'c")]
    service = Service(page(*shown), answer({"object": "Error", "code": 404, "message": "Not found."}, 404))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields=FIELDS) as check:
            await now(check.read())
            await now(check.compare([{"id": key, "state": "Active"} for key in ("'@a", "'@b", "@b", "'c", "'@d")]))
            assert [(each.key, each.kind) for each in await differences(run, check)] == [("@d", "local_only")]

    story(run, scenario)
    assert service.sent[1].path == "/rest/subscriptions/%40d"


@pytest.mark.hazard("H438")
@pytest.mark.parametrize("text", ["@a", "=1", "+", "-", "\ta", "\ra", "'@a", "'a", "a", "", "'"])
def test_the_apostrophe_of_an_export_is_removed_once(text: str) -> None:
    assert without_apostrophe(safe_text(text)) == (text if text != "'@a" else "@a")
