"""Reads the merchant's table from a CSV file in UTF-8 or a Parquet file."""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, cast

from ...errors import ConfigurationError, InvalidArgumentError
from ...reconcile._rows import Rows
from ...reconcile._rows import batches as batches_of
from ..encodings import problem_in
from .export import requiring_arrow


@contextmanager
def opened_table(file: Path, columns: Sequence[str]) -> Generator[Rows]:
    """Open a table, and read the whole file once, so that nothing is sent if a line or value is invalid (H445).

    Raises:
        ConfigurationError: The file can't be read, a value is invalid, or a column is missing. For an invalid value,
            the error message contains the line of a CSV file, or the row and column of a Parquet file.
    """
    kind = file.suffix.lower()
    if kind not in (".csv", ".parquet"):
        raise ConfigurationError(f"the file name must end in .csv or .parquet: {file.name}")
    try:
        source = file.open("rb")
    except OSError as error:
        raise ConfigurationError(f"{file} can't be read: {error.strerror}") from None
    with source:
        if kind == ".csv":
            with file.open(encoding="utf-8-sig", newline="") as text:
                lines = _lines(file, text)
                names = next(lines, list[str]())
                if any("\0" in name for name in names):
                    raise _not_text(file)
                _check(file, columns, names)
                for _ in lines:
                    """Reading the line checks it."""
                text.seek(0)
                yield _mappings(_lines(file, text))
            return
        with requiring_arrow():
            from .parquet import table_of
        there, read = table_of(file, source, columns)
        _check(file, columns, there)
        _check_values(file, cast("Rows", read()))
        yield cast("Rows", read())


def _check_values(file: Path, rows: Rows) -> None:
    try:
        for _ in batches_of(rows):
            """Converting the rows checks each value."""
    except InvalidArgumentError as error:
        problem = str(error)
    else:
        return
    raise ConfigurationError(f"{file}, {problem}")


def _lines(file: Path, text: TextIO) -> Iterator[list[str]]:
    """Yield the header row and the other rows of a CSV file, except empty rows."""
    reader = csv.reader(text)
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise ConfigurationError(f"{file}, line {begin} can't be read as CSV: {error}") from None
        except UnicodeDecodeError:
            raise _not_text(file) from None
        if row is None:
            return
        if row:
            yield row


def _not_text(file: Path) -> ConfigurationError:
    with file.open("rb") as lines:
        return ConfigurationError(f"{file}: {problem_in(lines)}")


def _mappings(lines: Iterator[list[str]]) -> Iterator[Mapping[str, object]]:
    names = next(lines, list[str]())
    for row in lines:
        yield {**dict.fromkeys(names), **dict(zip(names, row, strict=False))}


def _check(file: Path, wanted: Sequence[str], there: Sequence[str]) -> None:
    for name in wanted:
        if list(there).count(name) != 1:
            which = f"two columns {name!r}" if name in there else "no column for --key or a --field"
            # Don't show a name that isn't a column of the file, because the name could be a credential.
            raise ConfigurationError(f"{file} has {which}; its columns are: {', '.join(there) or 'none'}")
