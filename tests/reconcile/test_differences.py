"""A comparison finds the differences, checks each of them again, and sends only reads (H283)."""

from __future__ import annotations

import csv
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kit.calls import Run, Service, answer, page
from reconcile.kit import client_of, differences, now, opened, rows_of, story
from subscribekit import AsyncBillingClient, BillingClient
from subscribekit.errors import InvalidArgumentError, NotFoundError, SubscribekitError
from subscribekit.reconcile import Counts, ReconcileError
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import server_error

pytestmark = pytest.mark.hazard("H283")


def with_differences(sandbox: Sandbox) -> list[dict[str, Any]]:
    """Return rows with each kind of difference."""
    rows = {row["id"]: row for row in rows_of(sandbox)}
    rows["sub-basic-0001"]["state"] = "Cancelled"
    rows["sub-cancelled-0005"]["ends_at"] = datetime(2020, 1, 1, tzinfo=UTC)
    del rows["sub-premium-0002"]
    return [*rows.values(), {"id": "sub-unknown", "state": "Active", "ends_at": None, "products": None}]


def test_each_kind_of_difference_is_found_once_and_only_reads_are_sent(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = with_differences(sandbox)

    async def scenario() -> None:
        pager = client_of(run, sandbox).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager) as check:
            await now(check.read())
            await now(check.compare(rows))
            assert await now(check.counts()) == Counts(5, 1, 1, 2)
            before = len(sandbox.requests)
            found = {each.key: each for each in await differences(run, check)}
            assert len(sandbox.requests) - before == 4  # one read for each key that differs
            assert await now(check.counts()) == Counts(5, 1, 1, 2)
            assert {key: each.kind for key, each in found.items()} == {
                "sub-basic-0001": "differs", "sub-cancelled-0005": "differs", "sub-premium-0002": "remote_only",
                "sub-unknown": "local_only",
            }  # fmt: skip
            differs = found["sub-basic-0001"]
            assert (differs.field, differs.local, differs.remote) == ("status", "Cancelled", "Active")
            assert differs.resource is not None
            assert differs.resource.id == "sub-basic-0001"
            assert found["sub-cancelled-0005"].local == datetime(2020, 1, 1, tzinfo=UTC)
            assert found["sub-premium-0002"].resource is not None
            assert found["sub-unknown"].resource is None

    story(run, scenario)
    assert {request.method for request in sandbox.requests} == {"GET"}


def test_a_correct_table_has_no_differences_in_any_order(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = rows_of(sandbox)[::-1]

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare(iter(rows)))
            assert await differences(run, check) == []
            assert await now(check.counts()) == Counts(equal=len(rows))
            assert await now(check.report(tmp_path / "d.csv")) == 0

    story(run, scenario)


def test_a_change_during_the_read_is_no_difference_and_the_newest_value_is_reported(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = with_differences(sandbox)

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare(rows))
            store = sandbox.service.store["subscriptions"]
            by_id = {str(each["id"]): each for each in store}
            by_id["sub-basic-0001"]["status"] = "Cancelled"  # now the same as in the row
            by_id["sub-cancelled-0005"]["ends"] = "2021-01-01T00:00:00Z"  # changed, but still not the value of the row
            (found,) = [each for each in await differences(run, check) if each.kind == "differs"]
            assert (found.key, found.remote) == ("sub-cancelled-0005", datetime(2021, 1, 1, tzinfo=UTC))
            assert await now(check.counts()) == Counts(5, 1, 1, 1, 1)

    story(run, scenario)


def test_a_row_whose_resource_appears_and_a_resource_that_vanishes_are_no_differences(run: Run, tmp_path: Path) -> None:
    service = Service(
        page({"object": "Subscription", "id": "s1", "status": "Active"}),
        page_of_one("s2", "Active"),
        gone(),
    )
    rows = [{"id": "s2", "state": "Active"}]

    async def scenario() -> None:
        client = run.client("billing", transport=service)
        pager = client.subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"status": "state"}, concurrency=1) as check:
            await now(check.read())
            await now(check.compare(rows))
            service.answers.reverse()  # s1 is checked first
            assert await differences(run, check) == []
            assert await now(check.counts()) == Counts(changed_meanwhile=2)

    story(run, scenario)


