"""Exports are exact, leave out personal data by default, appear only when complete, and can be resumed (H163)."""

from __future__ import annotations

import csv
import json
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cli.kit import Shell
from looped import looped
from subscribekit import BillingClient, Page
from subscribekit.cli.calls.catalogue import entries
from subscribekit.cli.exports import export
from subscribekit.cli.exports import rows as rows_module
from subscribekit.cli.exports.rows import Csv
from subscribekit.errors import ConfigurationError
from subscribekit.export._spool import Spool
from subscribekit.export._table import Table
from subscribekit.models import Model, sensitive_fields
from subscribekit.models._base import read
from subscribekit.models.billing import Account
from subscribekit.sandbox.faults import foreign_next
from subscribekit.sandbox.platform import Platform


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_csv_holds_every_item_exactly(shell: Shell, folder: Path) -> None:
    done = shell("export", "transactions", "t.csv", "--page-size", "2")
    assert done.code == 0
    assert done.err == "Wrote 9 rows to t.csv.\n"
    assert done.out == ""
    with BillingClient(environment="sandbox") as billing:
        expected = [(each.id, each.amount, each.created) for each in billing.transactions.list()]
    read = rows(folder / "t.csv")
    assert [(row["id"], Decimal(row["amount"]), datetime.fromisoformat(row["created"])) for row in read] == expected
    assert names_in(folder) == ["t.csv"]
    assert stat.S_IMODE((folder / "t.csv").stat().st_mode) == 0o600


def test_the_progress_bar_advances_after_each_page(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[int, int | None]] = []

    @contextmanager
    def bar(name: str, completed: int) -> Iterator[Callable[[int, int | None], None]]:
        assert (name, completed) == ("rows", 0)
        yield lambda read, of: shown.append((read, of))

    monkeypatch.setattr(export, "progress_bar", bar)
    assert shell("export", "accounts", "a.csv", "--page-size", "10").code == 0
    assert shown[:3] == [(10, 25), (20, 25), (25, 25)]


