"""Converts the items of a list to record batches with one schema. Each batch contains its checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import pyarrow as pa

from .._hints.names import did_you_mean
from .._json import encode_stored
from ..errors import InvalidArgumentError
from ..models._base import Model
from ..models._fields import identity_of
from ._error import ExportError
from ._kinds import TEXT, DoesNotFitError, Struct, columns_of
from ._plain import UNKNOWN, unknown_fields

M = TypeVar("M", bound=Model)

CHECKPOINT = b"subscribekit.checkpoint"


class Table(Generic[M]):
    """The columns of a list, which convert its items to record batches."""

    def __init__(self, item: type[M], columns: Sequence[str] | None, *, include_personal: bool) -> None:
        known = columns_of(item, include_personal=include_personal)
        names = [*known.fields, UNKNOWN] if columns is None else _chosen(item, known, columns)
        self._include_personal, self._names = include_personal, names
        self._columns = Struct({name: known.fields[name] for name in names if name != UNKNOWN})
        self._types = {name: kind.type for name, kind in self._columns.fields.items()} | {UNKNOWN: TEXT}
        self.schema = pa.schema([pa.field(name, self._types[name]) for name in names])

    def batch(self, items: Sequence[M], checkpoint: str) -> pa.RecordBatch:
        """Convert the items of a page to a batch.

        Raises:
            ExportError: A value doesn't fit its column.
        """
        arrays = [pa.array(self._values(name, items), type=self._types[name]) for name in self._names]
        # The type stubs of pyarrow don't declare the element type of an array.
        return pa.RecordBatch.from_arrays(  # pyright: ignore[reportUnknownMemberType]
            arrays, names=self._names, metadata={CHECKPOINT: checkpoint.encode()}
        )

    def _values(self, name: str, items: Sequence[M]) -> list[object]:
        if name == UNKNOWN:
            return [self._unknown(item) for item in items]
        values: list[object] = []
        for item in items:
            try:
                values.append(self._columns.field(name, item))
            except DoesNotFitError as error:
                raise _export_error(_path(error.steps), identity_of(item), str(error)) from None
        return values

    def _unknown(self, item: M) -> str | None:
        found = unknown_fields(item, include_personal=self._include_personal)
        return encode_stored(found).decode() if found else None


def _export_error(column: str, item: str | None, problem: str) -> ExportError:
    error = ExportError(f"column {column!r} of item {item!r}: {problem}")
    error.column, error.item = column, item
    return error


def _path(steps: Sequence[str]) -> str:
    return "".join(step if step.startswith("[") else f".{step}" for step in reversed(steps)).removeprefix(".")


def _chosen(item: type[Model], known: Struct, columns: Sequence[str]) -> list[str]:
    given: object = columns
    names = list(columns) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else []
    if not names:
        raise InvalidArgumentError("columns must be a list of at least one name, such as columns=['id', 'created']")
    for name in names:
        is_text = isinstance(name, str)
        if is_text and (name in known.fields or name == UNKNOWN):
            continue
        if is_text and name in columns_of(item, include_personal=True).fields:
            raise InvalidArgumentError(
                f"column {name!r} of {item.__name__} is personal. To read personal columns, pass include_personal=True"
            )
        raise InvalidArgumentError(
            f"{item.__name__} has no column {name!r}{did_you_mean(str(name), [*known.fields, UNKNOWN])}"
        )
    if len(set(names)) < len(names):
        raise InvalidArgumentError("columns contains a name twice; list each name once")
    return names
