"""The preview of an item: enough to tell it from others, and nothing personal."""

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

_LONGEST = 400


@dataclass(frozen=True, slots=True, repr=False)
class PreviewItem(PreparedRequest[object]):
    """The request of an item that is `ready`, to look at; the run sends it, and `client.send` refuses it.

    Printed, it shows key, call and path, and of the body what is not personal.

    Attributes:
        key: The key of the item.
    """

    key: str = ""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # A class with slots has no `super()` without arguments; the type argument changes nothing.
        _, parts = PreparedRequest.__reduce__(self)  # pyright: ignore[reportUnknownMemberType]
        return PreviewItem._of_preview, (self.key, *parts)

    @staticmethod
    def _of_preview(key: str, name: str, version: str, form: int, *parts: object) -> PreviewItem:
        """Return the item of a pickle, which names this function by the public home of its class."""
        return preview_item(key, PreparedRequest._of_pickle(name, version, form, *parts))  # noqa: SLF001  of its base class

    def __repr__(self) -> str:
        body = self._masked()
        return f"<PreviewItem {self.key!r}: {self.operation}, {self.method} {self._target()}{body and f' {body}'}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return f"<table>{self.row()}</table>"

    def row(self) -> str:
        """Give its row of a table in HTML."""
        cells = (self.key, self.operation, f"{self.method} {self._target()}", self._masked())
        return f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in cells)}</tr>"

    def _target(self) -> str:
        """Path and query, of which a value is shown where it is not personal."""
        found = urlsplit(self.url)
        pairs = (pair.partition("=") for pair in found.query.split("&") if pair)
        query = "&".join(f"{name}={value if name in SHOWN['request'] else MASK}" for name, _, value in pairs)
        return f"{found.path}{query and '?'}{query}"

    def _masked(self) -> str:
        """The body as JSON, cut where it is long; empty for none."""
        if self.body is None:
            return ""
        try:
            text = "".join(_pieces(json.decode(self.body)))
        except (DamagedJSONError, RecursionError):  # it is compressed
            text = f"({len(self.body)} bytes)"
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def preview_item(key: str, shown: PreparedRequest[object]) -> PreviewItem:
    """Show a request as that of an item; without its call, or `client.send` would send it past the ledger."""
    return PreviewItem(
        shown.operation, shown.method, shown.url, shown.headers, shown.body, shown.path_template, key=key
    )


class Preview(list[PreviewItem]):
    """Items of a preview, and the money of all items that are `ready`.

    Attributes:
        amounts: For each currency the number of items, their sum, the largest and the smallest amount.
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
    """Write what is under a name as JSON on one line."""
    if isinstance(value, Mapping) and value and name in SHOWN["request_objects"]:
        for at, (inner, each) in enumerate(value.items()):
            yield f"{', ' if at else '{'}{_text(inner)}: "
            yield from _pieces(each, inner)
        yield "}"
    elif isinstance(value, list) and value and name in SHOWN["request_objects"]:
        for at, each in enumerate(value):
            yield ", " if at else "["
            yield from _pieces(each, name)
        yield "]"
    else:
        yield _text(value) if name in SHOWN["request"] and not isinstance(value, Mapping | list) else MASK


def _text(value: JSON) -> str:
    return json.encode_stored(value).decode()
