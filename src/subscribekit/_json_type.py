"""The type of JSON, which loads no parser. Its name stands for itself, so that annotations with it can be resolved."""

import sys
from decimal import Decimal

if sys.version_info >= (3, 12):
    from typing import TypeAliasType
else:
    from typing_extensions import TypeAliasType

JSON = TypeAliasType("JSON", "bool | int | Decimal | str | list[JSON] | dict[str, JSON] | None")
