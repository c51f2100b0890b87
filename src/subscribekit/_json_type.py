"""The type `JSON`, in a module that doesn't load the parser.

The type refers to itself by name, so that tools can resolve annotations that contain it.
"""

import sys
from decimal import Decimal

if sys.version_info >= (3, 12):
    from typing import TypeAliasType
else:
    from typing_extensions import TypeAliasType

JSON = TypeAliasType("JSON", "bool | int | Decimal | str | list[JSON] | dict[str, JSON] | None")
