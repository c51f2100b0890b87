"""Pickles prepared requests, as the stored form of the call and the public attributes of the request."""

from typing import TypeVar

from pydantic import BaseModel

from .... import _json as json
from ...._sealed import content_of, revealed
from ...._version import __version__
from ....errors import InvalidArgumentError
from ....models._base import Model
from ...config.environments import Group
from ...http.headers import Headers
from ..telemetry.trace import CallTrace
from .prepared_call import PreparedCall, Visible
from .stored import PreparedFor, StoredCall, call_of, extra_headers, stored_call
from .stored_parts import STRICT, DamagedCallError, checked, own_model

T = TypeVar("T")

FORM = 3
"""Version of the pickle format. Increase the version whenever you change the meaning of a pickle or a stored call."""


class _Call(BaseModel):
    """A stored call, the client that may send the call, and the trace of the call."""

    model_config = STRICT

    name: str
    method: str
    safety: str
    target: str
    shape: str
    own: str
    group: Group
    origin: str
    prefix: str
    environment: str
    headers: tuple[tuple[str, str], ...]
    trace: tuple[str, str | None, bool | None] | None


class _Pickle(BaseModel):
    """The public attributes of a prepared request, and the stored call unless the request was built by hand."""

    model_config = STRICT

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    path_template: str
    call: _Call | None


def pickled(
    visible: Visible, prepared: PreparedCall[T] | None
) -> tuple[str, str, int, str, bytes | None, bytes | None, type[Model] | None]:
    """Return the content of a pickle.

    Args:
        visible: The public attributes of the request, which the caller may have changed.
        prepared: The call, or `None` for a request that was built by hand.

    Returns:
        The call's name, the SDK's version, the version of the format, a JSON string, the public `body` of the request,
        the body to send, and the class of the result if the caller defined that class.
    """
    content: dict[str, json.JSON] = {
        "method": visible.method,
        "url": visible.url,
        "headers": [[*pair] for pair in visible.headers.items()],
        "path_template": visible.path_template,
        "call": None if prepared is None else _call(prepared),
    }
    body, kind = (None, None) if prepared is None else (revealed(prepared.body), own_model(prepared.operation.reader))
    return visible.operation, __version__, FORM, json.encode(content).decode(), visible.body, body, kind


def _call(call: PreparedCall[T]) -> dict[str, json.JSON]:
    stored, call_trace = stored_call(call.name, call), call.trace
    return {
        "name": stored.name,
        "method": stored.method,
        "safety": stored.safety,
        "target": stored.target,
        "shape": stored.shape,
        "own": stored.own,
        "group": call.group,
        "origin": call.origin,
        "prefix": call.prefix,
        "environment": call.environment,
        "headers": [[*pair] for pair in extra_headers(call)],
        "trace": None if call_trace is None else [call_trace.trace_id, call_trace.parent, call_trace.sampled],
    }


def unpickled(name: str, version: str, form: int, *parts: object) -> tuple[Visible, PreparedCall[object] | None]:
    """Return the public attributes of a pickled request, and its call.

    Raises:
        InvalidArgumentError: The pickle has another format, or its content is damaged.
    """
    if form != FORM:
        raise _unreadable(name, version, f"format {form} instead of {FORM}")
    match parts:
        case (str(text), bytes() | None as shown, bytes() | None as sent, type() | None as kind):
            try:
                found = checked(_Pickle, text)
                prepared = None if found.call is None else _prepared(found.call, sent, kind)
            except DamagedCallError as error:
                reason = str(error)
            else:
                headers = Headers(found.headers)
                return Visible(name, found.method, found.url, headers, shown, found.path_template), prepared
        case _:
            reason = "the content has unexpected parts"
    raise _unreadable(name, version, reason)


def _prepared(call: _Call, body: bytes | None, kind: type[object] | None) -> PreparedCall[object]:
    if kind is not None and not issubclass(kind, Model):
        raise DamagedCallError("the class of the result isn't a model")
    stored = StoredCall(call.name, call.method, call.safety, call.target, content_of(body), call.shape, call.own)
    client = PreparedFor(call.group, call.origin, call.prefix, call.environment, call.headers)
    return call_of(stored, client, None if call.trace is None else CallTrace(*call.trace), kind)


def _unreadable(name: str, version: str, reason: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"can't unpickle {name} (pickled by subscribekit {version}, read by {__version__}; {reason}); nothing was "
        f"sent. Create the prepared request again with client.prepare"
    )
