"""CSV files that are safe to open in a spreadsheet program."""

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ._private_files import whole_file

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_text(text: str) -> str:
    """Return a text, with an apostrophe in front if a spreadsheet program would run the text as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def without_apostrophe(text: str) -> str:
    """Remove the apostrophe that `safe_text` adds."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA_STARTS) else text


def write_rows(path: str | os.PathLike[str], head: Sequence[str], rows: Iterable[Iterable[str | int]]) -> int:
    """Write a CSV file that only its owner can read, under a temporary name until the file is complete.

    Before calling this function, the caller must apply `safe_text` to texts that come from outside the SDK.

    Returns:
        The number of rows without the header row.

    Raises:
        OSError: The file can't be written.
    """
    number = 0
    with whole_file(Path(path)) as file:
        lines = csv.writer(file)
        lines.writerow(head)
        for number, row in enumerate(rows, 1):  # noqa: B007  the function returns the last number
            lines.writerow(row)
    return number
