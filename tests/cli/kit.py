"""Runs the command line in this process, with streams that are a terminal or a pipe."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

from subscribekit.cli import main

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""Escape sequences of bold and colored text. The shell removes them, because no test checks them."""


class Stream(io.TextIOWrapper):
    """A stream that reports that it's a terminal if `tty` is set."""

    def __init__(self, *, tty: bool, encoding: str = "utf-8", text: str = "") -> None:
        super().__init__(io.BytesIO(text.encode()), encoding=encoding, newline="\n")
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    def written(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode(self.encoding)


@dataclass(frozen=True)
class Done:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


FULL = Path("/dev/full")


@contextmanager
def _stream(stream: Stream, is_full: bool) -> Generator[TextIO]:
    if not is_full:
        yield stream
        return
    with FULL.open("w", encoding="utf-8") as full:
        yield full


class Shell:
    """Runs commands as a shell does: `shell("call", "billing.accounts.list")`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def __call__(
        self,
        *arguments: str,
        tty: bool = False,
        typed: str = "",
        columns: int = 120,
        encoding: str = "utf-8",
        environment: str | None = "sandbox",
        full: str = "",
    ) -> Done:
        """Run a command. `full` names the streams that write to a full disk."""
        out, err = Stream(tty=tty, encoding=encoding), Stream(tty=tty, encoding=encoding)
        with (
            self._patch.context() as patch,
            _stream(out, "stdout" in full) as used_out,
            _stream(err, "stderr" in full) as used_err,
        ):
            patch.setattr(sys, "stdin", Stream(tty=tty, text=typed))
            patch.setattr(sys, "stdout", used_out)
            patch.setattr(sys, "stderr", used_err)
            patch.setenv("COLUMNS", str(columns))
            patch.setenv("TERM", "xterm-256color")
            patch.setenv("NO_COLOR", "1")
            if environment is not None:
                patch.setenv("SUBSCRIBEKIT_ENVIRONMENT", environment)
            code = main(arguments)
            return Done(code, _STYLE.sub("", out.written()), _STYLE.sub("", err.written()))
