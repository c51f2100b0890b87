"""Keeps what httpx, httpcore and hpack log about our calls free of contents.

httpx writes the whole address of each request at INFO; of our calls the record names the path template. At DEBUG
httpcore writes the headers of responses, `Set-Cookie` among them, and errors that quote received bytes (H29); of our
calls its records are cut down to the names of the events, and of hpack, which writes each header, nothing is left.
Records of other users of these libraries in the same process stay as they are.
"""

import logging
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backends.foreign_pool import Watch

in_call: "ContextVar[weakref.ref[Watch] | None]" = ContextVar("subscribekit_in_call", default=None)
"""Refers to the exchange that runs; weakly, so that an interrupt before its end does not cut other logs for ever."""

_EVENTS = ("connection", "http11", "http2", "proxy", "socks")
_ADDRESS = 1
"""Where the record of httpx has the address among its arguments."""


def _is_ours() -> "Watch | None":
    call = in_call.get()
    return None if call is None else call()


def _event_names_only(record: logging.LogRecord) -> bool:
    if _is_ours() is not None:
        record.msg, record.args = str(record.msg).partition(" ")[0], None
    return True


def _template_only(record: logging.LogRecord) -> bool:
    call = _is_ours()
    if call is not None:
        args = record.args
        if isinstance(args, tuple) and len(args) > _ADDRESS:
            record.args = (*args[:_ADDRESS], call.template, *args[_ADDRESS + 1 :])
        else:
            record.msg, record.args = "HTTP Request: %s", (call.template,)
    return True


def _nothing(_: logging.LogRecord) -> bool:
    return _is_ours() is None


_FILTERS: dict[Callable[[logging.LogRecord], bool], tuple[str, ...]] = {
    _event_names_only: tuple(f"{library}.{part}" for library in ("httpcore", "httpcore2") for part in _EVENTS),
    _template_only: ("httpx", "httpx2"),
    _nothing: ("hpack", "hpack.hpack", "hpack.table"),
}
for _filter, _names in _FILTERS.items():
    for _name in _names:
        logging.getLogger(_name).addFilter(_filter)
