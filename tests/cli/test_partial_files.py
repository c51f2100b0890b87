"""An export resumes only from its own partial file, which no other user can read or change (H330)."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit._private_files import create, reopen, whole_file
from subscribekit._private_files import replace as replaced
from subscribekit.errors import ConfigurationError
from subscribekit.export._spool import Spool
from subscribekit.models import Account
from subscribekit.sandbox.faults import foreign_next
from subscribekit.sandbox.platform import Platform

pytestmark = pytest.mark.hazard("H330")
NAMES = ["a.csv", "a.parquet"]
PRECIOUS = b"a file of another user"
on_posix = pytest.mark.posix("files have no POSIX owners and modes")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def export(shell: Shell, name: str, *more: str) -> int:
    return shell("export", "accounts", name, "--page-size", "10", *more).code


def stop_after_a_page(shell: Shell, platform: Platform, name: str) -> None:
    platform.faults.add("GET /accounts", foreign_next())
    assert export(shell, name) == 1


def rows(file: Path) -> list[str]:
    if file.suffix == ".csv":
        return file.read_text().splitlines()[1:]
    return [str(row) for row in pq.read_table(file).to_pylist()]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("broken_at", ["write", "commit"])
def test_an_interrupted_restart_discards_the_earlier_rows(
    shell: Shell, folder: Path, platform: Platform, monkeypatch: pytest.MonkeyPatch, name: str, broken_at: str
) -> None:
    stop_after_a_page(shell, platform, name)
    with BillingClient(environment="sandbox") as billing:
        billing.accounts.create(Account(id="aa-new"))

    def interrupt(self: Spool, *arguments: object) -> None:
        if broken_at == "commit":
            self._file.flush()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Spool, broken_at, interrupt)
        assert export(shell, name, "--restart") == 130
    assert export(shell, name) == 0
    assert export(shell, f"whole-{name}") == 0
    assert rows(folder / name) == rows(folder / f"whole-{name}")
    assert len(rows(folder / name)) == 26


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_partial_file_is_not_resumed(shell: Shell, folder: Path, platform: Platform, name: str) -> None:
    stop_after_a_page(shell, platform, name)
    part = folder / f"{name}.partial"
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    done = shell("export", "accounts", name, "--page-size", "10")
    assert (done.code, "has changed since the last export" in done.err) == (2, True)
    assert part.read_bytes() == bytes(data)
    assert export(shell, name, "--restart") == 0
    assert len(rows(folder / name)) == 25


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_in_another_folder_is_resumed(shell: Shell, folder: Path, platform: Platform, name: str) -> None:
    stop_after_a_page(shell, platform, name)
    (folder / "elsewhere").mkdir()
    for each in list(folder.glob(f"{name}.*")):
        shutil.copy2(each, folder / "elsewhere")
    done = shell("export", "accounts", f"elsewhere/{name}", "--page-size", "10")
    assert (done.code, "Resuming after 10 rows" in done.err) == (0, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_complete_file_is_not_resumed(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The export is interrupted just after it has renamed the file, and then another job moves the file away."""

    def interrupt(self: Path, *_: object, **__: object) -> None:
        if self.name.endswith(".partial"):
            raise KeyboardInterrupt
        unlink(self, missing_ok=True)

    unlink, move = Path.unlink, Path.replace
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", interrupt)
        code = export(shell, name)
    assert code == 130
    move(folder / name, folder / "moved")
    done = shell("export", "accounts", name, "--page-size", "10")
    assert (done.code, "Resuming" in done.err) == (0, False)
    assert len(rows(folder / name)) == 25


