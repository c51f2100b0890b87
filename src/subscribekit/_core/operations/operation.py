"""One call to the service as a value: what to send and how its response reads. No I/O.

An operation refuses bad arguments when it is built, so the traceback shows the caller. Names on the wire that the
specification does not show are in it as `Wire` markers; a client's `WireNames` resolve them: a name that
was guessed could write something else than was meant.
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
    """The effect of a second request; the retry table has one column for each."""

    READ = "S"
    PUT = "P"
    """Sets absolute values (E11)."""
    DELETE = "D1"
    """Removes what an identifier names."""
    DELETE_MATCHING = "D2"
    """Removes what matches when the request arrives (E9)."""
    WRITE = "M"
    MONEY = "M$"
    """Moves money, and nothing makes a second request harmless (E8)."""

    @property
    def is_read(self) -> bool:
        """Whether the operation changes nothing."""
        return self is Safety.READ


PostSafety: TypeAlias = Literal[Safety.WRITE, Safety.MONEY]
DeleteSafety: TypeAlias = Literal[Safety.DELETE, Safety.DELETE_MATCHING]


@dataclass(slots=True, kw_only=True, repr=False)
class Operation(Generic[T]):
    """A request and the type of its result.

    Attributes:
        method: HTTP method.
        template: Path with identifiers left out, for logs, errors and traces: `/payments/{payment}/actions/reverse`.
        path: The decoded path segments.
        reader: How the response becomes the result.
        safety: The effect of a second request. It has no default: a write that passes for a read is sent again.
        query: Names and texts, in the order they are sent.
        headers: Extra headers of this operation.
        body: The encoded body, made once; `None` for none.
        resource_id: The last identifier in the path.
        reconcile_key: The key to look the operation up by after an unknown outcome.
        reconcile_by: The kind of key, in a sentence.
        original_transaction_id: For a refund, the charge that it refunds (E8).
        needs_credential: `False` where the specification does not show a scheme (E5).
        is_compared: After an unknown outcome the body is compared with what a read shows, so its digests are kept.
        is_dry_run: The service documents that it only computes the result of this request, and stores nothing.
        identity: Shows that the response is about the resource that the call named; `None` for lists, for deletions,
            for calls without a method, and for writes whose response has no id.
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
        # Query and body may hold personal data; tracebacks with locals print this.
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
    """Read one resource; an absent `identity` is that of the last identifier of the path."""
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
    """Create, update or act.

    `result` is the model of the response; an absent `reconcile_key` is the last identifier of the path. What else has
    the name of an attribute of `Operation` is that attribute.
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
    """Set absolute values, which a second request sets to the same (E11)."""
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
    """Remove what an identifier names, or what a query selects (E9); the response gives no result."""
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
