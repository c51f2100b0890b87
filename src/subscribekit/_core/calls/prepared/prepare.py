"""Prepares the request of a call, and returns the call of a prepared request. Sends nothing."""

from operator import attrgetter
from typing import Protocol, TypeVar

from ...._articles import with_article
from ...._sealed import content_of, revealed
from ....errors import InvalidArgumentError
from ...config.environments import GROUP_NAMES
from ...http.headers import Headers
from ...operations.operation import Operation
from ..settings import UNNAMED, Settings
from .prepared_call import PreparedCall, prepare_call
from .prepared_request import PreparedRequest

T = TypeVar("T")

_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key"})
"""Headers that contain a credential. `_is_unchanged` ignores these headers, because each client adds its own
credential."""


def prepare(settings: Settings, operation: Operation[T], name: str) -> PreparedRequest[T]:
    """Prepare the request of a call. The credential in the result is masked."""
    settings.refuse_prepare(operation, name)
    return shown(settings, name, prepare_call(settings, operation, name))


def shown(settings: Settings, name: str, prepared: PreparedCall[T]) -> PreparedRequest[T]:
    """Return the prepared request of a call as the client would send it, with a masked credential."""
    operation = prepared.operation
    raw = [*prepared.headers, *(prepared.trace.headers() if prepared.trace else ())]
    headers = [(name.decode("ascii"), value.decode("ascii")) for name, value in raw]
    credential = settings.credential.redacted()
    return PreparedRequest(
        operation=name,
        method=operation.method,
        url=prepared.origin + prepared.target,
        headers=Headers(headers + ([credential] if credential else [])),
        body=revealed(prepared.body),
        path_template=operation.template,
        _prepared=prepared,
    )


class _PreparedCall(Protocol):
    def __call__(self, request: PreparedRequest[T], /) -> PreparedCall[T] | None: ...


prepared_call: _PreparedCall = attrgetter("_prepared")
"""Returns the call of a prepared request, or `None` for a request that the caller built by hand."""


def prepared_of(settings: Settings, request: PreparedRequest[T]) -> PreparedCall[T]:
    """Return the call of a prepared request, after checking that this client may send it.

    Raises:
        InvalidArgumentError: `request` isn't a prepared request, or was modified. The SDK also raises
            `InvalidArgumentError` if `request` is for another service, base URL, or environment than the client's.
    """
    if not isinstance(request, PreparedRequest):
        raise InvalidArgumentError(
            f"request must be a PreparedRequest, for example client.prepare.accounts.create(...), not "
            f"{with_article(type(request))}"
        )
    prepared = prepared_call(request)
    if prepared is None:
        raise InvalidArgumentError(
            "a PreparedRequest that was built by hand or comes from the preview of a run can't be sent; create it with "
            "client.prepare. To send the items of a run, use run.send()"
        )
    if prepared.group != settings.group:
        raise InvalidArgumentError(
            f"request was prepared by {GROUP_NAMES[prepared.group]}Client; nothing was sent. Send the request with "
            f"{GROUP_NAMES[prepared.group]}Client instead of {GROUP_NAMES[settings.group]}Client"
        )
    prepared_for = prepared.origin + prepared.prefix
    if prepared_for != settings.address.url:
        raise InvalidArgumentError(
            f"request was prepared for {prepared_for}, and this client calls {settings.address.url}; nothing was sent. "
            f"Send the request with a client for the base URL of the request"
        )
    environments = {prepared.environment, settings.environment} - {UNNAMED}
    if len(environments) > 1:
        raise InvalidArgumentError(
            f"request is for environment {prepared.environment!r}, and this client for {settings.environment!r}; "
            f"nothing was sent. Send the request with a client for the environment of the request"
        )
    if not _is_unchanged(request, prepared):
        raise InvalidArgumentError(
            "the PreparedRequest was modified; nothing was sent. Create the request again with client.prepare"
        )
    return prepared


def _is_unchanged(request: PreparedRequest[T], prepared: PreparedCall[T]) -> bool:
    """Return whether the public attributes of a prepared request still equal the request that would be sent."""
    operation, headers = prepared.operation, request.headers
    shown = (request.operation, request.method, request.url, request.path_template)
    sent = (prepared.name, operation.method, prepared.origin + prepared.target, operation.template)
    if shown != sent or content_of(request.body) != prepared.body:
        return False
    traced = prepared.trace.headers() if prepared.trace else ()
    names = {name.decode().lower() for name, _ in [*prepared.headers, *traced]} | _CREDENTIALS
    kept = all(headers.get(name.decode()) == value.decode() for name, value in prepared.headers)
    return kept and names.issuperset(name.lower() for name in headers)
