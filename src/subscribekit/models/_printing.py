"""Printing that never raises: crash reporters and debuggers print whatever a failed call left behind."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Protocol

from .._interrupts import interrupt_behind

_LINE = 100
_DEEPEST = 20
"""Levels that are printed over several lines; what is below is on one."""


class Printer(Protocol):
    """The printer that IPython passes to `_repr_pretty_`."""

    @property
    def stack(self) -> list[int]:
        """The objects that are being printed."""
        ...

    def text(self, obj: str, /) -> None:
        """Print a text as it is."""

    def pretty(self, obj: object, /) -> None:
        """Print an object."""

    def break_(self) -> None:
        """Begin a line."""

    def begin_group(self, indent: int = 0, open: str = "", /) -> None:  # noqa: A002  IPython's name
        """Print a text, and indent the lines that follow."""

    def end_group(self, dedent: int = 0, close: str = "", /) -> None:
        """Take back the indentation, and print a text."""


def shown(value: object) -> str:
    """Return the `repr` of a value, or its type where that raises (an `int` of 5,000 digits, a nesting too deep)."""
    handled = id(sys.exc_info()[1])
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001  any class may raise anything here, and the text says that it did
        if (interrupt := interrupt_behind(error, handled)) is not None:
            raise interrupt from None
        return f"<{type(value).__name__} that cannot be printed>"


def on_one_line(name: str, fields: Iterable[tuple[str, object]]) -> str:
    """Write as many fields of a resource as fit on a line, its id first and nothing that is nested."""
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
    """Print parts, each with its name before it, on its own line; a single one stays on the line of its owner."""
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
