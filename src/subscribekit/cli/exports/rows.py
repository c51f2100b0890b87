"""Converts the pages of an export to CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from ... import _json as json
from ..._core.lists.pager import Pager
from ..._csv import safe_text
from ...errors import InvalidArgumentError
from ...export._plain import UNKNOWN, plain, unknown_fields
from ...models import Model, sensitive_fields
from ..output.render import columns_of


class Csv:
    """Writes CSV (RFC 4180), with exact amounts and times, nested values as JSON, and escaped formulas."""

    def __init__(self, pager: Pager[Model], kind: type[Model], columns: str | None, *, include_personal: bool) -> None:
        names = [*kind.model_fields, UNKNOWN] if columns is None else columns_of(kind, columns, UNKNOWN)
        hidden = sensitive_fields(kind)
        if columns is not None and not include_personal and (personal := [name for name in names if name in hidden]):
            raise InvalidArgumentError(
                f"the columns {', '.join(personal)} are personal. To export personal data, pass --include-personal"
            )
        self._names = [name for name in names if include_personal or name not in hidden]
        self._pager, self._personal = pager, include_personal

    def head(self) -> bytes:
        """Return the header row."""
        return _line(self._names)

    def pages(self) -> Iterator[tuple[bytes, int, str]]:
        """Yield the rows of each page, the number of rows, and the checkpoint after the page."""
        for page in self._pager.pages():
            yield b"".join(self._row(item) for item in page.data), len(page.data), self._pager.checkpoint

    def complete(self, partial: Path) -> Path:
        """Return the partial file, which is a complete CSV file after the last row."""
        return partial

    def _row(self, item: Model) -> bytes:
        return _line([_cell(self._value(item, name)) for name in self._names])

    def _value(self, item: Model, name: str) -> object:
        if name == UNKNOWN:
            return unknown_fields(item, include_personal=self._personal) or None
        return plain(getattr(item, name), include_personal=self._personal)


def _line(cells: Sequence[str]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()


def _cell(value: object) -> str:
    if value is None or value == []:
        return ""
    if isinstance(value, str):
        return safe_text(value)
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        return json.stored_number(value)
    return json.encode_stored(value).decode()
