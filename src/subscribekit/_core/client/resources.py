"""What the resource families of a client have in common, with whatever drives them: calls that have no method."""

from collections.abc import Coroutine, Mapping
from functools import partial
from typing import Generic, TypeVar, overload

from ..._json import JSON
from ...models._base import Model
from ..calls.drivers import AsyncDriver, Driver
from ..calls.refusal import accept, described
from ..calls.response import PlannedRequest, Response
from ..operations.arguments import QueryValue
from ..operations.generic import free_operation, free_reader
from ..operations.operation import Method
from .binding import AsyncRawDriver, D, Planner, RawDriver

M = TypeVar("M", bound=Model)


class Families(Generic[D]):
    """The resource families of one group, and `request` for what has no method."""

    def __init__(self, driver: D) -> None:
        self._driver = driver

    @overload
    def request(
        self: "Families[Driver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> M: ...
    @overload
    def request(
        self: "Families[Driver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> dict[str, JSON]: ...
    @overload
    def request(
        self: "Families[AsyncDriver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> Coroutine[object, object, M]: ...
    @overload
    def request(
        self: "Families[AsyncDriver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> Coroutine[object, object, dict[str, JSON]]: ...
    @overload
    def request(
        self: "Families[RawDriver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> Response[M]: ...
    @overload
    def request(
        self: "Families[RawDriver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> Response[dict[str, JSON]]: ...
    @overload
    def request(
        self: "Families[AsyncRawDriver]",
        method: Method,
        path: str,
        *,
        result: type[M],
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> Coroutine[object, object, Response[M]]: ...
    @overload
    def request(
        self: "Families[AsyncRawDriver]",
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> Coroutine[object, object, Response[dict[str, JSON]]]: ...
    @overload
    def request(
        self: "Families[Planner]",
        method: Method,
        path: str,
        *,
        result: type[Model] | type[dict[str, JSON]] = ...,
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> PlannedRequest: ...
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[Model] | type[dict[str, JSON]] = dict,
        params: Mapping[str, QueryValue] | None = None,
        json: Model | Mapping[str, object] | list[object] | None = None,
    ) -> object:
        """Call something that the SDK has no method for, with all its rules.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, or `dict` for the plain JSON object.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601.
            json: The body.

        Returns:
            The result as the class that was asked for, a `Response` of it through `with_raw_response`, a
                `PlannedRequest` through `plan`; async clients give a coroutine of it.

        Raises:
            RequestError: An absolute URL, or a path with `?`, `#`, `%` or a dot segment.
            SubscribekitError: As every call. A POST is never repeated once a byte of it has left.
        """
        reader = free_reader(result, path)
        found = described(partial(free_operation, method, path, params, json, reader))
        del path, params, json  # no argument stays in a frame that an error's traceback shows (H31)
        return self._driver.send(accept(found, "request"), "request")
