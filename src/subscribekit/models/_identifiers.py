"""The one alphabet of identifiers: what stays one path segment whatever decodes the path."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MAX_IDENTIFIER: Final = 128
"""Longest `id` or `vid`, in characters."""

RULE: Final = "not be a dot segment or contain / \\ ? # % or a control character"
"""The rule for identifiers, for error texts."""

_FORBIDDEN = re.compile(r"[/\\?#%\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def fits_a_path(value: str) -> bool:
    """Tell whether a text can be a path segment (H40, H41). Its length is not looked at."""
    if value.isascii():
        plain = value
    elif any(unicodedata.category(character) in _INVISIBLE for character in value):
        return False
    else:
        # A character that a proxy may normalise (a full-width solidus) counts as its normal form.
        plain = unicodedata.normalize("NFKC", value)
    # Some servers cut a segment off at the semicolon: `..;a`.
    return plain.partition(";")[0] not in (".", "..") and _FORBIDDEN.search(plain) is None
