"""Reading a list as a table: one batch per page, resuming, columns, and refused arguments (H122)."""

from __future__ import annotations

import asyncio
import io
import sys
from typing import Any

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from export.kit import batches, page, serve, table
from kit.calls import Run, Service
from subscribekit import BillingClient
from subscribekit.errors import ConfigurationError, InvalidArgumentError, SubscribekitError
from subscribekit.export import ExportError, checkpoint_of, to_arrow

ITEMS: list[dict[str, object]] = [{"object": "Account", "id": f"a{n}"} for n in range(7)]


def accounts(client: Any) -> Any:
    return client.accounts.list(limit=2)


def ids(found: list[pa.RecordBatch]) -> list[str]:
    return [value for batch in found for value in batch.column("id").to_pylist()]


def test_to_arrow_sends_nothing_before_the_table_is_read(run: Run) -> None:
    service = Service()
    reader = to_arrow(accounts(run.client("billing", transport=service)))
    assert "id" in reader.schema.names
    assert service.sent == []


def test_each_batch_is_a_page(run: Run) -> None:
    found = batches(run, accounts, serve(ITEMS, 2))
    assert [batch.num_rows for batch in found] == [2, 2, 2, 1, 0]
    assert len({checkpoint_of(batch) for batch in found[:4]}) == 4


@pytest.mark.parametrize("kept", range(5))
def test_an_export_resumes_after_any_batch(run: Run, kept: int) -> None:
    """H122: No item is lost or repeated, even if the reader read more batches after the stored one."""
    first = batches(run, accounts, serve(ITEMS, 2))[: kept + 1]
    stored = checkpoint_of(first[-1])
    rest = batches(run, lambda client: client.accounts.list(limit=2, checkpoint=stored), serve(ITEMS, 2))
    assert ids(first) + ids(rest) == [item["id"] for item in ITEMS]


def test_each_batch_has_its_own_checkpoint(run: Run) -> None:
    """Another iteration of the same pager doesn't change the checkpoint."""

    async def story() -> list[pa.RecordBatch]:
        pager = accounts(run.client("billing", transport=serve(ITEMS, 2)))
        reader = to_arrow(pager)
        found = [await run.following(aiter(reader) if run.style == "async" else iter(reader))]
        await run.now(pager.take(5))
        return [*found, await run.following(aiter(reader) if run.style == "async" else iter(reader))]

    first, second = asyncio.run(story())
    again = batches(
        run, lambda client: client.accounts.list(limit=2, checkpoint=checkpoint_of(second)), serve(ITEMS, 2)
    )
    assert ids([first, second]) + ids(again) == [item["id"] for item in ITEMS]


def test_a_failed_page_is_read_again(run: Run) -> None:
    """H122."""
    link = "/accounts?starting_after=a1"
    service = Service(
        page("a0", "a1", next_link=link), httpx.ReadError("x"), httpx.ReadError("x"), httpx.ReadError("x"), page("a2")
    )

    async def story() -> list[pa.RecordBatch]:
        reader = to_arrow(accounts(run.client("billing", transport=service)))
        step = aiter(reader) if run.style == "async" else iter(reader)
        first = await run.following(step)
        with pytest.raises(SubscribekitError) as caught:
            await run.following(step)
        assert caught.value.checkpoint == checkpoint_of(first)
        return [first, await run.following(step)]

    assert ids(asyncio.run(story())) == ["a0", "a1", "a2"]


def test_a_page_that_cannot_be_converted_is_not_skipped(run: Run) -> None:
    """H122: Further reads raise the same error, and never return the next page."""
    bad = {"object": "Account", "id": "a2", "shipping_address": {"tax_area_identifier": 2**64}}
    service = serve([*ITEMS[:2], bad, *ITEMS[3:]], 2)

    async def story() -> None:
        reader = to_arrow(accounts(run.client("billing", transport=service)))
        step = aiter(reader) if run.style == "async" else iter(reader)
        first = await run.following(step)
        for _ in range(3):
            with pytest.raises(ExportError, match=r"shipping_address\.tax_area_identifier") as caught:
                await run.following(step)
            assert caught.value.checkpoint == checkpoint_of(first)
        assert len(service.sent) == 2

    asyncio.run(story())


