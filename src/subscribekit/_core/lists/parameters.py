"""Checks query parameters that the caller adds to a list, such as undocumented filters. Does no I/O."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from ...errors import InvalidArgumentError
from ..operations.arguments import Pairs, QueryValue, Wire, free_query, text

ListParams: TypeAlias = Mapping[str, QueryValue | Sequence[QueryValue]]
"""Names and values of the caller's query parameters. A sequence of values is sent as a repeated parameter."""

RESERVED = ("limit", "starting_after", "ending_before", "offset", "size")
"""The query parameters for paging, which only the SDK sets."""


def own_parameters(params: ListParams | None, filters: Pairs) -> Pairs:
    """Convert the argument `params` of a list to query pairs, in the same order.

    Args:
        params: Names and values of query parameters. Parameters with the value `None` are omitted.
        filters: The query pairs of the list method's own filters.

    Raises:
        InvalidArgumentError: `params` isn't a mapping, or contains a reserved name or a name that the method's filters
            already send. The SDK also raises `InvalidArgumentError` for an empty list, and for a value that can't be
            sent. The message names the parameter.
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
                f"params must not contain a parameter that selects the page; use the argument of list() for {name}"
            )
        if name in filtered:
            raise InvalidArgumentError(f"params must not contain a parameter that an argument already sends: {name}")
        values = (value,) if isinstance(value, str | bytes | bytearray) or not isinstance(value, Sequence) else value
        if value is not None and all(each is None for each in values):
            raise InvalidArgumentError(
                f"params: {name} contains no value, so no filter would be sent; pass a value, or pass None to omit the "
                f"filter"
            )
        for each in values:
            if not isinstance(each, str | int | datetime | None):
                raise InvalidArgumentError(
                    f"params: {name} must be a string, an integer, a Boolean, a datetime, or a list of these, not "
                    f"{type(each).__name__}"
                )
            pairs += free_query({name: each})
    return tuple(pairs)
