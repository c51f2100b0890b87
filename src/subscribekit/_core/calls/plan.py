"""What a call would send, for those who look first, and the way from a plan back to its call. Nothing is sent."""

from operator import attrgetter
from typing import Protocol, TypeVar

from ..._articles import with_article
from ...errors import RequestError
from ..http.headers import Headers
from ..operations.operation import Operation
from .prepared import Prepared, prepare
from .response import PlannedRequest
from .settings import Settings

T = TypeVar("T")

_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key"})
"""Headers of the credential, which is that of the client that sends."""


def plan(settings: Settings, operation: Operation[T], name: str) -> PlannedRequest[T]:
    """Describe the first attempt of a call, its credential masked."""
    settings.refuse_without_credential(operation.needs_credential, name)
    prepared = prepare(settings, operation)
    raw = [*prepared.headers, *(prepared.trace.headers() if prepared.trace else ())]
    headers = [(name.decode("ascii"), value.decode("ascii")) for name, value in raw]
    credential = settings.credential.redacted()
    return PlannedRequest(
        operation=name,
        method=operation.method,
        url=prepared.origin + prepared.target,
        headers=Headers(headers + ([credential] if credential else [])),
        body=prepared.body,
        path_template=operation.template,
        _prepared=prepared,
    )


class _LaidDown(Protocol):
    def __call__(self, planned: PlannedRequest[T], /) -> Prepared[T] | None: ...


laid_down: _LaidDown = attrgetter("_prepared")
"""The call behind a plan; users have no use for it."""


def prepared_of(settings: Settings, planned: PlannedRequest[T]) -> Prepared[T]:
    """Give the call of a plan that this client may send.

    Raises:
        RequestError: It is no plan, or one of another group or base address.
    """
    if not isinstance(planned, PlannedRequest):
        raise RequestError(
            f"send takes what client.plan gives, such as client.plan.accounts.create(...), not "
            f"{with_article(type(planned))}"
        )
    prepared = laid_down(planned)
    if prepared is None:
        raise RequestError(
            "a PlannedRequest that was built by hand cannot be sent, nor one that the preview of a run shows: "
            "client.plan makes those that can, and a run sends its items itself"
        )
    if prepared.group != settings.group:
        raise RequestError(f"the plan is of the group {prepared.group}, and this client of {settings.group}")
    made_for = prepared.origin + prepared.prefix
    if made_for != settings.address.url:
        raise RequestError(f"the plan was made for {made_for}, and this client calls {settings.address.url}")
    if not _shows(planned, prepared):
        raise RequestError("the plan was changed, and what it shows is not what would be sent; describe the call anew")
    return prepared


def _shows(planned: PlannedRequest[T], prepared: Prepared[T]) -> bool:
    """Whether a plan still shows the request behind it, for which a copy with other fields was not made."""
    operation, headers = prepared.operation, planned.headers
    shown = (planned.method, planned.url, planned.body, planned.path_template)
    if shown != (operation.method, prepared.origin + prepared.target, prepared.body, operation.template):
        return False
    traced = prepared.trace.headers() if prepared.trace else ()
    names = {name.decode().lower() for name, _ in [*prepared.headers, *traced]} | _CREDENTIALS
    kept = all(headers.get(name.decode()) == value.decode() for name, value in prepared.headers)
    return kept and names.issuperset(name.lower() for name in headers)
