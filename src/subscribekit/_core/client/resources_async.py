"""Base classes of the generated resources of the async clients."""

from collections.abc import Awaitable, Callable
from operator import methodcaller
from typing import ParamSpec, TypeVar

from ...errors import SubscribekitError
from ..calls.driver_async import AsyncDriver
from ..calls.response import Response
from ..operations.operation import Operation
from .resources import Bound

__tracebackhide__ = methodcaller("errisinstance", (SubscribekitError, TypeError))

P = ParamSpec("P")
T = TypeVar("T")


class AsyncResource(Bound[AsyncDriver]):
    """Base class of the resources of async clients."""

    _holder = "Async{}Client"

    def _call(self, describe: Callable[P, Operation[T]], /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        operation, name = self._described(describe, *args, **kwargs)
        return self._driver.send(operation, name)


class AsyncRawResource(Bound[AsyncDriver]):
    """Base class of the resources of `with_raw_response` in async clients, whose methods return a `Response`."""

    _holder = "Async{}Client.with_raw_response"

    def _call(
        self, describe: Callable[P, Operation[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Awaitable[Response[T]]:
        operation, name = self._described(describe, *args, **kwargs)
        return self._driver.exchange(operation, name)
