"""Classifies exceptions that an httpx client raises outside its transport, such as those of event hooks.

httpx calls the event hooks and the transport in the same method, so this module finds the source of an exception in its
traceback. If the source of an exception isn't clear, the SDK assumes that the request was sent.
"""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, cast

from ....errors import InvalidArgumentError
from ..failure import TransportFailure, names_of
from ..progress import Progress
from .foreign_failure import FAMILIES

if TYPE_CHECKING:
    import httpx

_AROUND = "_send_handling_redirects"
"""The method of an httpx client that calls the request hooks, sends the request, and calls the response hooks."""
_SENDS = "_send_single_request"
_REDIRECT = "_build_redirect_request"


def classify_hook_error(error: Exception, progress: Progress, client: object) -> "httpx.Response | None":
    """Return the response if an httpx client raised an exception about the response's status or redirect.

    Args:
        error: The exception of `send`.
        progress: How far the request got.
        client: The httpx client.

    Returns:
        The response, with an unread body, if the exception is about the response's status or redirect; `None` if the
        transport raised the exception.

    Raises:
        InvalidArgumentError: A request hook raised the exception. Nothing was sent.
        TransportFailure: A response hook raised the exception, so the outcome of a write is unknown.
    """
    step = error.__traceback__
    while step is not None and not _is_of_client(step, _AROUND):
        step = step.tb_next
    while step is not None and step.tb_next is not None and step.tb_next.tb_frame is step.tb_frame:
        step = step.tb_next  # httpx closed the response and raised the exception again in this frame
    after = None if step is None else step.tb_next
    if step is None or (after is not None and _is_of_client(after, _SENDS)):
        return None
    response = cast("httpx.Response | None", step.tb_frame.f_locals.get("response"))
    name = type(error).__name__
    if response is None:
        if progress.has_begun or not _may_be_of_request_hook(client):
            return None
        raise InvalidArgumentError(f"a request hook of http_client raised {name}; nothing was sent") from error
    if "HTTPStatusError" in names_of(error) or (after is not None and _is_of_client(after, _REDIRECT)):
        return response
    text = f"a response hook of http_client raised {name}"
    raise TransportFailure(text, "response_started", of_application=error) from error


def _may_be_of_request_hook(client: object) -> bool:
    """Return whether a request hook may be the source of an exception, and no tool replaces httpx's send (H424)."""
    hooks: Mapping[str, Sequence[object]] = getattr(client, "event_hooks", {})
    home: Mapping[str, object] = getattr(getattr(client, _SENDS, None), "__globals__", {})
    return bool(hooks.get("request")) and str(home.get("__name__")).partition(".")[0] in FAMILIES


def _is_of_client(step: TracebackType, method: str) -> bool:
    home = str(step.tb_frame.f_globals.get("__name__")).partition(".")[0]
    return step.tb_frame.f_code.co_name == method and home in FAMILIES