@on_posix
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("end", [".partial", ".partial.json"])
@pytest.mark.parametrize("kind", ["link", "second name", "readable", "foreign", "pipe"])
def test_a_file_that_others_can_reach_is_not_resumed(
    shell: Shell, folder: Path, platform: Platform, name: str, end: str, kind: str
) -> None:
    if kind == "foreign" and os.geteuid() != 0:
        pytest.skip("only root can change the owner of a file")
    stop_after_a_page(shell, platform, name)
    file, other = folder / f"{name}{end}", folder / "other"
    if kind == "link":
        file.rename(other)
        file.symlink_to(other)
    elif kind == "second name":
        other.hardlink_to(file)
    elif kind == "readable":
        file.chmod(0o640)
    elif kind == "foreign":
        os.chown(file, 65534, -1)
    else:
        file.unlink()
        os.mkfifo(file, 0o600)
    before = other.read_bytes() if other.exists() else b""
    done = shell("export", "accounts", name, "--page-size", "10")
    assert (done.code, "can be read or changed by others" in done.err) == (2, True)
    assert export(shell, name, "--restart") == 0
    assert (other.read_bytes() if other.exists() else b"") == before
    found = (folder / name).lstat()
    assert (stat.S_ISREG(found.st_mode), stat.S_IMODE(found.st_mode), found.st_uid) == (True, 0o600, os.geteuid())


@on_posix
@pytest.mark.parametrize(
    ("name", "link", "more"),
    [
        ("a.csv", "a.csv.partial", ()),
        ("a.csv", "a.csv.partial.json", ()),
        ("a.csv", "a.csv.partial.json.new", ()),
        ("a.parquet", "a.parquet.partial.whole", ()),
        ("parts", "parts/partitions.json.new", ("--workers", "2")),
    ],
)
@pytest.mark.parametrize("leads", ["to a file", "nowhere"])
def test_nothing_is_written_through_a_link(
    shell: Shell, folder: Path, name: str, link: str, more: tuple[str, ...], leads: str
) -> None:
    other = folder / "other"
    if leads == "to a file":
        other.write_bytes(PRECIOUS)
        other.chmod(0o600)
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).symlink_to(other)
    shell("export", "accounts", name, *more)
    shell("export", "accounts", name, "--restart", *more)
    assert (folder / name).exists()
    assert (other.read_bytes() if leads == "to a file" else other.exists()) == (
        PRECIOUS if leads == "to a file" else False
    )


@pytest.mark.posix("an open file can't be renamed")
@pytest.mark.parametrize("name", NAMES)
def test_no_other_process_starts_while_the_file_is_renamed(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    messages: list[str] = []

    def open_and_replace(self: Path, target: Path) -> Path:
        if self.name != f"{name}.partial.json.new" and not messages:
            other = Spool(folder / name, "other")
            with pytest.raises(ConfigurationError) as caught, other.open(restart=False):
                pass
            messages.append(str(caught.value))
        return replace(self, target)

    replace = Path.replace
    monkeypatch.setattr(Path, "replace", open_and_replace)
    assert export(shell, name) == 0
    assert messages == [
        f"another process is writing {folder / name}.partial. Wait until that process ends, or choose another name"
    ]


@on_posix
def test_a_partitions_file_that_others_can_change_is_refused(shell: Shell, folder: Path) -> None:
    assert shell("export", "accounts", "parts", "--workers", "2").code == 0
    kept = folder / "parts" / "partitions.json"
    kept.chmod(0o666)
    done = shell("export", "accounts", "parts", "--workers", "2")
    assert (done.code, "can be read or changed by others" in done.err) == (2, True)


def test_a_text_file_is_complete_or_absent(tmp_path: Path) -> None:
    file = tmp_path / "report.csv"

    def interrupted() -> None:
        with whole_file(file) as text:
            text.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []
    with whole_file(file) as text:
        text.write("whole\r\n")
    assert file.read_bytes() == b"whole\r\n"


@on_posix
def test_a_new_file_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        os.close(create(tmp_path / "new"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        create(tmp_path / "new")
    os.close(replaced(tmp_path / "new"))
    os.close(reopen(tmp_path / "new"))
    with pytest.raises(FileNotFoundError):
        reopen(tmp_path / "none")
