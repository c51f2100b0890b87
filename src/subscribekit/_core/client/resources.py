"""The bases of the generated classes: they send, or prepare, what a function of `_operations` describes."""

from collections.abc import Callable
from functools import cached_property
from operator import attrgetter, methodcaller
from typing import Any, ClassVar, Generic, ParamSpec, Protocol, TypeVar

from ..._hints.missing import Hinted
from ...errors import SubscribekitError
from ...models._base import Model
from ..calls.driver import Driver, EitherDriver
from ..calls.prepared.prepare import prepare
from ..calls.prepared.prepared_request import PreparedRequest
from ..calls.response import Response
from ..config.environments import GROUP_NAMES
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..operations.readers import Page
from .described import NAMES

__tracebackhide__ = methodcaller("errisinstance", (SubscribekitError, TypeError))  # pytest shows the caller's line

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=Model)
D = TypeVar("D", bound=EitherDriver)
D_co = TypeVar("D_co", bound=EitherDriver, covariant=True)


def keeping(kind: type[T]) -> type[T]:
    """Let an object keep each resource that a property of its class makes.

    Editors show properties as what they are, and tests may replace a `cached_property`, so the class is written with
    the first and runs with the second.
    """
    for name, made in list(vars(kind).items()):
        if isinstance(made, property) and made.fget is not None:
            kept = cached_property(made.fget)
            kept.__set_name__(kind, name)
            setattr(kind, name, kept)
    return kind


class Bound(Hinted, Generic[D]):
    """Base of objects with operations, and a driver that sends them."""

    _holder: ClassVar[str]
    """The client that the object belongs to, as it is written; `{}` is the group."""
    _name: str = ""
    """The attribute of the client; empty for the client's own resources."""
    _provided: tuple[object, ...] = ()
    """The arguments that the object, not the caller, gives to the functions that describe its operations."""

    def __init__(self, driver: D) -> None:
        self._driver: D = driver

    @property
    def _group(self) -> str:
        return self._driver.settings.group

    @property
    def _api_release(self) -> str | None:
        return self._driver.settings.api_release

    def __repr__(self) -> str:
        of = f"{self._name} of " if self._name else ""
        names = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        settings = self._driver.settings
        holder = self._holder.format(GROUP_NAMES[settings.group])
        return f"<{of}{holder} environment={settings.environment!r}: {names}>"

    def _described(self, describe: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> tuple[T, str]:
        """Return the description of a call and its SDK name; a refusal carries the name, too."""
        name = NAMES[describe]
        try:
            return describe(*args, **kwargs), name
        except SubscribekitError as error:
            error.during(name).with_traceback(None)  # the caller's line is where the mistake is
            raise


class SyncResource(Bound[Driver]):
    """Base of objects whose calls block."""

    _holder = "{}Client"

    def _call(self, describe: Callable[P, Operation[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        operation, name = self._described(describe, *args, **kwargs)
        return self._driver.send(operation, name)


class RawResource(Bound[Driver]):
    """Base of objects whose calls block and return a `Response`."""

    _holder = "{}Client.with_raw_response"

    def _call(self, describe: Callable[P, Operation[T]], /, *args: P.args, **kwargs: P.kwargs) -> Response[T]:
        operation, name = self._described(describe, *args, **kwargs)
        return self._driver.exchange(operation, name)


class PreparedResource(Bound[EitherDriver]):
    """Base of objects that return the unsent requests of calls."""

    _holder = "(Async){}Client.prepare"

    def _call(self, describe: Callable[P, Operation[T]], /, *args: P.args, **kwargs: P.kwargs) -> PreparedRequest[T]:
        operation, name = self._described(describe, *args, **kwargs)
        return prepare(self._driver.settings, operation, name)

    def _list(
        self, describe: Callable[P, Listing[M]], /, *args: P.args, **kwargs: P.kwargs
    ) -> PreparedRequest[Page[M]]:
        listing, name = self._described(describe, *args, **kwargs)
        settings = self._driver.settings
        try:
            first_page = listing.of_client(settings.wire_names, settings.named_environment).first_page
        except SubscribekitError as error:
            error.during(name)
            raise
        return prepare(settings, first_page, name)


class _Driven(Protocol[D_co]):
    @property
    def _driver(self) -> D_co: ...


class _DriverOf(Protocol):
    def __call__(self, holder: _Driven[D], /) -> D: ...


driver_of: _DriverOf = attrgetter("_driver")
"""The driver behind a client, a family or a list; users have no use for it, so its name has an underscore."""
provided_by: Callable[[Bound[Any]], tuple[object, ...]] = attrgetter("_provided")
"""What an object provides to the functions that describe its operations."""
