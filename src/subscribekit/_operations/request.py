"""Calls that the SDK has no method for, in every group."""

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, cast

from .._core.client.described import OWN, describes
from .._core.operations.arguments import MAX_TEXT, QueryParams
from .._core.operations.generic import free_operation
from .._core.operations.operation import Method, Operation
from ..models._base import Model

__tracebackhide__ = True  # pytest shows the line of the caller instead

R = TypeVar("R")

DICT: Any = dict
"""The default of `result`, which a type variable cannot say on every Python."""

Body: TypeAlias = Model | Mapping[str, object] | list[object]
"""The JSON body of `request`."""


@describes(None, "request", source=OWN)
def request(
    group: str,
    /,
    method: Method,
    path: str,
    *,
    result: type[R] = DICT,
    params: QueryParams | None = None,
    json: Body | None = None,
) -> Operation[R]:
    """Call something that the SDK has no method for, with all its rules.

    Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
    never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
    unknown outcome.

    Args:
        method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
        path: Path below the base address, not quoted: `/accounts/a1`.
        result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
        params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
            `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
        json: The body; in the billing API its texts and keys have at most 1,024 characters.

    Returns:
        The result as the class that was asked for.

    Raises:
        InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
            argument.
        SubscribekitError: As every call.
    """
    max_text = MAX_TEXT if group == "billing" else None
    wanted: Any = result  # a model, or whatever else was given: it is checked
    return cast("Operation[R]", free_operation(method, path, wanted, params, json, max_text))
