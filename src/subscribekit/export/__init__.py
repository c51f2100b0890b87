"""Lists as tables (extra `arrow`): what Parquet, Polars, DuckDB and pandas read.

    from subscribekit import BillingClient
    from subscribekit.export import to_arrow

    billing = BillingClient(environment="sandbox")
    table = to_arrow(billing.accounts.list(limit=100)).read_all()

Amounts are `decimal128(38, 9)`, exact or an error, never floats; timestamps are in UTC. Personal fields are there only
when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar, overload

from .._core.lists.pager import Pager
from .._core.lists.pager_async import AsyncPager
from .._core.operations.arguments import flag
from .._lazy import imported
from .._public import publish
from ..errors import ConfigurationError, InvalidArgumentError
from ..models._base import Model
from ._error import ExportError
from ._partition import partition
from ._partitions import Partition

if TYPE_CHECKING:
    import pyarrow as pa

    from ._batches import AsyncRecordBatches

__all__ = ["AsyncRecordBatches", "ExportError", "Partition", "checkpoint_of", "partition", "to_arrow"]

M = TypeVar("M", bound=Model)


def __getattr__(name: str) -> object:
    if name == "AsyncRecordBatches":
        _require_pyarrow()
    return imported(__name__, {"AsyncRecordBatches": "_batches"}, name)


def __dir__() -> list[str]:
    return sorted(__all__)


@overload
def to_arrow(
    pager: Pager[M], *, columns: Sequence[str] | None = None, include_personal: bool = False
) -> pa.RecordBatchReader: ...
@overload
def to_arrow(
    pager: AsyncPager[M], *, columns: Sequence[str] | None = None, include_personal: bool = False
) -> AsyncRecordBatches: ...
def to_arrow(
    pager: Pager[M] | AsyncPager[M], *, columns: Sequence[str] | None = None, include_personal: bool = False
) -> pa.RecordBatchReader | AsyncRecordBatches:
    """Read a list as record batches, one for each page; nothing is sent before the first one is read.

    The schema comes from the model, so it is the same for every page and for an empty list. Nested objects are structs,
    collections lists of structs, free objects such as `metadata` JSON text. Received data without a field is in
    the column `unknown_fields`, a JSON object.

    Each batch holds the checkpoint behind its page, see `checkpoint_of`. An error leaves the reader where it was: the
    next read asks for the same page again.

    Args:
        pager: The result of a method called `list`.
        columns: Python names of the fields to read, in this order, and `unknown_fields`; all when absent.
        include_personal: Also read personal fields, on every level, and the values of unknown ones.

    Returns:
        A `pyarrow.RecordBatchReader`, which Polars, DuckDB and pandas take as it is; for a list of an async client the
        same to be read with `async for`.

    Raises:
        ConfigurationError: The extra is not installed.
        InvalidArgumentError: It is no pager, or a column is unknown, or personal without `include_personal`.
        ExportError: While reading: a value does not fit its column.
        SubscribekitError: While reading: a page could not be read.
    """
    _require_pyarrow()
    from ._batches import AsyncRecordBatches, read_batches

    flag("include_personal", include_personal)
    if isinstance(pager, Pager):
        return read_batches(pager, columns, include_personal=include_personal)
    if isinstance(pager, AsyncPager):
        return AsyncRecordBatches(pager, columns, include_personal=include_personal)
    raise InvalidArgumentError("to_arrow takes what a method called list gives, such as billing.accounts.list()")


def checkpoint_of(batch: pa.RecordBatch) -> str:
    """Give the checkpoint of a batch: where the list goes on after its last item.

    Keep it together with the batch; `list(..., checkpoint=...)` with the same filters then neither loses nor repeats an
    item. It is the batch's own, whatever was read ahead of it.

    Args:
        batch: A batch of `to_arrow`.

    Raises:
        InvalidArgumentError: The batch is none of `to_arrow`, or lost its metadata on the way.
    """
    _require_pyarrow()
    import pyarrow as pa

    from ._batches import CHECKPOINT

    # A table of several batches bears the metadata of its first one, and going on there would repeat the others.
    found = (batch.schema.metadata or {}).get(CHECKPOINT) if isinstance(batch, pa.RecordBatch) else None
    if found is None:
        raise InvalidArgumentError(
            "the batch holds no checkpoint: take it from the reader itself, not from a table made of it"
        )
    return found.decode()


def _require_pyarrow() -> None:
    try:
        import_module("pyarrow")
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        missing = ConfigurationError("tables need the extra arrow: pip install 'subscribekit[arrow]'")
    else:
        return
    raise missing


publish(__name__, ExportError, Partition, partition)
