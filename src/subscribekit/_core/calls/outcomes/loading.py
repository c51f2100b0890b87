"""Imports the modules that a call needs, and handles imports that fail because no file descriptor is free (H251)."""

from typing import TypeVar

from ...._interrupts import is_of_signal
from ....errors import ConnectionFailedError, InvalidResponseError
from ....models._base import Model
from ....models._ref import build_all
from ...config.clock import uptime
from ...http.received import Received
from ...operations.operation import Operation
from .. import backoff
from .classify import Failure, about
from .retry_table import Event

T = TypeVar("T")

LOADED = set[type]()
"""Result classes of writes whose nested models are already built."""

UNLOADABLE = (ImportError, OSError, AttributeError, NameError, LookupError)
"""Exceptions of a failed import, for example if another thread half-imported the module, or if a codec is missing."""


def load_before(operation: Operation[T]) -> None:
    """Import all modules that are needed to read a write's response, because a later failure would lose the result.

    Raises:
        Exception: An import failed with one of the exceptions in `UNLOADABLE`.
    """
    result = operation.reader.result
    backoff.load()
    uptime()  # only the first call of `uptime` reads a file, so later calls can't fail
    if issubclass(result, Model):
        build_all(result)
    LOADED.add(result)


def not_loaded(error: Exception) -> Failure:
    """Return the failure of a call that wasn't sent because an import failed."""
    if is_of_signal(error):
        raise error
    text = f"a module that the call needs couldn't be imported ({_reason(error)}); nothing was sent"
    return Failure(Event.NOT_SENT, ConnectionFailedError(text), is_final=True)


def not_read(error: Exception, received: Received) -> Failure:
    """Return the failure of a call whose response couldn't be read because an import failed."""
    if is_of_signal(error):
        raise error
    text = f"can't read the response (status {received.status}), because a module couldn't be imported"
    failed = about(InvalidResponseError(f"{text} ({_reason(error)})"), received)
    return Failure(Event.DAMAGED if 200 <= received.status < 300 else Event.NO_RESPONSE, failed)


def _reason(error: Exception) -> str:
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else type(error).__name__
