"""The sequence type of nested collections, which the service sends as a List envelope, an array, or an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from reprlib import recursive_repr
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    overload,
)

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ._context import Info, is_built
from ._printing import Printer, print_lines, shown
from ._values import Writing, exact, write_open

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_Form: TypeAlias = 'dict[str, object] | Literal["single"] | None'
"""The form in which the service sent a collection: for a List envelope, a mapping of its fields except `data`; for one
object, `"single"`; for an array, `None`."""


_MAX_COUNT_DIGITS: Final = 18
"""Maximum number of digits of a total count. By default, Python can't print integers with more than 4,300
digits."""


class ModelList(Sequence[T_co]):
    """A nested collection: an immutable sequence, with the total number of elements that the service has.

    The SDK reads a collection from a List envelope, an array, or a single object, and sends the collection in the same
    form. If you assign a list to the field, the SDK sends an array. To add an element, assign a new list such as
    `[*account.tokens, another]`, so that the SDK checks the element.
    """

    __slots__ = ("_form", "_items")

    def __init__(self, items: Iterable[T_co] = ()) -> None:
        self._items = list(items)
        self._form: _Form = None

    @property
    def total_count(self) -> int | None:
        """The number of elements that the service has, which can exceed `len()`; `None` if the number wasn't sent."""
        count = self._form.get("total_count") if isinstance(self._form, dict) else None
        if isinstance(count, str) and count.isascii() and count.isdigit() and len(count) <= _MAX_COUNT_DIGITS:
            return int(count)
        return count if type(count) is int and abs(count) < 10**_MAX_COUNT_DIGITS else None

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> list[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | list[T_co]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T_co]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (ModelList, list, tuple)):
            return self._items == list(other)  # pyright: ignore[reportUnknownArgumentType]  # any elements compare
        return NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # like a list, because the elements can change

    @recursive_repr()
    def __repr__(self) -> str:
        if not hasattr(self, "_items"):  # the list is an incomplete copy, which was created without `__init__`
            return "ModelList()"
        count = "" if self.total_count is None else f", total_count={self.total_count}"
        items = ", ".join(map(shown, self._items))
        return f"ModelList([{items}]{count})"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print the elements on several lines in IPython and Jupyter."""
        if cycle or not hasattr(self, "_items"):
            printer.text("ModelList(...)")
            return
        count = "" if self.total_count is None else f", total_count={self.total_count}"
        print_lines(printer, "ModelList([", [("", item) for item in self._items], f"]{count})")

    def _repr_html_(self) -> str:
        from ._html import resources  # only notebooks need this module

        items = getattr(self, "_items", [])
        return resources(f"ModelList of {len(items)}", items)

    def with_items(self, items: Iterable[T]) -> ModelList[T]:
        """Return a collection with the given elements, in the form in which this collection was received."""
        result = ModelList(items)
        result._form = self._form
        return result

    def as_received(self, data: list[object]) -> object:
        """Convert serialized elements to the form in which this collection was received."""
        if isinstance(self._form, dict):
            return {**self._form, "data": data}
        return data[0] if self._form == "single" and len(data) == 1 else data

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        (item,) = get_args(source) or (Any,)
        items = core_schema.list_schema(handler.generate_schema(item))
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_wrap_validator_function(cls._read, items),
            core_schema.with_info_wrap_validator_function(cls._take, items),
            serialization=core_schema.wrap_serializer_function_ser_schema(cls._write, schema=items, info_arg=True),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        array = handler(schema)
        if handler.mode == "validation":
            return array
        envelope = {"type": "object", "properties": {"data": array}, "required": ["data"]}
        return {"anyOf": [array, envelope, array["items"]]}

    @classmethod
    def _read(cls, value: object, handler: core_schema.ValidatorFunctionWrapHandler) -> ModelList[Any]:
        if type(value) is list:
            return cls._own(handler(value))
        if not isinstance(value, dict):
            return cls._build(value, handler)
        fields = cast("dict[str, object]", value)
        if not is_envelope(fields):
            return cls._own(handler([fields]), "single")
        envelope = fields.copy()
        data = envelope.pop("data", None)
        return cls._own(handler([] if data is None else data), envelope)

    @classmethod
    def _take(cls, value: object, handler: core_schema.ValidatorFunctionWrapHandler, info: Info) -> ModelList[Any]:
        if is_built(info) or not isinstance(value, dict):
            return cls._build(value, handler)
        fields = cast("dict[str, object]", value)
        if is_envelope(fields):
            fields = {name: each if name == "data" else exact(each, info) for name, each in fields.items()}
        return cls._read(fields, handler)

    @classmethod
    def _build(cls, value: object, handler: core_schema.ValidatorFunctionWrapHandler) -> ModelList[Any]:
        if isinstance(value, ModelList):
            received = cast("ModelList[object]", value)
            return received.with_items(handler(list(received)))
        if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
            value = list(cast("Sequence[object]", value))
        return cls._own(handler(value))

    @classmethod
    def _own(cls, items: list[T_co], form: _Form = None) -> Self:
        """Create a collection without copying the list. The caller must not use the list afterwards."""
        result: Self = cls.__new__(cls)
        result._items = items
        result._form = form
        return result

    @staticmethod
    def _write(value: Iterable[object], handler: core_schema.SerializerFunctionWrapHandler, info: Writing) -> object:
        data: list[object] = handler(list(value))
        written = value.as_received(data) if isinstance(value, ModelList) else data
        if not isinstance(written, dict):
            return written
        envelope = cast("dict[str, object]", written)
        return {name: each if name == "data" else write_open(each, info) for name, each in envelope.items()}


def is_envelope(value: Mapping[Any, object]) -> bool:
    """Return whether a JSON object is a List envelope, not a single element."""
    return value.get("object") == "List" or isinstance(value.get("data"), list)


if TYPE_CHECKING:

    class Many(Generic[T]):
        """Static type of a collection field: you read a `ModelList[T] | None`, and can assign any sequence."""

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> ModelList[T] | None: ...
        def __get__(self, instance: object, owner: type | None = None) -> Self | ModelList[T] | None: ...
        def __set__(self, instance: object, value: Sequence[T] | None) -> None: ...
else:
    Many = ModelList[T] | None