def test_parquet_holds_every_amount_exactly(shell: Shell, folder: Path) -> None:
    assert shell("export", "billing.transactions", "t.parquet", "--page-size", "2").code == 0
    table = pq.read_table(folder / "t.parquet")
    with BillingClient(environment="sandbox") as billing:
        assert table.column("amount").to_pylist() == [each.amount for each in billing.transactions.list()]
    assert names_in(folder) == ["t.parquet"]
    assert stat.S_IMODE((folder / "t.parquet").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_personal_columns_are_exported_only_on_request(shell: Shell, folder: Path, name: str) -> None:
    assert shell("export", "accounts", name).code == 0
    text = (folder / name).read_bytes()
    assert b"customer-0001@" not in text
    assert b"@example.com" not in text
    names = rows(folder / name)[0].keys() if name.endswith("csv") else pq.read_schema(folder / name).names
    assert not sensitive_fields(Account) & set(names)
    assert shell("export", "accounts", "b.csv", "--columns", "id,email").code == 2
    assert not (folder / "b.csv.partial").exists()
    assert shell("export", "accounts", name, "--include-personal", "--restart", "--columns", "id,email").code == 0
    assert b"customer-0001@example.com" in (folder / name).read_bytes()


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_an_export_resumes_where_it_stopped(shell: Shell, folder: Path, platform: Platform, name: str) -> None:
    whole = folder / f"whole-{name}"
    assert shell("export", "accounts", str(whole), "--page-size", "10").code == 0
    platform.faults.add("GET /accounts", foreign_next())
    stopped = shell("export", "accounts", name, "--page-size", "10")
    assert stopped.code == 1
    assert "10 rows are stored in a" in stopped.err
    assert "--checkpoint" not in stopped.err
    assert not (folder / name).exists()
    with (folder / f"{name}.partial").open("ab") as partial:
        partial.write(b"what a power failure left behind")
    done = shell("export", "accounts", name, "--page-size", "10")
    assert done.code == 0
    assert "Resuming after 10 rows" in done.err
    if name.endswith("csv"):
        assert (folder / name).read_bytes() == whole.read_bytes()
    else:
        assert pq.read_table(folder / name).equals(pq.read_table(whole))
    assert names_in(folder) == sorted([name, whole.name])


def test_ctrl_c_keeps_the_stored_rows(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = Spool.commit

    def once(self: Spool, *arguments: object) -> None:
        commit(self, *arguments)  # type: ignore[arg-type]  # passes its arguments through
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Spool, "commit", once)
        done = shell("export", "accounts", "a.csv", "--page-size", "20")
    assert done.code == 130
    assert "20 rows are stored in a.csv.partial. To resume, run the same command again." in done.err
    assert shell("export", "accounts", "a.csv", "--page-size", "20").code == 0
    assert len(rows(folder / "a.csv")) == 25


def test_an_existing_file_is_replaced_only_with_restart(shell: Shell, folder: Path) -> None:
    (folder / "a.csv").write_text("mine")
    done = shell("export", "accounts", "a.csv")
    assert done.code == 2
    assert (folder / "a.csv").read_text() == "mine"
    assert shell("export", "accounts", "a.csv", "--restart").code == 0
    assert len(rows(folder / "a.csv")) == 25


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_nightly_export_replaces_the_file_when_the_new_one_is_complete(
    shell: Shell, folder: Path, platform: Platform, name: str
) -> None:
    """Each night, the same command reads the whole list again. Yesterday's file stays until the new one is complete."""
    command = ("export", "accounts", name, "--page-size", "10", "--restart")
    assert shell(*command).code == 0
    yesterday = (folder / name).read_bytes()
    with BillingClient(environment="sandbox") as billing:
        billing.accounts.create(Account(id="zz-later"))
    platform.faults.add("GET /accounts", foreign_next())
    assert shell(*command).code == 1
    assert (folder / name).read_bytes() == yesterday
    again = shell(*command)
    assert (again.code, again.err) == (0, f"Wrote 26 rows to {name}.\n")
    assert names_in(folder) == [name]


def test_the_error_about_an_existing_file_names_restart(shell: Shell, folder: Path) -> None:
    (folder / "a.csv").write_text("mine")
    done = shell("export", "accounts", "a.csv")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[0] == (
        "a.csv exists; pass --restart to read the list again and to replace the file when the export is complete, or "
        "choose another name"
    )
    message = " ".join(shell("export", "accounts", "--help").out.split())
    assert "Start over, and replace FILE when the export is complete." in message


def test_another_export_does_not_resume_in_the_same_file(shell: Shell, folder: Path, platform: Platform) -> None:
    platform.faults.add("GET /accounts", foreign_next())
    assert shell("export", "accounts", "a.csv", "--page-size", "10", "--columns", "id").code == 1
    other = shell("export", "accounts", "a.csv", "--page-size", "10", "--columns", "id,created")
    assert other.code == 2
    assert "belongs to another export" in other.err
    state = (folder / "a.csv.partial.json").read_text()
    (folder / "a.csv.partial.json").write_text("nonsense")
    assert shell("export", "accounts", "a.csv", "--page-size", "10", "--columns", "id").code == 2
    (folder / "a.csv.partial.json").write_text(state)
    (folder / "a.csv.partial").write_bytes(b"")
    short = shell("export", "accounts", "a.csv", "--page-size", "10", "--columns", "id")
    assert "has changed since the last export" in short.err
    assert shell("export", "accounts", "a.csv", "--page-size", "10", "--columns", "id", "--restart").code == 0
    assert len(rows(folder / "a.csv")) == 25


def test_only_one_process_at_a_time_writes_a_file(folder: Path) -> None:
    """The lock works on Windows, too (H382)."""
    second = Spool(folder / "a.csv", "x").open(restart=False)
    with Spool(folder / "a.csv", "x").open(restart=False), pytest.raises(ConfigurationError, match="another process"):
        second.__enter__()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["accounts", "a.txt"], ".csv or .parquet"),
        (["acounts", "a.csv"], "Did you mean"),  # codespell:ignore
        (["accounts"], "Missing argument"),
        (["accounts", "a.csv", "--columns", "nonsense"], "no field"),
        (["accounts", "a.parquet", "--columns", "nonsense"], "no column"),
        (["accounts", "nowhere/a.csv"], "can't be written"),
        (["accounts", "a.csv", "--limit", "1"], "To set the page size, use --page-size"),
    ],
)
def test_wrong_arguments_are_refused(
    shell: Shell, folder: Path, platform: Platform, arguments: list[str], message: str
) -> None:
    done = shell("export", *arguments, columns=300)
    assert done.code == 2
    assert message in done.err
    assert names_in(folder) == []
    assert platform.requests == []


