"""Shows models as tables in a terminal, and as tab-separated columns in a pipe. Masks personal data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from datetime import datetime
from decimal import Decimal
from itertools import islice

import typer
from rich.text import Text

from ..._hints.names import did_you_mean
from ..._json import stored_number
from ..._shown import MASK
from ...models import Model, sensitive_fields
from .nested import entries_of, items_of
from .screen import grid, is_plain, printable, results, say, show_table, width, write_line, writes_to_terminal

_LONGEST = 40
"""Maximum length of a cell in a list, in characters."""
_AT_ONCE = 500
"""Maximum number of rows in a table. A longer list becomes several tables, so that rows appear early and use little
memory."""
_FIRST = ("id", "vid", "status", "state", "billing_state")
_HIDDEN = ("object", "url")


def columns_of(kind: type[Model], wanted: str | None, *more: str) -> list[str]:
    """Return the names of the requested columns, or of all fields of a model.

    Args:
        kind: The model.
        wanted: Column names, separated by commas; `None` for all fields.
        more: Names of columns that aren't fields.

    Raises:
        typer.BadParameter: A requested column isn't a field of the model.
    """
    known = [name for name in kind.model_fields if name not in _HIDDEN]
    if wanted is None:
        return known
    names = [name.strip() for name in wanted.split(",")]
    for name in names:
        if name not in kind.model_fields and name not in more:
            hint = did_you_mean(name, known) or f"; its fields are: {', '.join(known)}"
            raise typer.BadParameter(f"{kind.__name__} has no field {name!r}{hint}", param_hint="--columns")
    return names


def cell(value: object) -> str:
    """Return the text of a cell: an exact amount or time, the ID of a nested resource, or the length of a list."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Decimal):
        return stored_number(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Model):
        return cell(getattr(value, "id", None) or getattr(value, "vid", None) or f"({type(value).__name__})")
    if (entries := entries_of(value)) is not None:
        return _count(entries, "entry", "entries")
    if (items := items_of(value)) is not None:
        return _count(items, "item", "items")
    return printable(str(value))


def _count(value: Sized, one: str, several: str) -> str:
    return f"({len(value)} {one if len(value) == 1 else several})" if value else ""


def _masked(item: Model, name: str) -> str:
    value = getattr(item, name, None)
    return MASK if value is not None and name in sensitive_fields(type(item)) else cell(value)


def show_list(items: Iterable[Model], kind: type[Model], columns: str | None) -> int:
    """Show a list of models, and return their number."""
    names = columns_of(kind, columns)
    if not writes_to_terminal():
        return _write_columns(items, names)
    count, left, waiting = 0, list[str](), iter(items)
    is_whole = False
    while not is_whole:
        shown: list[Model] = []
        try:
            shown.extend(islice(waiting, _AT_ONCE))
            is_whole = len(shown) < _AT_ONCE
        finally:  # after an error, show the items already read, because its checkpoint comes after them
            if shown:
                names = _telling(shown, names) if columns is None and not count else names
                left = _show_table(names, shown, is_chosen=columns is not None)
                count += len(shown)
    if left:
        results().print(f"{len(left)} more columns: {', '.join(left)}", soft_wrap=True)
    return count


def _write_columns(items: Iterable[Model], names: Sequence[str]) -> int:
    count = 0
    for count, item in enumerate(items, 1):
        if count == 1:  # write the header only now, so that nothing is written if reading the first item fails
            write_line("\t".join(names))
        write_line("\t".join(_masked(item, name) for name in names))
    if not count:
        write_line("\t".join(names))
    return count


def _telling(items: Sequence[Model], names: Iterable[str]) -> list[str]:
    """Remove empty columns, and move masked columns to the end."""
    filled = [name for name in names if any(_masked(item, name) for item in items)]
    if "id" in filled and all(_masked(item, "id") for item in items):
        filled = [name for name in filled if name != "vid"]
    hidden = {name for name in filled if all(_masked(item, name) in ("", MASK) for item in items)}
    return sorted(filled, key=lambda name: (name in hidden, name not in _FIRST))


def _show_table(names: list[str], items: Sequence[Model], *, is_chosen: bool) -> list[str]:
    """Show one table, and return the names of the columns that don't fit into the terminal."""
    rows = [[_masked(item, name) for name in names] for item in items]
    widths = [min(_LONGEST, max(len(name), *(len(row[at]) for row in rows))) for at, name in enumerate(names)]
    fitting = len(names) if is_chosen else _fitting(widths, width())
    table = grid()
    for at, name in enumerate(names[:fitting]):
        right = any(isinstance(getattr(item, name, None), int | Decimal) for item in items)
        # Wrap the first column instead of cutting the text, because the first column identifies the resource.
        table.add_column(
            name,
            justify="right" if right else "left",
            no_wrap=at > 0 and not is_chosen,
            overflow="fold" if at == 0 or is_chosen else "crop",
        )
    for row in rows:
        table.add_row(*(Text(_cut(text) if at else text) for at, text in enumerate(row[:fitting])))
    results().print(table)
    return names[fitting:]


def _cut(text: str) -> str:
    dots = "..." if is_plain() else "…"
    return text if len(text) <= _LONGEST else text[: _LONGEST - len(dots)] + dots


def _fitting(widths: Sequence[int], room: int) -> int:
    """Return the number of columns that fit into the terminal, at least 1."""
    used = 1
    for count, each in enumerate(widths):
        used += each + 3
        if used > room and count:
            return count
    return len(widths)


def show_one(item: object, title: str) -> None:
    """Show a resource with a row for each field, such as `name.first`. Show only the ID of a nested resource."""
    rows = list(_rows(item))
    if not writes_to_terminal():
        for name, text in rows:
            write_line(f"{name}\t{text}")
        return
    show_table(("field", "value"), rows, title)
    say("To see all fields and unmasked personal data, pass --json.", "dim")


def _rows(value: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Model):
        masked = sensitive_fields(type(value))
        for name in type(value).model_fields:
            content = getattr(value, name, None)
            if name not in value.model_fields_set or content is None or name == "object":
                continue
            place = f"{prefix}{name}"
            yield from ((place, MASK),) if name in masked else _nested(content, place)
        # Mask undocumented fields, as `repr` does, because they may contain personal data.
        yield from ((f"{prefix}{printable(name)}", MASK) for name in value.model_extra or ())
    elif (entries := entries_of(value)) is not None:
        for name, content in entries.items():
            yield from _nested(content, f"{prefix}{printable(name)}")
    else:
        yield from _nested(value, prefix)


def _nested(content: object, place: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of a nested value. If the value is a resource with an ID, yield only one row with the ID."""
    is_reference = isinstance(content, Model) and (getattr(content, "id", None) or getattr(content, "vid", None))
    if (isinstance(content, Model) and not is_reference) or entries_of(content):
        yield from _rows(content, f"{place}." if place else "")
    elif items := items_of(content):
        for at, each in enumerate(items):
            yield from _nested(each, f"{place}[{at}]")
    else:
        yield place, cell(content)
