"""A file that can't be read ends a command with 2 before anything is sent. The error names the line (H445)."""

from __future__ import annotations

import gzip
import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer

from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit.cli.calls.bodies import read_text
from subscribekit.sandbox.platform import Platform

pytestmark = pytest.mark.hazard("H445")
COMMAND = ("reconcile", "subscriptions")
HEAD = "id,state\nsub-1,Active\n"
LATIN_1 = f"{HEAD}sub-2,Zür\nsub-3,Köln\n".encode("latin-1")
OPEN_QUOTE = (HEAD + '\nsub-2,"' + "Active\n" * 20_000).encode()
LONG = f'{HEAD}"sub-2",{"x" * 131_073}\n'.encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LATIN_1, "t.csv: line 3 isn't UTF-8 (byte 0xFC); save the file as UTF-8"),
        (f"{HEAD}{'sub-2,Active' * 2_000}\n".encode() + b"\xff\n", "t.csv: line 4 isn't UTF-8 (byte 0xFF)"),
        (HEAD.encode() + b"sub-2,\xc3", "t.csv: line 3 isn't UTF-8 (byte 0xC3)"),
        (HEAD.encode("utf-16"), "t.csv: line 1 isn't UTF-8 but UTF-16; save the file as UTF-8"),
        (b"\xfe\xff" + HEAD.encode("utf-16-be"), "t.csv: line 1 isn't UTF-8 but UTF-16"),
        (HEAD.encode("utf-16-le"), "t.csv: line 1 isn't UTF-8 but UTF-16; save the file as UTF-8"),
        (gzip.compress(HEAD.encode()), "t.csv: line 1 isn't UTF-8 but gzip; decompress the file"),
        (b"PK\x03\x04\x14\x00\x06\x00\x08\x00\xff", "t.csv: line 1 isn't UTF-8 but a ZIP archive or an Excel workbook"),
        (LONG, "t.csv, line 3 can't be read as CSV: field larger than field limit (131072)"),
        (OPEN_QUOTE, "t.csv, line 4 can't be read as CSV: field larger"),
        (b'"id', "t.csv has no column"),
        (b"", "t.csv has no column for --key or a --field; its columns are: none"),
    ],
    ids=[
        "latin-1", "behind the first block", "cut", "utf-16", "utf-16-be", "utf-16 without a mark", "gzip", "zip",
        "long cell", "open quote", "cut head", "empty",
    ],
)  # fmt: skip
def test_an_unreadable_csv_is_refused_before_anything_is_sent(
    shell: Shell, folder: Path, platform: Platform, content: bytes, message: str
) -> None:
    (folder / "t.csv").write_bytes(content)
    done = shell(*COMMAND, "t.csv", "--key", "id", "--field", "status=state")
    assert (done.code, done.err.endswith("\nNothing was sent.\n")) == (2, True)
    assert done.err.startswith(message)
    assert "Traceback" not in done.err
    assert platform.requests == []
    assert [each.name for each in folder.iterdir()] == ["t.csv"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_csv_with_any_line_ending_is_read(shell: Shell, folder: Path, ends: str, encoding: str) -> None:
    with BillingClient(environment="sandbox") as billing:
        rows = [f'"{each.id}",{each.status},"Zürich{ends}{"x" * 130_000}"' for each in billing.subscriptions.list()]
    (folder / "t.csv").write_text(ends.join(["id,state,more", "", *rows, ""]), encoding=encoding, newline="")
    done = shell(*COMMAND, "t.csv", "--key", "id", "--field", "status=state")
    assert done.code == 0, done.err


def test_a_row_that_ends_early_has_no_value_in_its_last_columns(shell: Shell, folder: Path) -> None:
    (folder / "t.csv").write_text("id,state\nsub-basic-0001\n")
    done = shell(*COMMAND, "t.csv", "--key", "id", "--field", "status=state", "--json")
    found = next(line for line in map(json.loads, done.lines) if line["key"] == "sub-basic-0001")
    assert (done.code, found["kind"], found["local"], found["remote"]) == (5, "differs", None, "Active")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "+25:00"])
