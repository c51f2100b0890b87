"""Differences as CSV, and a comparison in a notebook."""

from __future__ import annotations

import csv
import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from .._core.operations.arguments import flag
from ..errors import RequestError
from ..models._base import Model
from ._difference import Difference
from ._store import ReconcileError
from ._values import text_of

if TYPE_CHECKING:
    from ._core import Core

M = TypeVar("M", bound=Model)

_HEAD = ("key", "kind", "field", "here", "there")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SHOWN = 20


def write_report(path: str | os.PathLike[str], differences: Iterable[Difference[M]], *, personal: bool) -> int:
    """Write the report, whole or not at all; gives how many differences are in it.

    Raises:
        ReconcileError: The file cannot be written.
        RequestError: `personal` is not a boolean.
    """
    flag("personal", personal)
    number = 0
    try:
        with _whole_file(Path(path)) as file:
            lines = csv.writer(file)
            lines.writerow(_HEAD)
            for number, each in enumerate(differences, 1):  # noqa: B007  counted for the caller
                key, here, there = (each.key, each.here, each.there) if personal else each.masked()
                lines.writerow([_cell(key), each.kind, each.field or "", _cell(here), _cell(there)])
    except OSError as error:
        raise ReconcileError(f"the report cannot be written: {error.strerror}") from None
    return number


def _cell(value: object) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return text_of(value, scale=True) or ""


@contextmanager
def _whole_file(path: Path) -> Generator[TextIO]:
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(part, flags, 0o600), "w", newline="", encoding="utf-8") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def html_of(core: Core[M]) -> str:
    """Write counts and the first differences as a table, masked; nothing is sent."""
    from ..models._html import table  # only notebooks ask

    try:
        rows: list[tuple[str, object]] = list(asdict(core.counts()).items())
    except RequestError:
        return table(f"{core.name}: nothing was compared yet", [])
    for each in islice(core.found(), _SHOWN):
        key, here, there = each.masked()
        rows.append((str(key), each.kind if each.field is None else f"{each.field}: {here!r} here, {there!r} there"))
    return table(f"Differences of {core.name}", rows)
