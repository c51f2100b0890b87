"""Query parameters of the caller's own, for filters of a list that the specification does not show. No I/O."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from ...errors import InvalidArgumentError
from ..operations.arguments import Pairs, QueryValue, Wire, free_query, text

ListParams: TypeAlias = Mapping[str, QueryValue | Sequence[QueryValue]]
"""Names and values of further query parameters; several values send the parameter several times."""

RESERVED = ("limit", "starting_after", "ending_before", "offset", "size")
"""The parameters that move a list, which the list itself sends."""


def own_parameters(params: ListParams | None, filters: Pairs) -> Pairs:
    """Turn the argument `params` of a list into query pairs, in the given order.

    Args:
        params: Names and values; `None` values are left out.
        filters: The pairs of the method's own filters.

    Raises:
        InvalidArgumentError: Not a mapping, a reserved name, a name that a filter sends already, an empty list, or a
            value that cannot be sent; the text names the parameter.
    """
    if params is None:
        return ()
    if not isinstance(params, Mapping):
        raise InvalidArgumentError(f"params must be a mapping of names to values, not {type(params).__name__}")
    filtered = {name for name, _ in filters if not isinstance(name, Wire)}
    pairs: list[tuple[str | Wire, str]] = []
    for name, value in params.items():
        text("the name of a query parameter", name)
        if name in RESERVED:
            raise InvalidArgumentError(
                f"params must not hold {name}: it moves the list; use the arguments of list() instead"
            )
        if name in filtered:
            raise InvalidArgumentError(f"params must not hold {name}: it is given as an argument already")
        values = (value,) if isinstance(value, str | bytes | bytearray) or not isinstance(value, Sequence) else value
        if value is not None and all(each is None for each in values):
            raise InvalidArgumentError(f"params: {name} must not be a list without a value: no filter would be sent")
        for each in values:
            if not isinstance(each, str | int | datetime | None):
                raise InvalidArgumentError(
                    f"params: {name} must be text, a whole number, True, False, a datetime or several of them, "
                    f"not {type(each).__name__}"
                )
            pairs += free_query({name: each})
    return tuple(pairs)
