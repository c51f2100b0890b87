"""The five styles of an operation, and the signature that it has in each, found when somebody asks for it."""

from collections.abc import Callable, Mapping
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, get_args, get_origin, get_type_hints

from ..calls.response import PlannedRequest, Response
from ..lists.listing import Listing
from ..lists.pager import AsyncPager, AsyncRawPager, Pager, RawPager
from ..operations.operation import Operation
from ..operations.readers import Page

if TYPE_CHECKING:
    from inspect import Signature

_CLIENTS = {"billing": "Billing", "gateway": "Gateway", "user_mgmt": "UserMgmt", "storefront": "Storefront"}


class Style(Enum):
    """How the operations of an object are called."""

    BLOCKING = "{}Client"
    ASYNC = "Async{}Client"
    RAW = "{}Client.with_raw_response"
    ASYNC_RAW = "Async{}Client.with_raw_response"
    PLAN = "(Async){}Client.plan"

    def holder(self, group: str) -> str:
        """Name what operations of a group are called on in this style."""
        return self.value.format(_CLIENTS[group])


_LISTS: Mapping[Style, type] = {
    Style.BLOCKING: Pager,
    Style.ASYNC: AsyncPager,
    Style.RAW: RawPager,
    Style.ASYNC_RAW: AsyncRawPager,
}


def _result(described: object, style: Style) -> object:
    """Give what a call returns or, in the async styles, what awaiting it gives, from what its method describes."""
    kind, found = get_origin(described), next(iter(get_args(described)), None)
    if kind is Listing:
        listed = _LISTS.get(style)
        return PlannedRequest[Page[found]] if listed is None else listed[found]  # type: ignore[valid-type,index]  # at run time
    if kind is not Operation:
        return described
    if style is Style.PLAN:
        return PlannedRequest[found]  # type: ignore[valid-type]  # at run time
    return Response[found] if style in (Style.RAW, Style.ASYNC_RAW) else found  # type: ignore[valid-type]  # at run time


def annotations(method: Callable[..., object], style: Style, modules: tuple[str, ...] = ()) -> dict[str, object]:
    """Give the annotations of a method in one style, resolved.

    Args:
        method: What describes the call.
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
