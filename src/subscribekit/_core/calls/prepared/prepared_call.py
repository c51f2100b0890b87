"""A call with a fixed request: the bytes to send, and how to read the response. Contains no credential."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from ...._sealed import Content
from ...config.environments import Group
from ...operations.operation import Operation
from ..request import RawHeader, body_of, fixed_headers, target_of
from ..settings import Settings
from ..telemetry import trace
from ..telemetry.trace import CallTrace

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PreparedCall(Generic[T]):
    """The fixed request of a call, which can be pickled.

    Attributes:
        operation: The operation, with the arguments of the call.
        group: The service of the client that prepared the call, such as `billing`.
        origin: Scheme, host, and port that the request is for.
        prefix: Path of the base URL, with which the target starts.
        target: Path and query, percent-encoded.
        headers: The headers that don't change between attempts, without the credential and the trace.
        body: The exact bytes, compressed if the client compresses requests.
        trace: The trace of the call. Each attempt has its own span.
        name: The SDK's name of the operation, which `resolve` needs if the outcome is unknown.
        environment: Name of the environment of the client that prepared the call, or `custom`.
    """

    operation: Operation[T]
    group: Group
    origin: str
    prefix: str
    target: str
    headers: tuple[RawHeader, ...]
    body: Content | None
    trace: CallTrace | None
    name: str
    environment: str


class Visible(NamedTuple):
    """The public attributes of a prepared request, in their order."""

    operation: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    path_template: str


def prepare_call(settings: Settings, operation: Operation[T], name: str) -> PreparedCall[T]:
    """Build the request of a call.

    Raises:
        InvalidArgumentError: The path and query are too long.
        ConfigurationError: A wire name isn't set.
    """
    body = body_of(settings, operation)
    return PreparedCall(
        operation=operation,
        group=settings.group,
        origin=settings.address.origin,
        prefix=settings.address.prefix,
        target=target_of(settings, operation),
        headers=tuple(fixed_headers(settings, operation, body)),
        body=body,
        trace=trace.start(settings.trace),
        name=name,
        environment=settings.environment,
    )