def page_of_one(key: str, status: str) -> Any:
    return answer({"object": "Subscription", "id": key, "status": status})


def gone() -> Any:
    return answer({"object": "Error", "code": 404, "message": "Not found."}, 404)


def test_a_404_of_a_proxy_does_not_prove_that_a_resource_is_absent(run: Run, tmp_path: Path) -> None:
    service = Service(page(), answer(b"<html>", 404, content_type="text/html"))

    async def scenario() -> None:
        pager = run.client("billing", transport=service).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"status": "state"}) as check:
            await now(check.read())
            await now(check.compare([{"id": "s1", "state": "Active"}]))
            with pytest.raises(NotFoundError):
                await differences(run, check)

    story(run, scenario)


def test_a_key_that_is_a_vid_of_the_service_is_local_only(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    first = next(iter(sandbox.billing().subscriptions.list()))
    row = {"id": first.vid, "state": "Active", "ends_at": None, "products": None}

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare([*rows_of(sandbox), row]))
            (found,) = await differences(run, check)
            assert (found.key, found.kind) == (first.vid, "local_only")

    story(run, scenario)


@pytest.mark.parametrize("key", ["a/b", "x" * 200, "Ünïcødé 🎟", "  ", "%2e%2e"])
def test_a_key_that_no_resource_can_have_is_local_only(run: Run, tmp_path: Path, key: str) -> None:
    sandbox = Sandbox()

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            row = {"id": key, "state": None, "ends_at": None, "products": []}
            await now(check.compare([*rows_of(sandbox), row]))
            (found,) = await differences(run, check)
            assert (found.key, found.kind) == (key, "local_only")

    story(run, scenario)