def test_the_checkpoint_of_a_failed_read_all_is_the_beginning() -> None:
    """H122: A failed `read_all` of an async client returns no rows, so all pages must be read again."""
    run, service = (
        Run("async"),
        Service(page("a0", next_link="/accounts?starting_after=a0"), *[httpx.ReadError("x")] * 3),
    )
    with pytest.raises(SubscribekitError) as caught:
        table(run, accounts, service)
    rest = batches(
        run, lambda client: client.accounts.list(limit=2, checkpoint=caught.value.checkpoint), serve(ITEMS, 2)
    )
    assert ids(rest) == [item["id"] for item in ITEMS]


def test_an_interrupt_loses_nothing() -> None:
    service = Service(page("a0", next_link="/accounts?starting_after=a0"), page("a1"))
    answers, interrupted = service.answers, False

    def interrupt(sent: Any) -> Any:
        nonlocal interrupted
        if not interrupted:
            interrupted = True
            answers.insert(0, interrupt)
            raise KeyboardInterrupt
        return page("a1")

    answers[1] = interrupt
    reader = to_arrow(accounts(Run("blocking").client("billing", transport=service)))
    first = reader.read_next_batch()
    with pytest.raises(KeyboardInterrupt):
        reader.read_next_batch()
    assert ids([first, reader.read_next_batch()]) == ["a0", "a1"]


def test_all_batches_can_be_written_to_parquet() -> None:
    reader = to_arrow(BillingClient(environment="sandbox").subscriptions.list(limit=3))
    file = io.BytesIO()
    with pq.ParquetWriter(file, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
    found = pq.read_table(io.BytesIO(file.getvalue()))
    assert found.equals(to_arrow(BillingClient(environment="sandbox").subscriptions.list(limit=3)).read_all())


# Columns


def test_columns_have_the_order_of_the_argument(run: Run) -> None:
    found = table(run, accounts, Service(page("a0")), columns=["unknown_fields", "vid", "id"])
    assert found.schema.names == ["unknown_fields", "vid", "id"]
    assert found.column("id").to_pylist() == ["a0"]


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        (["idd"], "Account has no column 'idd'; did you mean 'id'?"),
        (["zzzz"], "Account has no column 'zzzz'"),
        (["id", "id"], "columns contains a name twice; list each name once"),
        (["email"], "column 'email' of Account is personal. To read personal columns, pass include_personal=True"),
        ("id", "columns must be a list"),
        ([], "columns must be a list"),
        ([5], "Account has no column 5"),
    ],
)
def test_invalid_columns_are_refused(run: Run, columns: Any, text: str) -> None:
    with pytest.raises(InvalidArgumentError, match="^" + text.replace("?", r"\?")):
        to_arrow(accounts(run.client("billing", transport=Service())), columns=columns)


def test_personal_columns_are_included_on_request(run: Run) -> None:
    item = {"object": "Account", "id": "a0", "email": "a@example.com", "metadata": {"k": "v", "n": None}}
    found = table(run, accounts, Service(page(item)), columns=["email", "metadata"], include_personal=True)
    assert found.to_pylist() == [{"email": "a@example.com", "metadata": '{"k":"v","n":null}'}]


@pytest.mark.parametrize("wrong", [None, [], "accounts", iter([])], ids=lambda value: type(value).__name__)
def test_anything_but_a_pager_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="pager must be the result of a list method"):
        to_arrow(wrong)


def test_a_raw_pager_is_refused() -> None:
    raw: Any = BillingClient(environment="sandbox").with_raw_response.accounts.list()
    with pytest.raises(InvalidArgumentError, match="pager must be"):
        to_arrow(raw)


def test_include_personal_is_true_or_false() -> None:
    wrong: Any = "no"
    with pytest.raises(InvalidArgumentError, match="personal"):
        to_arrow(BillingClient(environment="sandbox").accounts.list(), include_personal=wrong)


def test_a_table_contains_no_checkpoint() -> None:
    whole = to_arrow(BillingClient(environment="sandbox").accounts.list()).read_all()
    with pytest.raises(InvalidArgumentError, match="contains no checkpoint"):
        checkpoint_of(whole.combine_chunks().to_batches()[0])
    reader = to_arrow(BillingClient(environment="sandbox").accounts.list(limit=10))
    several: Any = pa.Table.from_batches(list(reader))  # the table has the metadata of its first batch
    with pytest.raises(InvalidArgumentError, match="contains no checkpoint"):
        checkpoint_of(several)


def test_without_pyarrow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'subscribekit\[arrow\]'"):
        to_arrow(BillingClient(environment="sandbox").accounts.list())
