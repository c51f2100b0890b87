"""The five styles of an operation, and the signature that it has in each, computed on request."""

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, get_args, get_origin, get_type_hints

from ..calls.prepared.prepared_request import PreparedRequest
from ..calls.response import Response
from ..config.environments import GROUP_NAMES, Group
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..operations.readers import Page

if TYPE_CHECKING:
    from inspect import Signature

_PACKAGE = __name__.partition(".")[0]
_ROOT = Path(__file__).parent.parent.parent


class Style(Enum):
    """How the operations of an object are called: the face that checkers and editors see, and its owner."""

    BLOCKING = ("blocking", "", "{}Client")
    ASYNC = ("asynchronous", "Async", "Async{}Client")
    RAW = ("raw", "Raw", "{}Client.with_raw_response")
    ASYNC_RAW = ("asynchronous_raw", "AsyncRaw", "Async{}Client.with_raw_response")
    PREPARED = ("prepared", "Prepared", "(Async){}Client.prepare")

    def __init__(self, folder: str, prefix: str, holder: str) -> None:
        self._folder, self._prefix, self._holder = folder, prefix, holder

    def holder(self, group: Group) -> str:
        """Name what operations of a group are called on in this style."""
        return self._holder.format(GROUP_NAMES[group])

    def face(self, kind: type) -> tuple[str, str]:
        """Give module and name of the class that checkers and editors follow; a class from elsewhere has none."""
        module = kind.__module__.removeprefix(f"{_PACKAGE}.").removeprefix("_core.client.")
        if module == kind.__module__:
            return kind.__module__, kind.__name__
        prefix = self._prefix or ("Blocking" if kind.__name__.endswith("Resources") else "")
        return f"{_PACKAGE}._faces.{self._folder}.{module}", prefix + kind.__name__


def show(kind: type) -> None:
    """Let shells that complete from live objects find the source of a face: they look for the file of its module."""
    name = kind.__module__
    if name not in sys.modules:
        module = ModuleType(name)
        module.__file__ = str(_ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py"))  # which has its stub beside it
        sys.modules.setdefault(name, module)
    setattr(sys.modules[name], kind.__name__, kind)


def _lists() -> Mapping[Style, type]:
    """The classes of lists, which are loaded with the first one."""
    from ..lists.pager import AsyncPager, AsyncRawPager, Pager, RawPager

    return {
        Style.BLOCKING: Pager,
        Style.ASYNC: AsyncPager,
        Style.RAW: RawPager,
        Style.ASYNC_RAW: AsyncRawPager,
    }


def _result(described: object, style: Style) -> object:
    """Give what a call returns or, in the async styles, what awaiting it gives, from what its method describes."""
    kind, found = get_origin(described), next(iter(get_args(described)), None)
    if kind is Listing:
        listed = _lists().get(style)
        return PreparedRequest[Page[found]] if listed is None else listed[found]  # type: ignore[valid-type,index]  # at run time
    if kind is not Operation:
        return described
    if style is Style.PREPARED:
        return PreparedRequest[found]  # type: ignore[valid-type]  # at run time
    return Response[found] if style in (Style.RAW, Style.ASYNC_RAW) else found  # type: ignore[valid-type]  # at run time


def annotations(method: Callable[..., object], style: Style, modules: tuple[str, ...] = ()) -> dict[str, object]:
    """Give the annotations of a method in one style, resolved.

    Args:
        method: The method that describes the call.
        style: How it is called.
        modules: Where further names of its annotations are, which are imported late.
    """
    names = {name: value for module in modules for name, value in vars(import_module(module)).items()}
    hints = get_type_hints(method, localns=names, include_extras=True)
    return {name: _result(hint, style) if name == "return" else hint for name, hint in hints.items()}


def signature(method: Callable[..., object], style: Style, modules: tuple[str, ...] = ()) -> "Signature":
    """Give the signature of a method in one style, with its first parameter."""
    import inspect  # it costs more than a client

    hints, written = annotations(method, style, modules), inspect.signature(method)
    parameters = [
        each.replace(annotation=hints.get(name, each.annotation)) for name, each in written.parameters.items()
    ]
    return written.replace(parameters=parameters, return_annotation=hints.get("return", written.return_annotation))