def test_a_list_with_filters_is_read_again_once_for_all_differences(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    account = next(each.account.id for each in sandbox.billing().subscriptions.list() if each.account)
    mine = [each.id for each in sandbox.billing().subscriptions.list(account=account)]
    other = next(row for row in rows_of(sandbox) if row["id"] not in mine)

    async def scenario() -> None:
        pager = client_of(run, sandbox).subscriptions.list(account=account)
        async with opened(run, tmp_path / "n.db", pager, fields={"status": "state"}) as check:
            await now(check.read())
            await now(check.compare([{"id": mine[0], "state": "X"}, other]))
            before = len(sandbox.requests)
            found = await differences(run, check)
            assert {each.path for each in sandbox.requests[before:]} == {"/subscriptions"}
            kinds = {each.key: each.kind for each in found}
            assert kinds == {mine[0]: "differs", other["id"]: "local_only", **dict.fromkeys(mine[1:], "remote_only")}

    story(run, scenario)


def test_an_offset_list_and_another_key_are_compared_by_reading_again(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    client = sandbox.user_mgmt() if run.style == "blocking" else sandbox.async_user_mgmt()
    known = sandbox.user_mgmt().accounts.list().to_list()

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client.accounts.list(), key="id", fields={"type": "type"}) as check:
            await now(check.read())
            rows: list[dict[str, Any]] = [{"id": each.id, "type": each.type} for each in known]
            await now(check.compare(rows))
            assert await differences(run, check) == []
            rows[0]["type"] = "x"
            await now(check.compare([*rows, {"id": 987654321, "type": None}]))
            assert {each.kind for each in await differences(run, check)} == {"differs", "local_only"}

    story(run, scenario)


def test_a_difference_under_another_key_than_id_is_found(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = [{"vid": each.vid, "status": each.status} for each in sandbox.billing().subscriptions.list()]
    rows[0]["status"] = "X"

    async def scenario() -> None:
        client = client_of(run, sandbox)
        async with opened(
            run, tmp_path / "v.db", client.subscriptions.list(), key="vid", fields={"status": "status"}
        ) as c:
            await now(c.read())
            await now(c.compare(rows))
            (found,) = await differences(run, c)
            assert found.key == rows[0]["vid"]

    story(run, scenario)


def test_after_a_failure_the_next_call_returns_all_differences(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = with_differences(sandbox)
    sandbox.faults.add("subscriptions.retrieve", server_error(501))

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare(rows))
            with pytest.raises(SubscribekitError):
                await differences(run, check)
            assert len(await differences(run, check)) == 4

    story(run, scenario)


def test_a_report_checks_differences_again_only_once_and_contains_no_formula(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = with_differences(sandbox)
    rows[0]["state"] = "=HYPERLINK(1)"
    rows.append({"id": "@evil", "state": None, "ends_at": None, "products": None})

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare(rows))
            assert await now(check.report(tmp_path / "d.csv")) == 5
            sent = len(sandbox.requests)
            assert await now(check.report(tmp_path / "d.csv")) == 5
            assert len(sandbox.requests) == sent

    story(run, scenario)
    with (tmp_path / "d.csv").open(newline="") as file:
        written = {row["key"]: row for row in csv.DictReader(file)}
    assert "'@evil" in written
    assert written["sub-basic-0001"]["local"] == "'=HYPERLINK(1)"
    assert stat.S_IMODE((tmp_path / "d.csv").stat().st_mode) == 0o600


def test_personal_values_are_masked_without_include_personal(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    known = sandbox.billing().accounts.list().to_list()
    rows = [{"id": each.id, "mail": each.email} for each in known]
    rows[0]["mail"] = "somebody@else.example"

    async def scenario() -> None:
        pager = client_of(run, sandbox).accounts.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"email": "mail"}) as check:
            await now(check.read())
            await now(check.compare(rows))
            (found,) = await differences(run, check)
            assert found.local == "somebody@else.example"
            assert "else" not in repr(found)
            assert str(known[0].email) not in repr(found)
            await now(check.report(tmp_path / "d.csv"))
            assert "***" in (tmp_path / "d.csv").read_text()
            assert "else" not in (tmp_path / "d.csv").read_text() + check._repr_html_()
            await now(check.report(tmp_path / "d.csv", include_personal=True))
            assert "somebody@else.example" in (tmp_path / "d.csv").read_text()

    story(run, scenario)


def test_a_complete_list_is_kept_until_it_is_reset(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            sent = len(sandbox.requests)
            await now(check.read())
            assert len(sandbox.requests) == sent
            await now(check.compare(rows_of(sandbox)))
            await now(check.reset())
            with pytest.raises(InvalidArgumentError, match="call read"):
                await now(check.compare([]))
            with pytest.raises(InvalidArgumentError, match="call compare"):
                await now(check.counts())
            await now(check.read())

    story(run, scenario)


def test_progress_is_reported_for_each_page_and_at_the_end(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sandbox = Sandbox()
    reported: list[tuple[int, int | None]] = []

    async def scenario() -> None:
        pager = client_of(run, sandbox).subscriptions.list(limit=3)
        async with opened(run, tmp_path / "n.db", pager) as check:
            await now(check.read(progress=lambda read, total: reported.append((read, total))))
            with pytest.raises(InvalidArgumentError, match="progress"):
                await now(check.read(progress=1))
            await now(check.reset())
            await now(check.read(progress=True))

    story(run, scenario)
    assert reported[0] == (3, 8)
    assert reported[-1] == (8, 8)
    assert capsys.readouterr().err.endswith("8 of 8 read\n")


def test_rows_that_fail_do_not_change_the_earlier_comparison(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = rows_of(sandbox)

    def broken() -> Iterator[dict[str, Any]]:
        yield rows[0]
        raise OSError("the database went away")

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare(rows))
            for bad, error in (
                (broken(), OSError),
                ([rows[0], rows[0]], InvalidArgumentError),
                ([{}], InvalidArgumentError),
            ):
                with pytest.raises(error):
                    await now(check.compare(bad))
                assert await now(check.counts()) == Counts(equal=len(rows))
            await now(check.compare([]))
            assert await now(check.counts()) == Counts(remote_only=len(rows))

    story(run, scenario)


def test_wrong_pagers_and_options_are_refused_before_a_file_is_created(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    file = tmp_path / "n.db"

    async def scenario() -> None:
        client = client_of(run, sandbox)
        other = Run("async" if run.style == "blocking" else "blocking")
        for pager in (
            client.subscriptions.list(max_pages=1), client.subscriptions.list(starting_after="a"), [], client,
            client.with_raw_response.subscriptions.list(), client_of(other, sandbox).subscriptions.list(),
        ):  # fmt: skip
            with pytest.raises(InvalidArgumentError, match=r"^pager must (be|read the whole list)"):
                async with opened(run, file, pager):
                    pass
        for options, sentence in (
            ({"key": "idd"}, "did you mean 'id'"),
            ({"key": "items[].id"}, "key must be a field"),
            ({"key": "created"}, "key must be a field"),
            ({"fields": {"stats": "x"}}, "did you mean 'status'"),
            ({"fields": {"account": "x"}}, "is an object of class Account"),
            ({"fields": {"items.id": "x"}}, r"write items\[\]"),
            ({"fields": {"status[]": "x"}}, "isn't a list"),
            ({"fields": {"status.x": "x"}}, "isn't an object"),
            ({"fields": {"": "x"}}, "path of names"),
            ({"fields": {"status": 5}}, "must be a column"),
            ({"fields": ["status"]}, "mapping of paths"),
            ({"compare_scale": 1}, "compare_scale must be"),
            ({"concurrency": 0}, "concurrency must be"),
        ):
            with pytest.raises(InvalidArgumentError, match=sentence):
                async with opened(run, file, client.subscriptions.list(), **options):
                    pass

    story(run, scenario)
    assert not file.exists()
    assert sandbox.requests == []


def test_two_resources_with_one_key_and_a_resource_without_it_are_named(run: Run, tmp_path: Path) -> None:
    twice = [{"object": "Account", "id": f"a{n}", "external_id": "e1"} for n in (1, 2)]
    none = {"object": "Account", "id": "a3"}

    async def scenario(items: list[Any], sentence: str) -> None:
        service = Service(page(*items))
        pager = run.client("billing", transport=service).accounts.list()
        file = tmp_path / f"{len(items)}.db"
        async with opened(run, file, pager, key="external_id", fields={"default_currency": "c"}) as check:
            with pytest.raises(ReconcileError, match=sentence):
                await now(check.read())

    story(run, lambda: scenario(twice, "two resources of accounts.list have the same 'external_id'"))
    story(run, lambda: scenario([none], "Account 'a3' has no 'external_id'"))


def test_a_list_that_fails_in_the_middle_resumes_where_it_stopped(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    pages: list[int] = []

    def is_third(request: Any) -> bool:
        pages.append(1)
        return len(pages) == 3

    sandbox.faults.add(is_third, server_error(501))

    async def scenario() -> None:
        for attempt in range(2):
            pager = client_of(run, sandbox).subscriptions.list(limit=2)
            async with opened(run, tmp_path / "n.db", pager) as check:
                if attempt == 0:
                    with pytest.raises(SubscribekitError) as caught:
                        await now(check.read())
                    assert caught.value.checkpoint is not None
                    continue
                await now(check.read())
                sent = len(sandbox.requests)
                await now(check.compare(rows_of(sandbox)))
                assert await now(check.counts()) == Counts(equal=8)
                assert sent == 6

    story(run, scenario)


@pytest.mark.hazard("H246")
def test_a_read_only_client_compares(run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    rows = with_differences(sandbox)
    made: Any = BillingClient if run.style == "blocking" else AsyncBillingClient

    async def scenario() -> None:
        client = made(environment=sandbox.environment, read_only=True)
        async with opened(run, tmp_path / "n.db", client.subscriptions.list()) as check:
            await now(check.read())
            await now(check.compare(rows))
            assert len(await differences(run, check)) == 4
            assert await now(check.counts()) == Counts(5, 1, 1, 2)

    before = len(sandbox.requests)
    story(run, scenario)
    assert {request.method for request in sandbox.requests[before:]} == {"GET"}
