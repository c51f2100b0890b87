"""Methods written once, called in five styles.

A method of a resource class only describes its call, as an `Operation` or a `Listing`. Reached through an instance it
sends that description: at once with a `Driver`, as a coroutine with an `AsyncDriver`, as a `Response` with the raw
drivers, not at all with a `Preparer`. Reached through the class it stays a description.

Type checkers and editors follow plain classes with plain methods, generated from these into `_faces`.
"""

import re
from collections.abc import Callable, Coroutine
from functools import partial, update_wrapper
from operator import attrgetter, methodcaller
from types import MethodType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from ..._hints.missing import Hinted
from ...errors import SubscribekitError
from ...models._base import Model
from ..calls.drivers import AsyncDriver, Driver
from ..calls.outcomes.refusal import accept, described
from ..calls.prepared.prepare import prepare
from ..calls.prepared.prepared_request import PreparedRequest
from ..calls.response import Response
from ..calls.settings import Settings
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..operations.readers import Page
from ..resolving.rules import Rule
from . import styles
from .styles import Style

if TYPE_CHECKING:
    from ..lists.pager import AsyncPager, AsyncRawPager, Pager, RawPager  # loaded with the first list

__tracebackhide__ = methodcaller("errisinstance", (SubscribekitError, TypeError))  # pytest shows the caller's line

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=Model)
F = TypeVar("F", bound=Callable[..., object])
B = TypeVar("B")


class RawDriver:
    """Runs calls and gives their results as `Response`."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.settings: Settings = driver.settings

    def send(self, operation: Operation[T], name: str) -> Response[T]:
        """Run a call."""
        return self._driver.exchange(operation, name)

    def pages(self, listing: Listing[M], name: str) -> "RawPager[M]":
        """Read a list page by page."""
        from ..lists.pager import RawPager

        return RawPager(self._driver, listing, name)


class AsyncRawDriver:
    """Runs calls in the event loop and gives their results as `Response`."""

    def __init__(self, driver: AsyncDriver) -> None:
        self._driver = driver
        self.settings: Settings = driver.settings

    async def send(self, operation: Operation[T], name: str) -> Response[T]:
        """Run a call."""
        return await self._driver.exchange(operation, name)

    def pages(self, listing: Listing[M], name: str) -> "AsyncRawPager[M]":
        """Read a list page by page."""
        from ..lists.pager import AsyncRawPager

        return AsyncRawPager(self._driver, listing, name)


class Preparer:
    """Sends nothing and shows what would be sent."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def send(self, operation: Operation[T], name: str) -> PreparedRequest[T]:
        """Prepare the request of a call."""
        return prepare(self.settings, operation, name)

    def pages(self, listing: Listing[M], name: str) -> PreparedRequest[Page[M]]:
        """Prepare the request for a list's first page."""
        in_place = partial(listing.of_client, self.settings.wire_names, self.settings.named_environment)
        return self.send(accept([described(in_place)], name).first_page, name)


StyledDriver: TypeAlias = Driver | AsyncDriver | RawDriver | AsyncRawDriver | Preparer
D = TypeVar("D", bound=StyledDriver)
D_co = TypeVar("D_co", bound=StyledDriver, covariant=True)

_STYLES: dict[type, Style] = {
    Driver: Style.BLOCKING,
    AsyncDriver: Style.ASYNC,
    RawDriver: Style.RAW,
    AsyncRawDriver: Style.ASYNC_RAW,
    Preparer: Style.PREPARED,
}


class Bound(Hinted, Generic[D]):
    """Base of objects with operations, and a driver that sends them; `styled` gives the class whose operations do."""

    _style: ClassVar[Style]

    def __init__(self, driver: D) -> None:
        self._driver = driver

    def _title(self) -> str:
        return self._style.holder(driver_of(self).settings.group)


_styled: dict[tuple[type, Style], type] = {}


def styled(kind: type[B], driver: StyledDriver) -> type[B]:
    """Give the class whose operations a driver sends, for instances and for `help`, which asks classes."""
    style = next((style for each, style in _STYLES.items() if isinstance(driver, each)), None)
    if style is None:  # no driver: its methods describe
        return kind
    found = _styled.get((kind, style))
    if found is None:
        module, name = style.face(kind)
        members = {"__module__": module, "__doc__": kind.__doc__, "_style": style, "__repr__": _shown}
        found = _styled.setdefault((kind, style), type(name, (kind,), members))  # threads get the same one
        if module != kind.__module__:
            styles.show(found)
    return cast("type[B]", found)


class Resource(Bound[D]):
    """A family of operations bound to a driver."""

    def _title(self) -> str:
        return f"{self._family()} of {super()._title()}"

    def _family(self) -> str:
        return _words(type(self).__mro__[1].__name__)


class _Driven(Protocol[D_co]):
    @property
    def _driver(self) -> D_co: ...


class _DriverOf(Protocol):
    def __call__(self, holder: _Driven[D], /) -> D: ...


_title_of: Callable[[Bound[Any]], str] = methodcaller("_title")
driver_of: _DriverOf = attrgetter("_driver")
"""The driver behind a client, a family or a list; users have no use for it, so its name has an underscore."""


def _shown(holder: Bound[Any]) -> str:
    names = ", ".join(name for name in dir(type(holder)) if not name.startswith("_"))
    return f"<{_title_of(holder)} environment={driver_of(holder).settings.environment!r}: {names}>"


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _name(owner: type, method: str) -> str:
    """The SDK's name of a call: `partner_subscriptions.cancel`, or `request`."""
    return f"{_words(owner.__name__)}.{method}" if issubclass(owner, Resource) else method