def test_lists_with_filters_or_arguments_are_exported(shell: Shell, folder: Path, platform: Platform) -> None:
    assert shell("export", "accounts", "a.csv", "--created-before", "2025-02-01T00:00:00Z").code == 0
    assert [row["created"] < "2025-02-01" for row in rows(folder / "a.csv")] == [True] * 5
    assert shell("export", "user_mgmt.accounts", "u.csv").code == 0
    assert shell("export", "resource", "seasons_sets", "SeasonSet", "s.csv").code == 1
    assert platform.requests[-1].path == "/seasons_sets"


def test_an_empty_list_has_a_header(shell: Shell, folder: Path) -> None:
    assert shell("export", "accounts", "a.csv", "--email", "nobody@example.com").code == 0
    assert (folder / "a.csv").read_text().startswith("object,id,")
    assert shell("export", "accounts", "a.parquet", "--email", "nobody@example.com").code == 0
    assert pq.read_table(folder / "a.parquet").num_rows == 0


def test_parquet_without_the_extra_names_the_extra(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "subscribekit.export._parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = shell("export", "accounts", "a.parquet")
    assert done.code == 2
    assert "pip install 'subscribekit[arrow]'" in done.err
    assert shell("export", "accounts", "a.csv").code == 0


def test_times_are_exact(shell: Shell, folder: Path) -> None:
    assert shell("export", "accounts", "a.csv", "--columns", "created").code == 0
    assert datetime.fromisoformat(rows(folder / "a.csv")[0]["created"]) == datetime(2025, 1, 27, 9, tzinfo=UTC)


LISTED = sorted(
    {each.item for each in entries().values() if each.is_list and each.item}, key=lambda each: each.__name__
)


@looped("personal", [False, True])
@looped("item", LISTED)
def test_csv_and_parquet_have_the_same_columns(item: type[Model], personal: bool) -> None:
    written = Csv(None, item, None, include_personal=personal).head()  # type: ignore[arg-type]  # the header doesn't need a pager
    assert written.decode().strip().split(",") == Table(item, None, include_personal=personal).schema.names


@pytest.mark.parametrize("personal", [False, True], ids=["without personal data", "with personal data"])
def test_csv_shows_unknown_fields_as_parquet_does(shell: Shell, folder: Path, personal: bool) -> None:
    item = {"id": "a1", "new": "s3cret", "payment_methods": [{"id": "pm1", "newer": 1, "credit_card": {"vid": "v1"}}]}
    page = Page([read(Account, item)])
    names = ["id", "payment_methods", "unknown_fields"]
    csv_file = Csv(Paged(page), Account, ",".join(names), include_personal=personal)  # type: ignore[arg-type]  # `Csv` only uses `pages` and `checkpoint`
    ((data, _, _),) = csv_file.pages()
    (read_back,) = csv.DictReader((csv_file.head() + data).decode().splitlines())
    table = Table(Account, names, include_personal=personal).batch(page.data, "").to_pylist()[0]
    assert json.loads(read_back["unknown_fields"]) == json.loads(table["unknown_fields"])
    assert ("s3cret" in read_back["unknown_fields"]) is personal
    assert json.loads(read_back["payment_methods"])[0]["credit_card"]["vid"] == "v1"


class Paged:
    """A pager of one page."""

    checkpoint = ""

    def __init__(self, page: Page[Account]) -> None:
        self._page = page

    def pages(self) -> list[Page[Account]]:
        return [self._page]


@pytest.mark.hazard("H331")
@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_of_a_csv_file_is_a_formula(shell: Shell, folder: Path, text: str) -> None:
    with BillingClient(environment="sandbox") as billing:
        billing.accounts.create(Account(id="a-formula", name=text))
    for name in ("a.csv", "a.parquet"):
        assert shell("export", "accounts", name, "--include-personal", "--columns", "id,name").code == 0
    with (folder / "a.csv").open(newline="") as file:
        found = {row["id"]: row["name"] for row in csv.DictReader(file)}
    assert found["a-formula"] == f"'{text}"
    exact = {row["id"]: row["name"] for row in pq.read_table(folder / "a.parquet").to_pylist()}
    assert exact["a-formula"] == text


@pytest.mark.hazard("H331")
def test_a_negative_number_is_not_escaped() -> None:
    assert rows_module._cell(Decimal("-1.50")) == "-1.50"
