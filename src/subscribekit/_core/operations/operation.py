"""Describes an API operation with its arguments: the request, and the reader of the response. Does no I/O.

The SDK checks the arguments when it creates an `Operation`, so that the traceback shows the caller's line. A wire name
that the specification doesn't document is a `Wire` marker, and the client gets the name from `WireNames`. The SDK
doesn't guess undocumented wire names, because an incorrect name could change other data.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Literal, TypeAlias, TypeVar

from ..._sealed import Content, content_of
from ...models._base import Model
from .arguments import Pairs, path
from .identity import Identity, named
from .readers import NOTHING, Reader, ReadModel

T = TypeVar("T")

Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]


class Safety(StrEnum):
    """The safety class of an operation: whether a repeated request is harmless."""

    READ = "S"
    PUT = "P"
    """Sets absolute values, so that a repeated request has no further effect (E11)."""
    DELETE = "D1"
    """Removes the resource that an identifier names."""
    DELETE_MATCHING = "D2"
    """Removes all resources that match a filter when the request arrives (E9)."""
    WRITE = "M"
    MONEY = "M$"
    """Moves money, so that a repeated request can charge or refund twice (E8)."""

    @property
    def is_read(self) -> bool:
        """Whether the operation only reads."""
        return self is Safety.READ


PostSafety: TypeAlias = Literal[Safety.WRITE, Safety.MONEY]
DeleteSafety: TypeAlias = Literal[Safety.DELETE, Safety.DELETE_MATCHING]


@dataclass(slots=True, kw_only=True, repr=False)
class Operation(Generic[T]):
    """A request, and the type of its result.

    Attributes:
        method: HTTP method.
        template: Path without identifiers, for logs, errors, and traces, such as `/payments/{payment}/actions/reverse`.
        path: The decoded path segments.
        reader: Converts the response to the result.
        safety: The safety class. It has no default, because the SDK would retry a write that was described as a read by
            mistake.
        query: Names and values of the query, in the order in which they're sent.
        headers: Extra headers of this operation.
        body: The encoded body, or `None`.
        resource_id: The last identifier in the path.
        reconcile_key: The key to search for if the outcome is unknown.
        reconcile_by: The name of the reconcile key in error messages, such as `transaction_id`.
        original_transaction_id: For a refund, the transaction ID of the charge to refund (E8).
        needs_credential: Whether the operation needs authentication. `False` for `campaigns.activate` (E5), which the
            specification documents without authentication.
        is_compared: Whether `resolve` compares the body with a resource, so that the error must contain digests of the
            body.
        is_dry_run: Whether the service only calculates the result and stores nothing, according to its documentation.
        identity: Checks that the response is about the resource that the call named. `None` for lists, deletions,
            generic calls other than charges, and writes whose response has no ID.
    """

    method: Method
    template: str
    path: tuple[str, ...]
    reader: Reader[T]
    safety: Safety
    query: Pairs = ()
    headers: Pairs = ()
    body: Content | None = None
    resource_id: str | None = None
    reconcile_key: str | None = None
    reconcile_by: str = "the identifier"
    original_transaction_id: str | None = None
    needs_credential: bool = True
    is_compared: bool = False
    is_dry_run: bool = False
    identity: Identity | None = None

    @property
    def result(self) -> type[T]:
        """The type of the result."""
        return self.reader.result

    def __repr__(self) -> str:
        # Omit the query and the body, which may be personal, because tracebacks with local variables print the `repr`.
        return f"<Operation {self.method} {self.template}>"


R = TypeVar("R", bound=Model)


def get(
    template: str,
    *values: str,
    result: type[R],
    query: Pairs = (),
    headers: Pairs = (),
    identity: Identity | None = None,
) -> Operation[R]:
    """Return the operation that reads one resource. The default `identity` is the last identifier in the path."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="GET",
        template=clean,
        path=segments,
        reader=ReadModel(result),
        safety=Safety.READ,
        query=query,
        headers=headers,
        resource_id=resource_id,
        reconcile_key=resource_id,
        identity=named(resource_id) if identity is None and resource_id is not None else identity,
    )


def post(
    template: str,
    *values: str,
    result: type[R],
    safety: PostSafety,
    body: bytes | None = None,
    identity: Identity | None,
    query: Pairs = (),
    reconcile_key: str | None = None,
    reconcile_by: str = "the identifier",
    original_transaction_id: str | None = None,
    needs_credential: bool = True,
    is_compared: bool = False,
    is_dry_run: bool = False,
) -> Operation[R]:
    """Return the operation that creates or updates a resource, or performs an action.

    `result` is the model of the response. The default of `reconcile_key` is the last identifier in the path. The other
    arguments are the attributes of `Operation` with the same names.
    """
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="POST",
        template=clean,
        path=segments,
        reader=ReadModel(result, any_shape=identity is None or not identity.is_required),
        safety=safety,
        query=query,
        body=content_of(body),
        resource_id=resource_id,
        reconcile_key=resource_id if reconcile_key is None else reconcile_key,
        reconcile_by=reconcile_by,
        original_transaction_id=original_transaction_id,
        needs_credential=needs_credential,
        is_compared=is_compared,
        is_dry_run=is_dry_run,
        identity=identity,
    )


def put(template: str, *values: str, reader: Reader[T], body: bytes, identity: Identity) -> Operation[T]:
    """Return the operation that sets absolute values, so that a repeated request has no further effect (E11)."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="PUT",
        template=clean,
        path=segments,
        reader=reader,
        safety=Safety.PUT,
        body=content_of(body),
        resource_id=resource_id,
        reconcile_key=resource_id,
        identity=identity,
    )


def delete(
    template: str, *values: str, safety: DeleteSafety, query: Pairs = (), reconcile_key: str | None = None
) -> Operation[None]:
    """Return the operation that removes the resource in the path, or all resources that the query selects (E9)."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="DELETE",
        template=clean,
        path=segments,
        reader=NOTHING,
        safety=safety,
        query=query,
        resource_id=resource_id,
        reconcile_key=resource_id if reconcile_key is None else reconcile_key,
    )
