"""Defines the type `JSON` in a separate module, so that importing the type doesn't import the parser.

The type refers to itself by name, so that tools can resolve annotations that contain `JSON`.
"""

import sys
from decimal import Decimal

if sys.version_info >= (3, 12):
    from typing import TypeAliasType
else:
    from typing_extensions import TypeAliasType

JSON = TypeAliasType("JSON", "bool | int | Decimal | str | list[JSON] | dict[str, JSON] | None")
