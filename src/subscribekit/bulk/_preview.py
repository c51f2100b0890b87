"""The preview of an item: enough data to identify the item, without personal data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import urlsplit

from .. import _json as json
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._json import JSON, DamagedJSONError
from .._shown import MASK, SHOWN
from ._ledger.money import Amounts

_MAX_BODY = 400
"""Maximum number of characters of a body in a preview."""


@dataclass(frozen=True, slots=True, repr=False)
class PreviewItem(PreparedRequest[object]):
    """The request of a `ready` item, for inspection. Only the run can send this request; `client.send` rejects it.

    If you print the item, you see the key, the operation, the path, and the values of the body that aren't personal.

    Attributes:
        key: The key of the item.
    """

    key: str = ""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # `super()` without arguments fails here, because `dataclass(slots=True)` creates a second class.
        _, parts = PreparedRequest.__reduce__(self)  # pyright: ignore[reportUnknownMemberType]
        return PreviewItem._of_preview, (self.key, *parts)

    @staticmethod
    def _of_preview(key: str, name: str, version: str, form: int, *parts: object) -> PreviewItem:
        """Restore a pickled item. The pickle refers to this function by the public name of the class."""
        return preview_item(key, PreparedRequest._of_pickle(name, version, form, *parts))  # noqa: SLF001  of its base class

    def __repr__(self) -> str:
        body = self._masked()
        return f"<PreviewItem {self.key!r}: {self.operation}, {self.method} {self._target()}{body and f' {body}'}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return f"<table>{self.row()}</table>"

    def row(self) -> str:
        """Return the item as a row of an HTML table."""
        cells = (self.key, self.operation, f"{self.method} {self._target()}", self._masked())
        return f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in cells)}</tr>"

    def _target(self) -> str:
        """Return the path and the query, with personal values masked."""
        found = urlsplit(self.url)
        pairs = (pair.partition("=") for pair in found.query.split("&") if pair)
        query = "&".join(f"{name}={value if name in SHOWN['request'] else MASK}" for name, _, value in pairs)
        return f"{found.path}{query and '?'}{query}"

    def _masked(self) -> str:
        """Return the body as JSON, shortened if it's long, or an empty string if there is no body."""
        if self.body is None:
            return ""
        try:
            text = "".join(_pieces(json.decode(self.body)))
        except (DamagedJSONError, RecursionError):  # a compressed body isn't JSON
            text = f"({len(self.body)} bytes)"
        return text if len(text) <= _MAX_BODY else f"{text[:_MAX_BODY]}..."


def preview_item(key: str, shown: PreparedRequest[object]) -> PreviewItem:
    """Return the request of an item in a form that `client.send` rejects, because only the run may send the item."""
    # `client.send` rejects this copy, because the copy lacks the `PreparedCall` of the original request.
    return PreviewItem(
        shown.operation, shown.method, shown.url, shown.headers, shown.body, shown.path_template, key=key
    )


class Preview(list[PreviewItem]):
    """The first `ready` items of a run, and the amounts of all `ready` items.

    Attributes:
        amounts: For each currency, the number of items, their total, and the largest and the smallest amount.
    """

    def __init__(self, items: Iterable[PreviewItem], amounts: tuple[Amounts, ...]) -> None:
        super().__init__(items)
        self.amounts: tuple[Amounts, ...] = amounts

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.amounts), *map(repr, self)]) or "[]"

    def _repr_html_(self) -> str:
        rows = "".join(each.row() for each in self)
        return f"<table>{''.join(f'<caption>{escape(str(each))}</caption>' for each in self.amounts)}{rows}</table>"


def _pieces(value: JSON, name: str = "data") -> Iterator[str]:
    """Yield the parts of a field as JSON on one line, with personal values masked."""
    if isinstance(value, Mapping) and value and name in SHOWN["request_objects"]:
        for index, (inner, each) in enumerate(value.items()):
            yield f"{', ' if index else '{'}{_text(inner)}: "
            yield from _pieces(each, inner)
        yield "}"
    elif isinstance(value, list) and value and name in SHOWN["request_objects"]:
        for index, each in enumerate(value):
            yield ", " if index else "["
            yield from _pieces(each, name)
        yield "]"
    else:
        yield _text(value) if name in SHOWN["request"] and not isinstance(value, Mapping | list) else MASK


def _text(value: JSON) -> str:
    return json.encode_stored(value).decode()
