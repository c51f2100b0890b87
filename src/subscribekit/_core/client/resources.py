"""What the resources of a client have in common, with whatever drives them: calls that have no method."""

from collections.abc import Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, overload

from ..._json import JSON
from ...models._base import Model
from ..calls.drivers import AsyncDriver, Driver
from ..calls.guidance import Guided, guided
from ..calls.refusal import accept, described
from ..calls.response import PlannedRequest, Response
from ..operations.arguments import MAX_TEXT, QueryParams
from ..operations.generic import free_operation
from ..operations.operation import Method
from .binding import AsyncRawDriver, D, Planner, RawDriver

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)

Body: TypeAlias = Model | Mapping[str, object] | list[object]
"""What `request` sends as JSON."""


class Resources(Guided, Generic[D]):
    """The resources of one group, and `request` for what has no method."""

    def __init__(self, driver: D) -> None:
        self._driver = driver

    def _instead_of(self, name: str) -> str:
        from ..calls.instead import instead_of_family

        return instead_of_family(self, name)

    @overload
    def request(
        self: "Resources[Driver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> M: ...
    @overload
    def request(
        self: "Resources[Driver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> dict[str, JSON]: ...
    @overload
    def request(
        self: "Resources[Driver]",
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> list[JSON]: ...
    @overload
    def request(
        self: "Resources[AsyncDriver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Coroutine[object, object, M]: ...
    @overload
    def request(
        self: "Resources[AsyncDriver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Coroutine[object, object, dict[str, JSON]]: ...
    @overload
    def request(
        self: "Resources[AsyncDriver]",
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Coroutine[object, object, list[JSON]]: ...
    @overload
    def request(
        self: "Resources[RawDriver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[M]: ...
    @overload
    def request(
        self: "Resources[RawDriver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[dict[str, JSON]]: ...
    @overload
    def request(
        self: "Resources[RawDriver]",
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[list[JSON]]: ...
    @overload
    def request(
        self: "Resources[AsyncRawDriver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Coroutine[object, object, Response[M]]: ...
    @overload
    def request(
        self: "Resources[AsyncRawDriver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Coroutine[object, object, Response[dict[str, JSON]]]: ...
    @overload
    def request(
        self: "Resources[AsyncRawDriver]",
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Coroutine[object, object, Response[list[JSON]]]: ...
    @overload
    def request(
        self: "Resources[Planner]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PlannedRequest[M]: ...
    @overload
    def request(
        self: "Resources[Planner]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PlannedRequest[dict[str, JSON]]: ...
    @overload
    def request(
        self: "Resources[Planner]",
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PlannedRequest[list[JSON]]: ...
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[Model] | type[dict[str, JSON]] | type[list[JSON]] = dict,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> object:
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
            The result as the class that was asked for, a `Response` of it through `with_raw_response`, a
                `PlannedRequest` through `plan`; async clients give a coroutine of it.

        Raises:
            RequestError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused argument.
            SubscribekitError: As every call.
        """
        max_text = MAX_TEXT if self._driver.settings.group == "billing" else None
        found = described(partial(free_operation, method, path, result, params, json, max_text))
        del path, params, json  # no argument stays in a frame that an error's traceback shows
        return self._driver.send(accept(found, "request"), "request")

    if not TYPE_CHECKING:  # editors see the method itself
        request = guided(request)