@pytest.mark.parametrize("shape", ["plain", "list", "struct"])
def test_an_unknown_time_zone_is_named_with_its_column(
    shell: Shell, folder: Path, platform: Platform, zone: str, shape: str
) -> None:
    moment = pa.timestamp("us", tz=zone)
    kinds = {"plain": (moment, 0), "list": (pa.list_(moment), [0]), "struct": (pa.struct([("a", moment)]), {"a": 0})}
    kind, value = kinds[shape]
    pq.write_table(pa.table({"id": ["sub-1"], "ends_at": pa.array([value], kind)}), "t.parquet")
    done = shell(*COMMAND, "t.parquet", "--key", "id", "--field", "ends=ends_at")
    message = f"t.parquet, column 'ends_at': unknown time zone '{zone}'. Write the times in UTC\nNothing was sent.\n"
    assert (done.code, done.err) == (2, message)
    assert platform.requests == []
    assert shell(*COMMAND, "t.parquet", "--key", "id").code == 5  # a column that isn't compared isn't read


@pytest.mark.parametrize(
    ("kind", "value"), [(pa.timestamp("ns", "UTC"), 1_001), (pa.timestamp("s", "UTC"), 400_000_000_000)]
)
@pytest.mark.parametrize("shape", ["plain", "list", "struct"])
def test_a_value_of_a_parquet_file_that_python_cannot_hold_is_named_with_its_row_and_column(
    shell: Shell, folder: Path, platform: Platform, kind: pa.DataType, value: int, shape: str
) -> None:
    kinds = {
        "plain": (kind, value),
        "list": (pa.list_(kind), [value]),
        "struct": (pa.struct([("a", kind)]), {"a": value}),
    }
    column, wrong = kinds[shape]
    pq.write_table(pa.table({"id": ["sub-1", "sub-2"], "ends_at": pa.array([None, wrong], column)}), "t.parquet")
    done = shell(*COMMAND, "t.parquet", "--key", "id", "--field", "ends=ends_at")
    assert (done.code, platform.requests) == (2, [])
    assert done.err.startswith("t.parquet, row 2: column 'ends_at': Python can't hold this value of the Arrow type ")
    assert done.err.endswith("\nNothing was sent.\n")
    assert [each.name for each in folder.iterdir()] == ["t.parquet"]
    assert shell(*COMMAND, "t.parquet", "--key", "id").code == 5  # a column that isn't compared isn't read


def test_whole_microseconds_of_a_parquet_file_are_compared_in_any_unit(shell: Shell, folder: Path) -> None:
    with BillingClient(environment="sandbox") as billing:
        found = [(each.id, each.ends) for each in billing.subscriptions.list()]
    for unit in ("us", "ns"):
        ends = pa.array([moment for _, moment in found], pa.timestamp(unit, "UTC"))
        pq.write_table(pa.table({"id": [key for key, _ in found], "ends_at": ends}), "t.parquet")
        assert shell(*COMMAND, "t.parquet", "--key", "id", "--field", "ends=ends_at").code == 0


def test_a_damaged_parquet_file_is_named(shell: Shell, folder: Path, platform: Platform) -> None:
    names = [f"sub-{number}-of-a-customer" for number in range(1_000)]
    pq.write_table(pa.table({"id": names}), "t.parquet", use_dictionary=False)
    data = bytearray((folder / "t.parquet").read_bytes())
    data[40:200] = bytes(160)
    (folder / "t.parquet").write_bytes(data)
    done = shell(*COMMAND, "t.parquet", "--key", "id")
    assert (done.code, "t.parquet is damaged, so its rows can't be read" in done.err) == (2, True)
    assert platform.requests == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": "a",\n"name": "Z\xfcrich"}', "line 2 isn't UTF-8 (byte 0xFC); save the file as UTF-8"),
        ('{"id": "a"}'.encode("utf-16"), "line 1 isn't UTF-8 but UTF-16; save the file as UTF-8"),
        (gzip.compress(b'{"id": "a"}'), "line 1 isn't UTF-8 but gzip; decompress the file"),
    ],
    ids=["latin-1", "utf-16", "gzip"],
)
def test_a_body_that_is_not_utf_8_is_refused_with_its_line(
    shell: Shell, folder: Path, platform: Platform, content: bytes, message: str
) -> None:
    (folder / "body.json").write_bytes(content)
    done = shell("call", "billing.accounts.create", "--body", "@body.json", "--yes", columns=300)
    assert (done.code, f"@body.json can't be read: {message}" in done.err) == (2, True)
    assert platform.requests == []


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_standard_input_that_is_not_utf_8_is_refused_with_its_line(
    monkeypatch: pytest.MonkeyPatch, errors: str
) -> None:
    """A C locale, as in many containers, decodes with `surrogateescape`."""
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b'{\n"name": "Z\xfcrich"}'), "utf-8", errors))
    with pytest.raises(typer.BadParameter, match=r"- can't be read: line 2 isn't UTF-8 \(byte 0xFC\)"):
        read_text("--body", "-")
