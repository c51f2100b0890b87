"""The command line in a real pseudo terminal, as a person uses it."""

from __future__ import annotations

import os
import re
import sys

import pytest

pexpect = pytest.importorskip("pexpect")
if not hasattr(pexpect, "spawn"):
    pytest.skip("this system has no pseudo terminals", allow_module_level=True)

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def start(*arguments: str, columns: int = 100, **variables: str) -> pexpect.spawn:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        clean.pop(name, None)
    return pexpect.spawn(
        sys.executable,
        ["-m", "subscribekit", *arguments],
        dimensions=(40, columns),
        env={**clean, "TERM": "xterm-256color", "SUBSCRIBEKIT_ENVIRONMENT": "sandbox", **variables},
        encoding="utf-8",
        timeout=60,
    )


def end(process: pexpect.spawn) -> tuple[int, str]:
    process.expect(pexpect.EOF)
    process.close()
    return process.exitstatus, process.before.replace("\r\n", "\n")


def test_a_write_in_a_narrow_terminal_without_colors_and_utf_8() -> None:
    process = start(
        "call", "billing.payments.reverse", "pay-cash-0001", columns=44, PYTHONIOENCODING="latin-1", NO_COLOR="1"
    )
    process.expect(r"Send this to the environment sandbox\? \[y/N\] ")
    assert "authorization: Basic ***" in process.before
    process.sendline("y")
    code, shown = end(process)
    assert code == 0
    assert "Failure" in shown
    assert shown.isascii()
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown)
    table = [_STYLE.sub("", line) for line in shown.splitlines() if line[:1] in "+|"]
    assert max(map(len, table)) <= 44


def test_ctrl_c_at_the_question_sends_nothing() -> None:
    process = start("call", "billing.payments.reverse", "pay-cash-0001")
    process.expect(r"\[y/N\] ")
    process.sendintr()
    code, shown = end(process)
    assert code == 130
    assert "Nothing was sent." in shown
    assert "Traceback" not in shown
