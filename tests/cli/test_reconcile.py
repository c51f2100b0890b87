"""`subscribekit reconcile` compares a table in a file with a list, and sends only reads (H334)."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit.models import Account
from subscribekit.sandbox.faults import connection_refused, foreign_next
from subscribekit.sandbox.platform import Platform

pytestmark = pytest.mark.hazard("H334")
COMMAND = ("reconcile", "subscriptions")
WITH = ("--key", "id", "--field", "status=state")
NAMES = ["table.csv", "table.parquet"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows() -> list[dict[str, str | None]]:
    with BillingClient(environment="sandbox") as billing:
        return [{"id": each.id, "state": each.status} for each in billing.subscriptions.list()]


def write(name: str, table: list[dict[str, str | None]]) -> None:
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(table), name)
        return
    with Path(name).open("w", newline="", encoding="utf-8-sig") as file:
        lines = csv.DictWriter(file, table[0])
        lines.writeheader()
        lines.writerows(table)


def with_differences() -> list[dict[str, str | None]]:
    table = {row["id"]: row for row in rows()}
    table["sub-basic-0001"]["state"] = "Cancelled"
    del table["sub-premium-0002"]
    return [*table.values(), {"id": "sub-mine", "state": "Active"}]


@pytest.mark.parametrize("name", NAMES)
def test_equal_sides_end_with_0(shell: Shell, folder: Path, name: str) -> None:
    write(name, rows())
    done = shell(*COMMAND, name, *WITH)
    assert (done.code, done.out) == (0, "key\tkind\tfield\tlocal\tremote\n")
    assert "equal 8; local only 0; remote only 0; differs 0; changed meanwhile 0" in done.err
    assert [each.name for each in folder.iterdir()] == [name]


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--compare-scale",), 5)])
def test_trailing_zeros_of_an_amount_count_only_with_compare_scale(
    shell: Shell, folder: Path, options: tuple[str, ...], code: int
) -> None:
    with BillingClient(environment="sandbox") as billing:
        found = [(each.id, each.amount) for each in billing.transactions.list() if each.amount is not None]
    write(
        "table.csv",
        [{"id": key, "amount": f"{amount}000" if "." in str(amount) else f"{amount}.000"} for key, amount in found],
    )
    done = shell("reconcile", "transactions", "table.csv", "--key", "id", "--field", "amount=amount", *options)
    assert done.code == code, done.err


@pytest.mark.parametrize("name", NAMES)
def test_differences_end_with_5_and_nothing_is_written(
    shell: Shell, folder: Path, platform: Platform, name: str
) -> None:
    write(name, with_differences())
    before = len(platform.requests)
    done = shell(*COMMAND, name, *WITH, "--json", "--report", "report.csv")
    assert done.code == 5
    assert {line["key"]: line for line in map(json.loads, done.lines)} == {
        "sub-basic-0001": {
            "key": "sub-basic-0001", "kind": "differs", "field": "status", "local": "Cancelled", "remote": "Active",
        },
        "sub-premium-0002": {
            "key": "sub-premium-0002", "kind": "remote_only", "field": None, "local": None, "remote": None,
        },
        "sub-mine": {"key": "sub-mine", "kind": "local_only", "field": None, "local": None, "remote": None},
    }  # fmt: skip
    assert len((folder / "report.csv").read_text().splitlines()) == 4
    assert {request.method for request in platform.requests[before:]} == {"GET"}
    assert sorted(each.name for each in folder.iterdir()) == ["report.csv", name]
    assert shell(*COMMAND, name, *WITH).lines[1] == "sub-basic-0001\tdiffers\tstatus\tCancelled\tActive"


def test_a_terminal_shows_a_table(shell: Shell, folder: Path) -> None:
    write("t.csv", [*with_differences(), *({"id": f"x-{number:03}", "state": "Active"} for number in range(60))])
    done = shell(*COMMAND, "t.csv", *WITH, tty=True)
    assert done.code == 5
    assert "sub-basic-0001" in done.out
    assert "x-059" not in done.out
    assert "13 more differences" in done.err


def test_personal_data_is_masked_without_include_personal(shell: Shell, folder: Path) -> None:
    with BillingClient(environment="sandbox") as billing:
        billing.accounts.create(Account(id="a-1", email="there@example.com"))
    write("t.csv", [{"id": "a-1", "email": "here@example.com"}])
    for more in ((), ("--json",)):
        done = shell("reconcile", "accounts", "t.csv", "--key", "id", "--field", "email", *more)
        assert done.code == 5
        assert "@example.com" not in done.out + done.err
        clear = shell("reconcile", "accounts", "t.csv", "--key", "id", "--field", "email", *more, "--include-personal")
        assert "here@example.com" in clear.out
        assert "there@example.com" in clear.out


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("id,state\n", ("--key", "hunter2"), "no column for --key"),
        ("id,state\n", ("--key", "id", "--field", "status=other"), "no column for --key or a --field"),
        ("id,state,id\n", ("--key", "id"), "two columns 'id'"),
        ("", ("--key", "id"), "its columns are: none"),
        ("id,state\n", ("--key", "id", "--field", "nothing=state"), "has no field 'nothing'"),
        ("id,state\n", ("--key", "id", "--field", "=state"), "must be PATH=COLUMN"),
        (
            "id,state\n",
            ("--key", "id", "--field", "status=state", "--field", "status=id"),
            "each path can occur only once",
        ),
    ],
)
def test_usage_is_refused_before_a_request(
    shell: Shell, folder: Path, platform: Platform, content: str, arguments: tuple[str, ...], sentence: str
) -> None:
    (folder / "t.csv").write_text(content)
    done = shell(*COMMAND, "t.csv", *arguments)
    assert (done.code, platform.requests) == (2, [])
    assert sentence in " ".join(done.err.split())
    assert "hunter2" not in done.out + done.err


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [("t.txt", b"", "must end in .csv or .parquet"), ("t.parquet", b"no", "isn't a Parquet file"),
     ("none.csv", None, "can't be read"), ("t.csv", b"id,state\nx,1\nx,2\n", "duplicate key")],
)  # fmt: skip
def test_a_file_without_a_valid_table_is_refused(
    shell: Shell, folder: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (folder / name).write_bytes(content)
    done = shell(*COMMAND, name, *WITH)
    assert (done.code, sentence in done.err) == (2, True)


def test_a_command_that_stopped_resumes(shell: Shell, folder: Path, platform: Platform) -> None:
    with BillingClient(environment="sandbox") as billing:
        write("t.csv", [{"id": each.id} for each in billing.accounts.list()])
    command = ("reconcile", "accounts", "t.csv", "--key", "id", "--page-size", "10")
    platform.faults.add("GET /accounts", foreign_next())
    failed = shell(*command)
    assert failed.code == 1
    assert "To resume, run the same command again." in failed.err
    assert "--checkpoint" not in failed.err
    assert (folder / "t.csv.reconcile").stat().st_mode & 0o777 == 0o600
    before = len(platform.requests)
    done = shell(*command)
    assert (done.code, "Resuming" in done.err) == (0, True)
    first, *_ = platform.requests[before:]
    assert first.query == (("limit", "10"), ("starting_after", "acct-0010"))
    other = shell("reconcile", "accounts", "t.csv", "--key", "id", "--page-size", "10", "--restart")
    assert (other.code, "Resuming" in other.err) == (0, False)


@pytest.mark.parametrize("leads", ["to a file", "nowhere"])
def test_a_comparison_does_not_resume_through_a_link(shell: Shell, folder: Path, leads: str) -> None:
    write("t.csv", rows())
    other, link = folder / "other", folder / "t.csv.reconcile"
    link.symlink_to(other)
    if leads == "to a file":
        other.touch(0o600)
    done = shell(*COMMAND, "t.csv", *WITH)
    assert (done.code, "has another owner, or can be read or changed by others" in done.err) == (2, True)
    assert shell(*COMMAND, "t.csv", *WITH, "--restart").code == 0
    assert (other.read_bytes() if leads == "to a file" else other.exists()) in (b"", False)
    assert not link.is_symlink()


def test_another_comparison_does_not_resume_in_the_same_file(shell: Shell, folder: Path, platform: Platform) -> None:
    write("t.csv", rows())
    platform.faults.add("GET /subscriptions", connection_refused(), times=None)
    assert shell(*COMMAND, "t.csv", *WITH).code == 3
    platform.reset()
    other = shell(*COMMAND, "t.csv", "--key", "id")
    assert (other.code, "belongs to another comparison" in other.err) == (2, True)
    assert shell(*COMMAND, "t.csv", "--key", "id", "--restart").code == 0


def test_a_closed_pipe_does_not_hide_differences(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("t.csv", with_differences())

    def broken(_: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("subscribekit.cli.exports.reconcile.write_line", lambda text: text[:3] == "key" or broken(text))
    assert shell(*COMMAND, "t.csv", *WITH).code == 5


@pytest.mark.parametrize("form", [("--key=hunter2",), ("--key", "hunter2")])
def test_a_key_is_a_credential_elsewhere(shell: Shell, form: tuple[str, ...]) -> None:
    done = shell("call", "billing.accounts.list", *form)
    assert (done.code, "hunter2" in done.err) == (2, False)


def test_times_of_a_csv_are_compared_as_instants(shell: Shell, folder: Path) -> None:
    with BillingClient(environment="sandbox") as billing:
        table = [
            {"id": each.id, "ends": each.ends and each.ends.astimezone(UTC).isoformat()}
            for each in billing.subscriptions.list()
        ]
    write("t.csv", table)
    assert shell(*COMMAND, "t.csv", "--key", "id", "--field", "ends").code == 0
    table[0]["ends"] = datetime(2020, 1, 1, tzinfo=UTC).isoformat()
    write("t.csv", table)
    assert shell(*COMMAND, "t.csv", "--key", "id", "--field", "ends").code == 5
