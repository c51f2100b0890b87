"""Finds out why bytes aren't valid UTF-8, for error messages."""

from __future__ import annotations

from collections.abc import Iterable

_UTF_16 = "UTF-16; save the file as UTF-8"
_OTHERS = (
    (b"\x1f\x8b", "gzip; decompress the file"),
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook; save the table as CSV in UTF-8"),
    (b"\xff\xfe", _UTF_16),
    (b"\xfe\xff", _UTF_16),
)


def _other_encoding(start: bytes) -> str | None:
    found = next((name for mark, name in _OTHERS if start.startswith(mark)), None)
    return _UTF_16 if found is None and b"\0" in start else found


def problem_in(lines: Iterable[bytes]) -> str:
    """Return a message with the first line that isn't UTF-8, the file's encoding if it's recognized, and the fix."""
    for number, line in enumerate(lines, 1):
        if number == 1 and (other := _other_encoding(line)) is not None:
            return f"line 1 isn't UTF-8 but {other}"
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return f"line {number} isn't UTF-8 (byte 0x{line[error.start]:02X}); save the file as UTF-8"
    return "the text isn't UTF-8"
