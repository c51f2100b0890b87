"""Late imports of a call, and the meaning of their failure, such as without a free file descriptor (H251)."""

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
"""The results of writes that are loaded with all that they may hold."""

UNLOADABLE = (ImportError, OSError, AttributeError, NameError, LookupError)
"""Errors of an import that fails, finds a half-imported module of another thread, or lacks a codec."""


def load_before(operation: Operation[T]) -> None:
    """Load what reading the response to a write needs: later it might fail, and the receipt with it.

    Raises:
        Exception: One of `UNLOADABLE`: it cannot be loaded.
    """
    result = operation.reader.result
    backoff.load()
    uptime()  # reads a file once
    if issubclass(result, Model):
        build_all(result)
    LOADED.add(result)


def not_loaded(error: Exception) -> Failure:
    """Say that a call was not sent, as what it needs could not be loaded."""
    if is_of_signal(error):
        raise error
    text = f"what the call needs could not be loaded ({_reason(error)}); nothing was sent"
    return Failure(Event.NOT_SENT, ConnectionFailedError(text), is_final=True)


def not_read(error: Exception, received: Received) -> Failure:
    """Say that a response could not be read, as what reading needs could not be loaded."""
    if is_of_signal(error):
        raise error
    text = f"the response (status {received.status}) could not be read: a module that it needs could not be loaded"
    failed = about(InvalidResponseError(f"{text} ({_reason(error)})"), received)
    return Failure(Event.DAMAGED if 200 <= received.status < 300 else Event.NO_RESPONSE, failed)


def _reason(error: Exception) -> str:
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else type(error).__name__
