"""Defines the type of the values that the sandbox stores and sends, and the class of links between stored documents."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

if sys.version_info >= (3, 12):
    from typing import TypeAliasType
else:
    from typing_extensions import TypeAliasType


@dataclass(frozen=True)
class Link:
    """A reference from one stored document to another document."""

    collection: str
    vid: str


Value = TypeAliasType("Value", "dict[str, Value] | list[Value] | str | int | Decimal | bool | datetime | Link | None")
