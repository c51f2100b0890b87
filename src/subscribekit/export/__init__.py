"""Reads lists as tables for Parquet, Polars, DuckDB, and pandas. Requires the extra `arrow`.

    from subscribekit import BillingClient
    from subscribekit.export import to_arrow

    billing = BillingClient(environment="sandbox")
    table = to_arrow(billing.accounts.list(limit=100)).read_all()

Amounts have the type `decimal128(38, 9)`. An amount that doesn't fit its column raises an error, because amounts are
never rounded or converted to floats. Timestamps are in UTC. Personal fields are left out unless you pass
`include_personal=True`.
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
    """Read a list as Arrow record batches, one for each page. The SDK sends nothing until you read the first batch.

    The schema comes from the model, so it's the same for every page and for an empty list. Nested objects become
    structs, and collections become lists of structs. Objects without a fixed structure, such as `metadata`, become JSON
    text. The column `unknown_fields` contains a JSON object with the received data for which the model has no field.

    Each batch contains the checkpoint after the batch's page; see `checkpoint_of`. If reading a page fails, the next
    read requests the same page again.

    Args:
        pager: The result of a list method, such as `billing.accounts.list()`.
        columns: Python names of the fields to read, in this order, and `unknown_fields` if you need this column. The
            default is all columns.
        include_personal: Whether to read personal fields at every level, and the values of unknown fields.

    Returns:
        A `pyarrow.RecordBatchReader`, which Polars, DuckDB, and pandas accept. For a list of an async client, an
        `AsyncRecordBatches`, which you read with `async for`.

    Raises:
        ConfigurationError: The `arrow` extra isn't installed.
        InvalidArgumentError: `pager` isn't the result of a list method, a column is unknown, or a column is personal
            and `include_personal` isn't set. Nothing was sent.
        ExportError: During the iteration over the batches, the SDK found a value that doesn't fit its column.
        SubscribekitError: During the iteration over the batches, the request for a page failed.
    """
    _require_pyarrow()
    from ._batches import AsyncRecordBatches, read_batches

    flag("include_personal", include_personal)
    if isinstance(pager, Pager):
        return read_batches(pager, columns, include_personal=include_personal)
    if isinstance(pager, AsyncPager):
        return AsyncRecordBatches(pager, columns, include_personal=include_personal)
    raise InvalidArgumentError("pager must be the result of a list method, such as billing.accounts.list()")


def checkpoint_of(batch: pa.RecordBatch) -> str:
    """Return the checkpoint from which the list resumes after the last item of a batch.

    Store the checkpoint together with the batch. To resume without losing or repeating an item, pass the checkpoint as
    `list(..., checkpoint=...)` with the same filters. Reading further batches doesn't change the checkpoint.

    Args:
        batch: A batch that `to_arrow` returned.

    Raises:
        InvalidArgumentError: The batch isn't from `to_arrow`, or no longer has the metadata that `to_arrow` added.
    """
    _require_pyarrow()
    import pyarrow as pa

    from ._batches import CHECKPOINT

    # A table of several batches has only the metadata of the first batch, so resuming would repeat the other batches.
    found = (batch.schema.metadata or {}).get(CHECKPOINT) if isinstance(batch, pa.RecordBatch) else None
    if found is None:
        raise InvalidArgumentError(
            "batch contains no checkpoint; pass a batch from the reader that to_arrow returned, not from a table"
        )
    return found.decode()


def _require_pyarrow() -> None:
    try:
        import_module("pyarrow")
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        missing = ConfigurationError(
            "subscribekit.export requires the 'arrow' extra; run: pip install 'subscribekit[arrow]'"
        )
    else:
        return
    raise missing


publish(__name__, ExportError, Partition, partition)
