"""What a call would send, for those who look first. Nothing is sent."""

from typing import TypeVar

from ..http.headers import Headers
from ..operations.operation import Operation
from . import trace
from .request import body_of, fixed_headers, target_of
from .response import PlannedRequest
from .settings import Settings

T = TypeVar("T")


def plan(settings: Settings, operation: Operation[T], name: str) -> PlannedRequest:
    """Describe the first attempt of a call, its credential masked."""
    settings.refuse_without_credential(operation.needs_credential, name)
    body = body_of(settings, operation)
    traced = trace.start(settings.trace)
    raw = fixed_headers(settings, operation, body) + (traced.headers() if traced else [])
    headers = [(name.decode("ascii"), value.decode("ascii")) for name, value in raw]
    credential = settings.credential.redacted()
    return PlannedRequest(
        operation=name,
        method=operation.method,
        url=settings.address.origin + target_of(settings, operation),
        headers=Headers(headers + ([credential] if credential else [])),
        body=body,
        path_template=operation.template,
    )
