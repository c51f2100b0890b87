"""A call with a fixed request: the bytes to send, and how to parse the response. Holds no credential."""

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
    """The fixed request of a call; it can be pickled.

    Attributes:
        operation: The call.
        group: Group of the client that prepared it.
        origin: Scheme, host and port that it is for.
        prefix: Path of the base address; the target begins with it.
        target: Path and query, quoted.
        headers: The headers that do not change between attempts; neither credential nor trace.
        body: The exact bytes, compressed if the client does so.
        trace: The trace that it belongs to; each attempt gets its own span.
        name: The SDK's name of the call, by which an unknown outcome is resolved.
        environment: Name of the environment of the client that prepared it, or `custom`.
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
    """Build the request of a call of this name.

    Raises:
        InvalidArgumentError: The address with its query is too long.
        ConfigurationError: A name on the wire is not set.
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
