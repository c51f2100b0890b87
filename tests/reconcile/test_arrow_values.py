"""Values of Arrow that Python can't hold are refused by row and column (H435)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from kit.calls import Run, Service, page
from reconcile.kit import now, opened, story
from subscribekit.errors import InvalidArgumentError
from subscribekit.reconcile import Counts

pytestmark = pytest.mark.hazard("H435")
S1 = {"object": "Subscription", "id": "s1", "ends": "2026-03-01T10:00:00.000005Z"}
ENDS = datetime(2026, 3, 1, 10, 0, 0, 5, tzinfo=UTC)
NANOSECONDS = pa.timestamp("ns", "UTC")
NOT_UTF_8 = pa.Array.from_buffers(
    pa.string(), 1, [None, pa.py_buffer(bytes([0, 0, 0, 0, 1, 0, 0, 0])), pa.py_buffer(b"\xff")]
)
WRONG = {
    "nanoseconds": pa.array([1_001], NANOSECONDS),
    "nanoseconds in a list": pa.array([[1_001]], pa.list_(NANOSECONDS)),
    "nanoseconds in a struct": pa.array([{"a": 1_001}], pa.struct([("a", NANOSECONDS)])),
    "after the year 9999": pa.array([400_000_000_000], pa.timestamp("s", "UTC")),
    "after the year 9999 elsewhere": pa.array([253_402_300_799], pa.timestamp("s", "Asia/Tokyo")),
    "before the year 1": pa.array([-400_000_000_000], pa.timestamp("s", "UTC")),
    "a day after the year 9999": pa.array([2**30], pa.date32()),
    "an unknown time zone": pa.array([0], pa.timestamp("s", "Mars/Olympus")),
    "a time of day": pa.array([1], pa.time64("ns")),
    "a text that isn't UTF-8": NOT_UTF_8,
}


async def _each(rows: Any) -> AsyncIterator[Any]:
    for row in rows:
        yield row


def _table(name: str) -> pa.Table:
    """Return a table of three batches. The wrong value is in row 4, which is the second row of the last batch."""
    wrong = WRONG[name]
    missing = pa.nulls(1, wrong.type)
    return pa.table(
        {"id": ["s1", "s2", "s3", "s4"], "c": pa.chunked_array([missing, missing, pa.concat_arrays([missing, wrong])])}
    )


SOURCES: dict[str, Callable[[pa.Table], Any]] = {
    "table": lambda table: table,
    "batches": lambda table: table.to_batches(),
    "mappings before": lambda table: [*table.slice(0, 2).to_pylist(), *table.slice(2).to_batches()],
}


async def _refusal(run: Run, tmp_path: Path, rows: Any) -> InvalidArgumentError:
    pager = run.client("billing", transport=Service(page(S1))).subscriptions.list()
    async with opened(run, tmp_path / "n.db", pager, fields={"ends": "c"}) as check:
        await now(check.read())
        await now(check.compare([{"id": "s1", "c": ENDS}]))
        with pytest.raises(InvalidArgumentError) as caught:
            await now(check.compare(rows))
        assert await now(check.counts()) == Counts(1, 0, 0, 0, 0)
    return caught.value


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", WRONG)
def test_a_value_that_python_cannot_hold_is_refused_by_row_and_column(
    run: Run, tmp_path: Path, name: str, source: str
) -> None:
    refusal = story(run, lambda: _refusal(run, tmp_path, SOURCES[source](_table(name))))
    assert str(refusal).startswith("row 4: column 'c': Python can't hold this value of the Arrow type ")
    assert refusal.__context__ is None


def test_a_value_in_a_batch_that_comes_asynchronously_is_refused_by_row_and_column(tmp_path: Path) -> None:
    run = Run("async")
    refusal = story(run, lambda: _refusal(run, tmp_path, _each(_table("nanoseconds").to_batches())))
    assert str(refusal).startswith("row 4: column 'c': Python can't hold this value of the Arrow type timestamp[ns, ")


@pytest.mark.parametrize("unit", ["us", "ns"])
def test_a_time_of_whole_microseconds_is_compared_in_any_unit(run: Run, tmp_path: Path, unit: str) -> None:
    async def scenario() -> None:
        pager = run.client("billing", transport=Service(page(S1))).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"ends": "c"}) as check:
            await now(check.read())
            await now(check.compare(pa.table({"id": ["s1"], "c": pa.array([ENDS], pa.timestamp(unit, "UTC"))})))
            assert await now(check.counts()) == Counts(1, 0, 0, 0, 0)

    story(run, scenario)


def test_an_error_of_a_batch_whose_values_can_all_be_read_is_raised_unchanged(run: Run, tmp_path: Path) -> None:
    class Interrupted:
        schema = pa.schema([("id", pa.string())])
        columns = (pa.array(["s1"]),)

        def to_pylist(self) -> list[Any]:
            raise InterruptedWithinArrowError

    async def scenario() -> None:
        pager = run.client("billing", transport=Service(page(S1))).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, fields={"ends": "c"}) as check:
            await now(check.read())
            with pytest.raises(InterruptedWithinArrowError):
                await now(check.compare([Interrupted()]))

    story(run, scenario)


class InterruptedWithinArrowError(ValueError):
    """An error that a signal handler raises while Arrow converts values."""
