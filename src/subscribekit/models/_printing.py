"""Prints values without raising errors, because crash reporters and debuggers also print incomplete objects."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Protocol

from .._interrupts import interrupt_behind

_LINE = 100
_DEEPEST = 20
"""Number of nested levels that are printed on several lines. Deeper levels are printed on one line."""


class Printer(Protocol):
    """The printer that IPython passes to `_repr_pretty_`."""

    @property
    def stack(self) -> list[int]:
        """The objects that are being printed."""
        ...

    def text(self, obj: str, /) -> None:
        """Print a string."""

    def pretty(self, obj: object, /) -> None:
        """Print an object."""

    def break_(self) -> None:
        """Start a new line."""

    def begin_group(self, indent: int = 0, open: str = "", /) -> None:  # noqa: A002  IPython's name
        """Print a string, and indent the lines that are printed after it."""

    def end_group(self, dedent: int = 0, close: str = "", /) -> None:
        """End the indentation, and print a string."""


def shown(value: object) -> str:
    """Return the `repr` of a value, or its type if `repr` raises an error, such as for an `int` of 5,000 digits."""
    handled = id(sys.exc_info()[1])
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001  the `repr` of any class can raise any exception
        if (interrupt := interrupt_behind(error, handled)) is not None:
            raise interrupt from None
        return f"<unprintable {type(value).__name__}>"


def on_one_line(name: str, fields: Iterable[tuple[str, object]]) -> str:
    """Format a resource on one line, with its ID and the fields that fit, but without nested values."""
    known = dict(fields)
    text = f"{name}(id={shown(known.pop('id='))}"
    known.pop("object=", None)
    rest = known.pop("vid=", None) is not None
    for field, value in known.items():
        part = f", {field}{shown(value)}" if not hasattr(type(value), "_repr_pretty_") else ""
        if part and len(text) + len(part) <= _LINE:
            text += part
        else:
            rest = True
    return text + (", ...)" if rest else ")")


def print_lines(printer: Printer, head: str, parts: Iterable[tuple[str, object]], tail: str) -> None:
    """Print each field or element on its own line. If there is only one field or element, print it after `head`."""
    known = list(parts)
    if len(known) > 1:
        printer.begin_group(4, head)
    else:
        printer.text(head)
    for name, value in known:
        if len(known) > 1:
            printer.break_()
        printer.text(name)
        if hasattr(type(value), "_repr_pretty_") and len(printer.stack) < _DEEPEST:
            printer.pretty(value)
        else:
            printer.text(shown(value))
        if len(known) > 1:
            printer.text(",")
    if len(known) > 1:
        printer.end_group(4)
        printer.break_()
    printer.text(tail)
