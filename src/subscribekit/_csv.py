"""CSV files that people open in a spreadsheet."""

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ._private_files import whole_file

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe_text(text: str) -> str:
    """Give a text that a spreadsheet shows and does not run: an apostrophe goes before what would begin a formula."""
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text


def without_apostrophe(text: str) -> str:
    """Return the text that `safe_text` was given, without the apostrophe that it added."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_BEGINS_A_FORMULA) else text


def write_rows(path: str | os.PathLike[str], head: Sequence[str], rows: Iterable[Iterable[str | int]]) -> int:
    """Write a file for its owner alone, whole or not at all; `safe_text` is the caller's.

    Returns:
        The number of rows below the head.

    Raises:
        OSError: The file cannot be written.
    """
    number = 0
    with whole_file(Path(path)) as file:
        lines = csv.writer(file)
        lines.writerow(head)
        for number, row in enumerate(rows, 1):  # noqa: B007  counted for the caller
            lines.writerow(row)
    return number