class _Method:
    """A method in one style, which computes its signature and annotations on request."""

    # No entries of `__dict__`, which `functools.wraps` copies.
    __slots__ = ("__dict__", "__weakref__", "_modules", "_name", "_style", "_wanted")

    def __init__(self, wanted: Callable[..., Any], style: Style, name: str, modules: tuple[str, ...] = ()) -> None:
        update_wrapper(self, wanted, ("__module__", "__name__", "__qualname__", "__doc__"), ())
        self._wanted, self._style, self._name, self._modules = wanted, style, name, modules

    def __get__(self, holder: object, owner: type) -> Callable[..., Any]:
        return self if holder is None else MethodType(self, holder)

    def __call__(self, holder: Bound[Any], /, *args: object, **kwargs: object) -> object:
        return self._wanted(holder, *args, **kwargs)

    def __getattr__(self, name: str) -> object:
        # Attributes that `inspect` and `typing` read from functions.
        if name == "__signature__":
            return styles.signature(self._wanted, self._style, self._modules)
        if name == "__annotations__":
            return styles.annotations(self._wanted, self._style, self._modules)
        if name == "__code__":  # tells a coroutine function
            return getattr(type(self), "_awaited", type(self).__call__).__code__
        if name in ("__defaults__", "__kwdefaults__", "__globals__"):
            return getattr(self._wanted, name)
        raise AttributeError(f"{self._name} is a method and has no attribute {name!r}", name=None, obj=None)


class _CallMethod(_Method):
    __slots__ = ()

    def __call__(self, holder: Bound[Any], /, *args: object, **kwargs: object) -> object:
        found: Operation[Any] | SubscribekitError | TypeError
        try:
            found = self._wanted(holder, *args, **kwargs)
        except SubscribekitError as error:
            found = error.with_traceback(None)
        except TypeError as error:
            from ..._hints.missing import misused

            found = misused(self._wanted, error)
            if found is error:
                raise
        del args, kwargs  # no argument stays in a frame that an error's traceback shows
        if isinstance(found, SubscribekitError | TypeError):
            refused: list[Operation[Any] | SubscribekitError | TypeError] = [found]
            del found
            return accept(refused, self._name)
        return driver_of(holder).send(found, self._name)


class _AsyncCallMethod(_Method):
    __slots__ = ()

    def __call__(self, holder: Bound[Any], /, *args: object, **kwargs: object) -> Coroutine[Any, Any, object]:
        call = self._awaited(holder, *args, **kwargs)
        named: Any = call
        named.__qualname__ = self._name  # what Python says of a call that was never awaited, and what tasks show
        return call

    async def _awaited(self, holder: Bound[Any], /, *args: object, **kwargs: object) -> object:
        found: list[Operation[Any] | SubscribekitError | TypeError]
        found = [described(partial(self._wanted, holder, *args, **kwargs))]
        del args, kwargs
        return await driver_of(holder).send(accept(found, self._name), self._name)


class _ListMethod(_Method):
    __slots__ = ()

    def __call__(self, holder: Bound[Any], /, *args: object, **kwargs: object) -> object:
        found: list[Listing[Any] | SubscribekitError | TypeError]
        found = [described(partial(self._wanted, holder, *args, **kwargs))]
        del args, kwargs
        return pages(driver_of(holder), accept(found, self._name), self._name)


class _Described(Generic[P, T]):
    """A method that describes something, and a method of each style that does what it describes."""

    _direct: ClassVar[type[_Method]] = _CallMethod
    _awaited: ClassVar[type[_Method]] = _AsyncCallMethod

    def __init__(self, describe: Callable[Concatenate[Any, P], T]) -> None:
        self._describe = describe
        self._methods: dict[Style, _Method] = {}
        self.name: str = describe.__name__
        self.__doc__ = describe.__doc__
        self.__wrapped__ = describe

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = _name(owner, name)

    @overload
    def __get__(self, holder: None, owner: type) -> Callable[Concatenate[Any, P], T]: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Callable[P, object]: ...
    def __get__(self, holder: object, owner: type) -> Callable[..., Any]:
        style: Style | None = getattr(owner, "_style", None)
        if style is None:
            return self._describe if holder is None else MethodType(self._describe, holder)
        method = self._methods.get(style)
        if method is None:
            kind = self._awaited if style in (Style.ASYNC, Style.ASYNC_RAW) else self._direct
            method = self._methods[style] = kind(self._describe, style, self.name)
        return method if holder is None else MethodType(method, holder)


class operation(_Described[P, Operation[T]]):  # noqa: N801  used as a decorator
    """A method that performs one call."""

    rule: Rule | None = None
    """How an unknown outcome is resolved, as far as reads can; see `rule_of.resolved`."""


class listing(_Described[P, Listing[M]]):  # noqa: N801  used as a decorator
    """A method that gives a list, read while it is iterated."""

    _direct = _awaited = _ListMethod


def names_from(*modules: str) -> Callable[[F], F]:
    """Decorate a plain method whose annotations need modules that are imported only when it is called."""

    def decorate(method: F) -> F:
        return cast("F", _Method(method, Style.BLOCKING, method.__name__, modules))

    return decorate


def pages(
    driver: StyledDriver, wanted: Listing[M], name: str
) -> "Pager[M] | AsyncPager[M] | RawPager[M] | AsyncRawPager[M] | PreparedRequest[Page[M]]":
    """Give a list in the form of its driver."""
    if isinstance(driver, RawDriver | AsyncRawDriver | Preparer):
        return driver.pages(wanted, name)
    from ..lists.pager import AsyncPager, Pager

    return Pager(driver, wanted, name) if isinstance(driver, Driver) else AsyncPager(driver, wanted, name)
