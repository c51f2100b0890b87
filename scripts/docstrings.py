"""Compose the docstrings of generated methods from the text of the description and a sentence about its source."""

import re
from pathlib import Path
from textwrap import fill

SOURCES = Path(__file__).parent.parent / "src" / "subscribekit" / "_core" / "client" / "described.py"
WIDTH = 112
"""The largest width of a line of a docstring in a method."""
_LONGEST = 85


def documented(text: str, source: str) -> str:
    """Return a description's docstring with its source.

    Args:
        text: The docstring of the function.
        source: The expression after `source=`.
    """
    mark, sentence = words(source)
    first, _, rest = text.partition("\n\n")
    if mark:
        first = f"{first.removesuffix('.')} ({mark})."
    if sentence:
        head, _, tail = rest.partition("\n\n")
        has_prose = not head.startswith(("Args:", "Returns:", "Raises:"))
        rest = f"{sentence} {head}\n\n{tail}" if has_prose else f"{sentence}\n\n{rest}"
    return "\n\n".join(map(_filled, filter(None, [first, *rest.split("\n\n")])))


def words(source: str) -> tuple[str, str]:
    """Return the mark and the sentence of a source."""
    from subscribekit._core.client import described

    found = eval(source, dict(vars(described)))  # noqa: S307  the expression comes from the package's own source
    return found.mark, found.sentence


def first_line(text: str, *, is_prepared: bool) -> str:
    """Return the first line of a docstring. For a method that only prepares its request, the line says so."""
    first = text.partition("\n\n")[0].replace("\n", " ")
    if not is_prepared or len(first) >= _LONGEST:
        return first
    return f"The unsent request to {first[0].lower()}{first[1:]}"


def _filled(paragraph: str) -> str:
    """Break lines that are too long for a method."""
    if all(len(line) <= WIDTH for line in paragraph.splitlines()):
        return paragraph
    entries = re.split(r"\n(?= {4}\S)", paragraph)  # the entries of a section such as "Args:", or one paragraph
    return "\n".join(map(_entry, entries))


def _entry(entry: str) -> str:
    if entry.endswith(":") and "\n" not in entry:
        return entry
    margin = " " * (len(entry) - len(entry.lstrip()))
    further = margin + "    " if margin else ""
    words = " ".join(entry.split())
    return fill(
        words, WIDTH, initial_indent=margin, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
