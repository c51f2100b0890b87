"""Prepares the request of a call, and returns the call of a prepared request. Sends nothing."""

from operator import attrgetter
from typing import Protocol, TypeVar

from ...._articles import with_article
from ...._sealed import content_of, revealed
from ....errors import InvalidArgumentError
from ...http.headers import Headers
from ...operations.operation import Operation
from ..settings import UNNAMED, Settings
from .prepared_call import PreparedCall, prepare_call
from .prepared_request import PreparedRequest

T = TypeVar("T")

_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key"})
"""Headers of the credential, which is that of the client that sends."""


def prepare(settings: Settings, operation: Operation[T], name: str) -> PreparedRequest[T]:
    """Prepare the first attempt of a call, with its credential masked."""
    settings.refuse_prepare(operation, name)
    return shown(settings, name, prepare_call(settings, operation, name))


def shown(settings: Settings, name: str, prepared: PreparedCall[T]) -> PreparedRequest[T]:
    """Show a request as it will be sent, its credential masked."""
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
"""The call of a prepared request, for the SDK only."""


def prepared_of(settings: Settings, request: PreparedRequest[T]) -> PreparedCall[T]:
    """Return the call of a prepared request that this client may send.

    Raises:
        InvalidArgumentError: It isn't a prepared request, is of another group, base address, or environment, or was
            changed.
    """
    if not isinstance(request, PreparedRequest):
        raise InvalidArgumentError(
            f"request must be a prepared request, such as client.prepare.accounts.create(...), not "
            f"{with_article(type(request))}"
        )
    prepared = prepared_call(request)
    if prepared is None:
        raise InvalidArgumentError(
            "a PreparedRequest that was built by hand cannot be sent, nor one that the preview of a run shows: "
            "client.prepare makes those that can, and a run sends its items itself"
        )
    if prepared.group != settings.group:
        raise InvalidArgumentError(f"the request is of the group {prepared.group}, and this client of {settings.group}")
    made_for = prepared.origin + prepared.prefix
    if made_for != settings.address.url:
        raise InvalidArgumentError(
            f"the request was prepared for {made_for}, and this client calls {settings.address.url}"
        )
    named = {prepared.environment, settings.environment} - {UNNAMED}
    if len(named) > 1:
        raise InvalidArgumentError(
            f"the request was prepared for the environment {prepared.environment!r}, and this client is of "
            f"{settings.environment!r}"
        )
    if not _shows(request, prepared):
        raise InvalidArgumentError("the PreparedRequest was modified; create it again with client.prepare")
    return prepared


def _shows(request: PreparedRequest[T], prepared: PreparedCall[T]) -> bool:
    """Return whether a prepared request, which may be a changed copy, shows the request that would be sent."""
    operation, headers = prepared.operation, request.headers
    shown = (request.operation, request.method, request.url, request.path_template)
    laid = (prepared.name, operation.method, prepared.origin + prepared.target, operation.template)
    if shown != laid or content_of(request.body) != prepared.body:
        return False
    traced = prepared.trace.headers() if prepared.trace else ()
    names = {name.decode().lower() for name, _ in [*prepared.headers, *traced]} | _CREDENTIALS
    kept = all(headers.get(name.decode()) == value.decode() for name, value in prepared.headers)
    return kept and names.issuperset(name.lower() for name in headers)
