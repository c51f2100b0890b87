"""What an export writes: how pages become bytes that can be appended to each other, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from ... import _json as json
from ..._core.lists.pager import Pager
from ...errors import RequestError
from ...models import Model, sensitive_fields
from ..output.nested import entries_of, items_of
from ..output.render import columns_of

UNKNOWN = "unknown_fields"


class Format(Protocol):
    """How pages become bytes that can be appended to each other."""

    def head(self) -> bytes:
        """What the file begins with."""
        ...

    def pages(self) -> Iterator[tuple[bytes, int, str]]:
        """The bytes of each page, how many rows they are, and where the list goes on after them."""
        ...

    def whole(self, partial: Path) -> Path:
        """Make the file that was asked for from all the bytes, and say where it is."""
        ...


class Csv:
    """Comma-separated values (RFC 4180): amounts and times exact, what is nested as JSON."""

    def __init__(self, pager: Pager[Model], kind: type[Model], columns: str | None, *, personal: bool) -> None:
        names = columns_of(kind, columns)
        hidden = sensitive_fields(kind)
        if columns is not None and not personal and (asked := [name for name in names if name in hidden]):
            raise RequestError(f"{', '.join(asked)}: personal; ask for it with --personal")
        self._names = [name for name in names if personal or name not in hidden]
        self._pager, self._personal = pager, personal
        # Nobody documents those, so they may be personal.
        self._extra = [UNKNOWN] if personal and columns is None else []

    def head(self) -> bytes:
        """The names of the columns."""
        return _line([*self._names, *self._extra])

    def pages(self) -> Iterator[tuple[bytes, int, str]]:
        """The rows of each page."""
        for page in self._pager.pages():
            yield b"".join(self._row(item) for item in page.data), len(page.data), self._pager.checkpoint

    def whole(self, partial: Path) -> Path:
        """The file itself."""
        return partial

    def _row(self, item: Model) -> bytes:
        cells = [_cell(_plain(getattr(item, name), personal=self._personal)) for name in self._names]
        if self._extra:
            cells.append(_cell(item.model_extra or None))
        return _line(cells)


def _line(cells: Sequence[str]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        return json.stored_number(value)
    return json.encode_stored(value).decode()


def _plain(value: object, *, personal: bool) -> object:
    """Turn models into mappings, without their personal fields unless they are asked for."""
    if isinstance(value, Model):
        hidden = frozenset[str]() if personal else sensitive_fields(type(value))
        fields = ((name, getattr(value, name)) for name in type(value).model_fields if name in value.model_fields_set)
        found = {name: _plain(each, personal=personal) for name, each in fields if name not in hidden}
        return {**found, **(value.model_extra or {})} if personal else found
    if isinstance(value, datetime):
        return value.isoformat()
    if (entries := entries_of(value)) is not None:
        return {name: _plain(each, personal=personal) for name, each in entries.items()}
    if (items := items_of(value)) is not None:
        return [_plain(each, personal=personal) for each in items] or None
    return value
