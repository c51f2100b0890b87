"""Checks that an identifier stays one path segment, even if a proxy or a server decodes the path."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MAX_IDENTIFIER: Final = 128
"""Maximum length of an `id` or a `vid`, in characters."""

RULE: Final = "not be a dot segment or contain / \\ ? # % or a control character"
"""The rule for identifiers, as a part of error messages."""

_FORBIDDEN = re.compile(r"[/\\?#%\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def fits_a_path(value: str) -> bool:
    """Return whether a string of any length can be a path segment (H40, H41)."""
    if value.isascii():
        plain = value
    elif any(unicodedata.category(character) in _INVISIBLE for character in value):
        return False
    else:
        # A proxy can normalize characters, such as a full-width slash to a slash, so check the normalized form.
        plain = unicodedata.normalize("NFKC", value)
    # Some servers ignore the rest of a segment after a semicolon, so `..;a` means `..`.
    return plain.partition(";")[0] not in (".", "..") and _FORBIDDEN.search(plain) is None
