"""Calls that the SDK has no method for, in every API."""

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, cast

from .._core.client.described import OWN, describes
from .._core.operations.arguments import MAX_TEXT, QueryParams
from .._core.operations.generic import free_operation
from .._core.operations.operation import Method, Operation
from ..models._base import Model

__tracebackhide__ = True

R = TypeVar("R")

DICT: Any = dict
"""The default of `result`. Before Python 3.13, a type variable can't have a default."""

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
    """Call an operation that the SDK has no method for.

    The SDK doesn't know the effect of the call, so it retries the call at least as carefully as a method. It treats a
    POST as a call that moves money, and never retries it after a byte was sent. It treats a DELETE with a query or a
    body as a deletion of everything that matches, and doesn't retry it if the outcome is unknown.

    Args:
        method: `GET`, `POST`, `PUT`, or `DELETE`. None of the APIs has a PATCH.
        path: The path below the base URL, without percent-encoding, such as `/accounts/a1`.
        result: A model class, `dict` for a JSON object, or `list` for a JSON array.
        params: Query parameters. Booleans are sent as 1 and 0, times in ISO 8601, and a list of values as a repeated
            parameter. `None` leaves a parameter out. An empty string is sent, but raises an error in a DELETE.
        json: The body. In the billing API, its keys and strings can have up to 1,024 characters.

    Returns:
        The result, as an instance of the class in `result`.

    Raises:
        InvalidArgumentError: The path is an absolute URL or contains `?`, `#`, `%`, or a dot segment, or another
            argument is invalid. Nothing was sent.
        SubscribekitError: The call failed.
    """
    max_text = MAX_TEXT if group == "billing" else None
    checked: Any = result  # `free_operation` raises an error for values of other types
    return cast("Operation[R]", free_operation(method, path, checked, params, json, max_text))
