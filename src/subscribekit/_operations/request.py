"""Generic calls of all clients, for which the SDK has no method."""

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, cast

from .._core.client.described import OWN, describes
from .._core.operations.arguments import MAX_TEXT, QueryParams
from .._core.operations.generic import free_operation
from .._core.operations.operation import Method, Operation
from ..models._base import Model

__tracebackhide__ = True  # pytest hides these frames and shows the caller's line

R = TypeVar("R")

DICT: Any = dict
"""The default of `result`, because not every supported Python version has defaults of type variables."""

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
    """Call an operation for which the SDK has no method.

    The SDK knows nothing about the operation, so it's at least as careful as with its own methods. It treats a POST as
    a charge, and never retries it after a byte was sent. It doesn't retry a DELETE with a query or a body if the
    outcome is unknown.

    Args:
        method: `GET`, `POST`, `PUT`, or `DELETE`. The services have no PATCH.
        path: Path relative to the base URL, without quoting, such as `/accounts/a1`.
        result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
        params: Query parameters. Booleans are sent as 1 and 0, and times in ISO 8601. A list of values is sent as a
            repeated parameter. `None` leaves a parameter out. An empty string is sent as an empty value, except in a
            DELETE, where it's an error.
        json: The body. For the billing API, strings and keys in it have at most 1,024 characters.

    Returns:
        The result, as an instance of `result`.

    Raises:
        InvalidArgumentError: The path is an absolute URL or contains `?`, `#`, `%`, or a dot segment, or another
            argument is invalid. Nothing was sent.
        SubscribekitError: The call failed.
    """
    max_text = MAX_TEXT if group == "billing" else None
    wanted: Any = result  # the type checker trusts the annotation, but free_operation checks the value
    return cast("Operation[R]", free_operation(method, path, wanted, params, json, max_text))
