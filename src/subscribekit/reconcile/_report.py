"""Writes differences to a CSV file, and formats a comparison as HTML for notebooks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from .._core.calls.driver import EitherDriver
from .._core.operations.arguments import flag
from .._csv import safe_text, write_rows
from ..errors import InvalidArgumentError
from ..models._base import Model
from ._difference import Difference
from ._store import ReconcileError
from ._values import text_of

if TYPE_CHECKING:
    from ._core import Core

M = TypeVar("M", bound=Model)
D = TypeVar("D", bound=EitherDriver)
R = TypeVar("R")

HEAD = ("key", "kind", "field", "local", "remote")
"""The columns of a report, and the keys of a difference in JSON."""
_SHOWN = 20


def write_report(path: str | os.PathLike[str], differences: Iterable[Difference[M]], *, include_personal: bool) -> int:
    """Write the whole report or nothing, and return the number of differences in the report.

    Raises:
        ReconcileError: The file can't be written.
        InvalidArgumentError: `include_personal` isn't a Boolean.
    """
    flag("include_personal", include_personal)
    try:
        return write_rows(path, HEAD, (_row(each, include_personal=include_personal) for each in differences))
    except OSError as error:
        raise ReconcileError(f"the report can't be written: {error.strerror}") from None


def _row(each: Difference[M], *, include_personal: bool) -> tuple[str, ...]:
    key, local, remote = (each.key, each.local, each.remote) if include_personal else each.masked()
    return _cell(key), each.kind, each.field or "", _cell(local), _cell(remote)


def _cell(value: object) -> str:
    return safe_text(value) if isinstance(value, str) else text_of(value, scale=True) or ""


def html_of(core: Core[M, D, R]) -> str:
    """Return a table of the counts and the first differences, with masked personal values. Sends nothing."""
    from ..models._html import table  # only notebooks need this module

    try:
        rows: list[tuple[str, object]] = list(asdict(core.counts()).items())
    except InvalidArgumentError:
        return table(f"{core.name}: no rows were compared yet", [])
    for each in islice(core.found(), _SHOWN):
        key, local, remote = each.masked()
        rows.append(
            (str(key), each.kind if each.field is None else f"{each.field}: local {local!r}, remote {remote!r}")
        )
    return table(f"Differences of {core.name}", rows)
