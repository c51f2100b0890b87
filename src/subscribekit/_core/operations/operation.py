"""One call to the service as a value: what to send and how its answer reads. No I/O.

An operation refuses bad arguments when it is built, so the traceback shows the caller. Names on the wire that the
specification does not show stand in it as `Wire` markers; a client's `WireNames` resolve them (design: nothing is
guessed into a write).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Literal, TypeAlias, TypeVar

from ...models._base import Model
from .arguments import Pairs, path
from .readers import NOTHING, Reader, ReadModel

T = TypeVar("T")


Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]


class Safety(StrEnum):
    """What a repeated request would do; the retry matrix has one column for each."""

    READ = "S"
    PUT = "P"
    """Sets absolute values (E11)."""
    DELETE = "D1"
    """Removes what an identifier names."""
    DELETE_MATCHING = "D2"
    """Removes what matches when the request arrives (E9)."""
    WRITE = "M"
    MONEY = "M$"
    """Moves money and has nothing that makes a repetition harmless (E8)."""

    @property
    def is_read(self) -> bool:
        """Whether the operation changes nothing."""
        return self is Safety.READ

    @property
    def repeatable(self) -> bool:
        """Whether a repetition after an unknown outcome does no harm."""
        return self in (Safety.READ, Safety.PUT, Safety.DELETE)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Operation(Generic[T]):
    """A request and the type of its result.

    Attributes:
        method: HTTP method.
        template: Path with identifiers left out, for logs, errors and traces: `/payments/{payment}/actions/reverse`.
        path: The decoded path segments.
        reader: How the answer becomes the result.
        query: Names and texts, in the order they are sent.
        headers: Extra headers of this operation.
        body: The encoded body, made once; `None` for none.
        safety: What a repetition would do.
        resource_id: The last identifier in the path.
        reconcile_key: What to look the operation up by after an unknown outcome.
        reconcile_by: What that is, in a sentence.
        original_transaction_id: For a refund, the charge that it refunds (E8).
        needs_credential: `False` where the specification does not show a scheme (E5).
    """

    method: Method
    template: str
    path: tuple[str, ...]
    reader: Reader[T]
    query: Pairs = ()
    headers: Pairs = ()
    body: bytes | None = None
    safety: Safety = Safety.READ
    resource_id: str | None = None
    reconcile_key: str | None = None
    reconcile_by: str = "the identifier"
    original_transaction_id: str | None = None
    needs_credential: bool = True

    @property
    def result(self) -> type[T]:
        """The type of the result."""
        return self.reader.result

    def __repr__(self) -> str:
        # Query and body may hold personal data; tracebacks with locals print this.
        return f"<Operation {self.method} {self.template}>"


R = TypeVar("R", bound=Model)


def get(template: str, *values: str, result: type[R], query: Pairs = ()) -> Operation[R]:
    """Read one resource."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="GET",
        template=clean,
        path=segments,
        query=query,
        reader=ReadModel(result),
        resource_id=resource_id,
        reconcile_key=resource_id,
    )


def post(
    template: str,
    *values: str,
    result: type[R],
    body: bytes | None = None,
    query: Pairs = (),
    empty: bool = False,
) -> Operation[R]:
    """Create, update or act; `empty` allows an answer without a body."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="POST",
        template=clean,
        path=segments,
        query=query,
        body=body,
        reader=ReadModel(result, empty=empty),
        safety=Safety.WRITE,
        resource_id=resource_id,
        reconcile_key=resource_id,
    )


def delete(template: str, *values: str, query: Pairs = ()) -> Operation[None]:
    """Remove what an identifier names; the answer's body is not read."""
    clean, segments, resource_id = path(template, *values)
    return Operation(
        method="DELETE",
        template=clean,
        path=segments,
        query=query,
        reader=NOTHING,
        safety=Safety.DELETE,
        resource_id=resource_id,
        reconcile_key=resource_id,
    )
