"""Formats values as HTML tables for notebooks: masked as in `repr`, escaped, and limited in size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from pydantic import BaseModel

from ._printing import shown

_MAX_TEXT: Final = 200
"""Maximum number of characters of a value."""
_MAX_FIELDS: Final = 40
_MAX_COLUMNS: Final = 6
_MAX_ROWS: Final = 20


def cell(value: object) -> str:
    """Format the `repr` of a value, shortened and escaped."""
    text = shown(value)
    return escape(text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…")


def table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """Format a table of names and values with a title."""
    lines = [f"<tr><th>{escape(name)}</th><td>{cell(value)}</td></tr>" for name, value in rows]
    more = [f'<tr><td colspan="2">… and {len(lines) - _MAX_FIELDS} more</td></tr>'] if len(lines) > _MAX_FIELDS else []
    return f"<table><caption>{escape(title)}</caption>{''.join([*lines[:_MAX_FIELDS], *more])}</table>"


def resource(value: BaseModel) -> str:
    """Format a table of the fields of a model."""
    return table(type(value).__name__, ((str(name), each) for name, each in value.__repr_args__()))


def resources(title: str, items: Sequence[object]) -> str:
    """Format a table with a row for each model. If the table leaves out items, the last row contains their number."""
    rows: list[Mapping[str, object]] = [
        {str(name): value for name, value in each.__repr_args__()}
        for each in items[:_MAX_ROWS]
        if isinstance(each, BaseModel)
    ]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = names[:_MAX_COLUMNS]
    head = "".join(f"<th>{escape(name)}</th>" for name in columns) + ("<th>…</th>" if names[_MAX_COLUMNS:] else "")
    lines = [f"<tr>{head}</tr>"] if head else []
    for row in rows:
        cells = "".join(f"<td>{cell(row[name]) if name in row else ''}</td>" for name in columns)
        lines.append(f"<tr>{cells}{'<td></td>' if names[_MAX_COLUMNS:] else ''}</tr>")
    if len(items) > len(rows):
        lines.append(f'<tr><td colspan="{len(columns) + 1}">… and {len(items) - len(rows)} more</td></tr>')
    return f"<table><caption>{escape(title)}</caption>{''.join(lines)}</table>"


def code(value: object) -> str:
    """Format the `repr` of a value as code."""
    return f"<code>{escape(shown(value))}</code>"


def anything(value: object) -> str:
    """Format a value with its own HTML representation, or else with its `repr`."""
    html = getattr(type(value), "_repr_html_", None)
    return f"<pre>{cell(value)}</pre>" if html is None else str(html(value))
