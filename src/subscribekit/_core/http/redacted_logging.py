"""Keeps what httpcore logs about our calls free of contents.

At DEBUG httpcore writes the headers of responses, `Set-Cookie` among them, and errors that quote received bytes (H29).
While a call of ours runs over a transport that was given, its records are cut down to the names of the events; those of
other users of httpcore in the same process stay as they are.
"""

import logging
import weakref
from contextvars import ContextVar

in_call: "ContextVar[weakref.ref[object] | None]" = ContextVar("subscribekit_in_call", default=None)
"""Refers to the exchange that runs; weakly, so that an interrupt before its end does not cut other logs for ever."""

_LOGGERS = ("httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")


class _EventNamesOnly(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        call = in_call.get()
        if call is not None and call() is not None:
            record.msg, record.args = str(record.msg).partition(" ")[0], None
        return True


_names_only = _EventNamesOnly()
for _name in _LOGGERS:
    logging.getLogger(_name).addFilter(_names_only)
