"""Generic calls, with which every client can call operations that have no method in the SDK."""

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, cast

from .._core.client.described import OWN, describes
from .._core.operations.arguments import MAX_TEXT, QueryParams
from .._core.operations.generic import free_operation
from .._core.operations.operation import Method, Operation
from ..models._base import Model

__tracebackhide__ = True  # pytest hides the frames of this module and shows the caller's line

R = TypeVar("R")

DICT: Any = dict
"""The default of `result`. The type is `Any`, because older Python versions have no defaults for type variables."""

Body: TypeAlias = Model | Mapping[str, object] | list[object]
"""The type of the JSON body of a generic call."""


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

    The SDK doesn't know the effect of the operation, so the HTTP method, the path, the query, and the body determine
    whether the SDK retries the call. The SDK treats a POST as a charge, and never retries the POST after a byte was
    sent. If the outcome of a DELETE with a query or a body is unknown, the SDK doesn't retry the DELETE.

    Args:
        method: `GET`, `POST`, `PUT`, or `DELETE`. The services don't support PATCH.
        path: The path relative to the base URL, without percent-encoding, such as `/accounts/a1`.
        result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
        params: Query parameters. The SDK sends Booleans as 1 and 0, and times in ISO 8601. If a value is a list, the
            SDK sends the parameter once for each element. If a value is `None`, the SDK doesn't send the parameter. The
            SDK sends an empty string as an empty value, but rejects an empty string in a DELETE.
        json: The body. In a body for the billing API, each string and each key can have at most 1,024 characters.

    Returns:
        The result, as an instance of `result`.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent. The path must start with one `/`, and must not
            contain `?`, `#`, `%`, a backslash, or a dot segment.
        SubscribekitError: The call failed.
    """
    max_text = MAX_TEXT if group == "billing" else None
    wanted: Any = result  # `Any` satisfies the type checker; free_operation checks the value at run time
    return cast("Operation[R]", free_operation(method, path, wanted, params, json, max_text))
