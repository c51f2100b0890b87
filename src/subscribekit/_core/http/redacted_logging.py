"""Removes private data from the log records of httpx, httpcore, and hpack about the SDK's calls.

At INFO, httpx logs the full URL of each request. The filters replace the URL with the path template. At DEBUG, httpcore
logs the headers of responses, including `Set-Cookie`, and errors that quote received bytes (H29). The filters keep only
the names of httpcore's events. hpack logs each header, so the filters drop its records. The filters don't change log
records about requests of other code in the same process.
"""

import logging
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backends.foreign_pool import Watch

in_call: "ContextVar[weakref.ref[Watch] | None]" = ContextVar("subscribekit_in_call", default=None)
"""The running HTTP exchange, as a weak reference, so that an interrupted exchange doesn't affect later log records."""

_EVENTS = ("connection", "http11", "http2", "proxy", "socks")
_URL_POSITION = 1
"""The position of the URL in the arguments of a log record of httpx."""


def _current_exchange() -> "Watch | None":
    call = in_call.get()
    return None if call is None else call()


def _event_names_only(record: logging.LogRecord) -> bool:
    if _current_exchange() is not None:
        record.msg, record.args = str(record.msg).partition(" ")[0], None
    return True


def _template_only(record: logging.LogRecord) -> bool:
    exchange = _current_exchange()
    if exchange is not None:
        args = record.args
        if isinstance(args, tuple) and len(args) > _URL_POSITION:
            record.args = (*args[:_URL_POSITION], exchange.template, *args[_URL_POSITION + 1 :])
        else:
            record.msg, record.args = "HTTP Request: %s", (exchange.template,)
    return True


def _drop(_: logging.LogRecord) -> bool:
    return _current_exchange() is None


_FILTERS: dict[Callable[[logging.LogRecord], bool], tuple[str, ...]] = {
    _event_names_only: tuple(f"{library}.{part}" for library in ("httpcore", "httpcore2") for part in _EVENTS),
    _template_only: ("httpx", "httpx2"),
    _drop: ("hpack", "hpack.hpack", "hpack.table"),
}
for _filter, _names in _FILTERS.items():
    for _name in _names:
        logging.getLogger(_name).addFilter(_filter)
