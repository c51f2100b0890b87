"""Methods written once, run by either driver: the only type machinery of the package.

A method of a resource class only describes its call, as an `Operation` or a `Listing`. Reached through an instance it
sends that description: at once with a `Driver`, as a coroutine with an `AsyncDriver`, as a `Response` with the raw
drivers, not at all with a `Planner`. Reached through the class it stays a description.
"""

import re
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from operator import attrgetter
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from ...errors import SubscribekitError
from ...models._base import Model
from ..calls.drivers import AsyncDriver, Driver
from ..calls.plan import plan
from ..calls.refusal import accept, described
from ..calls.response import PlannedRequest, Response
from ..calls.settings import Settings
from ..lists.listing import Listing
from ..lists.pager import AsyncPager, AsyncRawPager, Pager, RawPager
from ..operations.operation import Operation
from ..operations.readers import Page
from ..resolving.rules import Rule

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=Model)


class RawDriver:
    """Runs calls and gives their results as `Response`."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.settings: Settings = driver.settings

    def send(self, operation: Operation[T], name: str) -> Response[T]:
        """Run a call."""
        return self._driver.exchange(operation, name)

    def pages(self, listing: Listing[M], name: str) -> RawPager[M]:
        """Read a list page by page."""
        return RawPager(self._driver, listing, name)


class AsyncRawDriver:
    """Runs calls in the event loop and gives their results as `Response`."""

    def __init__(self, driver: AsyncDriver) -> None:
        self._driver = driver
        self.settings: Settings = driver.settings

    async def send(self, operation: Operation[T], name: str) -> Response[T]:
        """Run a call."""
        return await self._driver.exchange(operation, name)

    def pages(self, listing: Listing[M], name: str) -> AsyncRawPager[M]:
        """Read a list page by page."""
        return AsyncRawPager(self._driver, listing, name)


class Planner:
    """Sends nothing and shows what would be sent."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def send(self, operation: Operation[T], name: str) -> PlannedRequest[T]:
        """Describe a call."""
        return plan(self.settings, operation, name)

    def pages(self, listing: Listing[M], name: str) -> PlannedRequest[Page[M]]:
        """Describe the request for a list's first page."""
        accept(described(partial(listing.refuse_names, self.settings.wire_names)), name)
        return self.send(listing.first_page, name)


D = TypeVar("D", bound=Driver | AsyncDriver | RawDriver | AsyncRawDriver | Planner)


class Resource(Generic[D]):
    """A family of operations bound to a driver."""

    def __init__(self, driver: D) -> None:
        self._driver = driver


class _DriverOf(Protocol):
    def __call__(self, resource: Resource[D], /) -> D: ...


driver_of: _DriverOf = attrgetter("_driver")
"""What sends the calls of a family; users have no use for it, so it is no attribute without an underscore."""


def _name(owner: type, method: str) -> str:
    """The SDK's name of a call: `partner_subscriptions.cancel`."""
    family = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", owner.__name__).lower()
    return f"{family}.{method}"


class operation(Generic[P, T]):  # noqa: N801  used as a decorator
    """A method that performs one call."""

    rule: Rule | None = None
    """How an unknown outcome is resolved, as far as reads can; see `rule_of.resolved`."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Operation[T]]) -> None:
        @wraps(describe)
        def call(resource: Resource[Driver], *args: P.args, **kwargs: P.kwargs) -> T:
            found: Operation[T] | SubscribekitError
            try:
                found = describe(resource, *args, **kwargs)
            except SubscribekitError as error:
                found = error.with_traceback(None)
            del args, kwargs  # no argument stays in a frame that an error's traceback shows (H31)
            if isinstance(found, SubscribekitError):
                return accept(found, self.name)
            return driver_of(resource).send(found, self.name)

        @wraps(describe)
        async def call_async(resource: Resource[AsyncDriver], *args: P.args, **kwargs: P.kwargs) -> T:
            found = described(partial(describe, resource, *args, **kwargs))
            del args, kwargs
            return await driver_of(resource).send(accept(found, self.name), self.name)

        self._describe, self._call, self._call_async = describe, call, call_async
        self.name: str = describe.__name__
        self.__doc__ = describe.__doc__
        self.__wrapped__ = describe

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = _name(owner, name)

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[Concatenate[Any, P], Operation[T]]: ...
    @overload
    def __get__(self, resource: Resource[Driver], owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: type) -> Callable[P, Coroutine[object, object, T]]: ...
    @overload
    def __get__(self, resource: Resource[RawDriver], owner: type) -> Callable[P, Response[T]]: ...
    @overload
    def __get__(
        self, resource: Resource[AsyncRawDriver], owner: type
    ) -> Callable[P, Coroutine[object, object, Response[T]]]: ...
    @overload
    def __get__(self, resource: Resource[Planner], owner: type) -> Callable[P, PlannedRequest[T]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: type) -> Callable[..., Any]:
        if resource is None:
            return self._describe
        is_async = isinstance(driver_of(resource), AsyncDriver | AsyncRawDriver)
        return MethodType(self._call_async if is_async else self._call, resource)


class listing(Generic[P, M]):  # noqa: N801  used as a decorator
    """A method that gives a list, read while it is iterated."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Listing[M]]) -> None:
        @wraps(describe)
        def call(resource: Resource[Any], *args: P.args, **kwargs: P.kwargs) -> object:
            found = described(partial(describe, resource, *args, **kwargs))
            del args, kwargs
            return pages(driver_of(resource), accept(found, self.name), self.name)

        self._describe, self._call = describe, call
        self.name: str = describe.__name__
        self.__doc__ = describe.__doc__
        self.__wrapped__ = describe

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = _name(owner, name)

    @overload
    def __get__(self, resource: None, owner: type) -> Callable[Concatenate[Any, P], Listing[M]]: ...
    @overload
    def __get__(self, resource: Resource[Driver], owner: type) -> Callable[P, Pager[M]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: type) -> Callable[P, AsyncPager[M]]: ...
    @overload
    def __get__(self, resource: Resource[RawDriver], owner: type) -> Callable[P, RawPager[M]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncRawDriver], owner: type) -> Callable[P, AsyncRawPager[M]]: ...
    @overload
    def __get__(self, resource: Resource[Planner], owner: type) -> Callable[P, PlannedRequest[Page[M]]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: type) -> Callable[..., Any]:
        return self._describe if resource is None else MethodType(self._call, resource)


def pages(
    driver: Driver | AsyncDriver | RawDriver | AsyncRawDriver | Planner, wanted: Listing[M], name: str
) -> "Pager[M] | AsyncPager[M] | RawPager[M] | AsyncRawPager[M] | PlannedRequest[Page[M]]":
    """Give a list in the form of its driver."""
    if isinstance(driver, RawDriver | AsyncRawDriver | Planner):
        return driver.pages(wanted, name)
    return Pager(driver, wanted, name) if isinstance(driver, Driver) else AsyncPager(driver, wanted, name)
