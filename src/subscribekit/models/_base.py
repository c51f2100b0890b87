"""The base of all models: strict when built, tolerant when read, exact when written, masked when printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import wraps
from inspect import signature
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError, model_serializer
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from ._deferred import DeferredModel
from ._fields import field_by_wire_name, sensitive_fields, wire_names
from ._late import BUILDING, READING
from ._printing import Printer, on_one_line, print_lines, shown
from ._reading import read_around
from ._refusals import explained, hiding
from ._scalars import (
    UNSET,
    Identifier,
    Masked,
    MetadataField,
    OpenValue,
    Text,
    Timestamp,
)

MASK = "***"
M = TypeVar("M", bound="Model")
TEXT = "text"
"""Mode of serialization of `model_dump_json`."""


def _read_dump(kind: type[M], given: object, build: Callable[[], M]) -> M:
    """Build a model of the data of an application; read the data that `model_dump` wrote, whatever it holds.

    A dump names every field, with null for those that were not set: sent again, each null would delete a value.
    """
    from ._dumps import dump_of, without_nulls  # of no use to a program that sends calls

    dump = dump_of(kind, given)
    if dump is None:
        return build()
    try:
        model = build()
    except ValidationError:
        model = read(kind, dump)
    return without_nulls(model)


class Model(DeferredModel):
    """A resource of the service.

    Built by an application, a model refuses what the service would refuse: an unknown field, a float for money, a naive
    datetime, a text over its limit. Read from a response, it takes any field as absent or null, keeps unknown fields in
    `model_extra`, and keeps there, under the name it came with, also the value of a known field that it cannot read
    (`unread_fields` names those).

    `None` that was given means "send null"; a field that was not given is left out. `object` is left out in the same
    way, as the service allows in request bodies, unless it was received or given.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid",
        strict=True,
        validate_assignment=True,
        hide_input_in_errors=True,
        serialize_by_alias=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @property
    def unread_fields(self) -> frozenset[str]:
        """Wire names of the fields whose received value could not be read; the values are in `model_extra`."""
        return frozenset(_received(self)) & field_by_wire_name(type(self)).keys()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # models are mutable

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or type(self) is not type(other):
            return NotImplemented
        # A model that was read has an empty dict of unknown fields where a built one has none at all.
        return self.__dict__ == other.__dict__ and _received(self) == _received(other)

    if not TYPE_CHECKING:  # checkers must go on seeing the fields, and reporting assignments to unknown attributes

        def __init__(self, /, *args: object, **data: object) -> None:
            __tracebackhide__ = True
            if args:
                del args, data  # no argument stays in a frame that an error's traceback shows
                raise TypeError(f"{type(self).__name__}() takes its fields by name")
            try:
                self.__pydantic_validator__.validate_python(data, self_instance=self, context=BUILDING)
            except ValidationError as error:
                refused = explained(type(self), error)
            else:
                return
            del data  # no value stays in the frames of the traceback
            raise refused  # outside of the handler: the first error, which has the values, is no context of it

        # Otherwise pydantic would call it for each model that is read.
        __init__.__pydantic_base_init__ = True
        __init__.__signature__ = signature(BaseModel.__init__)  # `*args` only refuses

        model_validate = hiding(BaseModel.model_validate, _read_dump)
        model_validate_json = hiding(BaseModel.model_validate_json, _read_dump)
        model_validate_strings = hiding(BaseModel.model_validate_strings)

        @wraps(BaseModel.model_dump_json)
        def model_dump_json(self, *, indent: int | None = None, ensure_ascii: bool = False, **options: object) -> str:
            from ._dumps import to_text  # as above

            return to_text(self.model_dump(mode=TEXT, **options), indent=indent, ensure_ascii=ensure_ascii)

        def __setattr__(self, name: str, value: object) -> None:
            __tracebackhide__ = True
            try:
                self._assign(name, value)
            except ValidationError as error:
                refused = explained(type(self), error)
            else:
                return
            del value
            raise refused

        def _assign(self, name: str, value: object) -> None:
            extra = self.__pydantic_extra__
            before = {field: self.__dict__[field] for field in extra or () if field in self.__dict__}
            if name in type(self).__pydantic_fields__ or (extra is not None and isinstance(self, OpenModel)):
                # A received model may disagree with itself until the last of several assignments: the rules between
                # its fields hold when it is sent.
                context = BUILDING if extra is None else READING
                self.__pydantic_validator__.validate_assignment(self, name, value, context=context)
            else:
                super().__setattr__(name, value)
            if (
                extra is not None
                and self.__pydantic_extra__ is not extra
                and self.model_config.get("extra") == "forbid"
            ):
                # Where unknown fields are forbidden when built, an assignment puts the received ones among the known,
                # where they are printed in clear; here they stay what they are.
                extra.pop(wire_names(type(self)).get(name, name), None)
                for field in extra:
                    self.__dict__.pop(field, None)
                self.__dict__.update((field, before[field]) for field in extra if field in before)
                object.__setattr__(self, "__pydantic_extra__", extra)

    @recursive_repr()
    def __repr__(self) -> str:
        return super().__repr__()

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print over several lines in IPython and Jupyter: the fields that are set, masked as by `repr`.

        A resource within another one, or in a list, is on one line, with what fits on it.
        """
        fields = [] if cycle else [(f"{name}=", value) for name, value in self.__repr_args__()]
        name = type(self).__name__
        if len(printer.stack) > 1 and any(each == "id=" for each, _ in fields):
            printer.text(on_one_line(name, fields))
        else:
            print_lines(printer, f"{name}(", fields, "...)" if cycle else ")")

    def _repr_html_(self) -> str:
        from ._html import resource  # only notebooks ask

        return resource(self)

    def __repr_str__(self, join_str: str) -> str:
        return join_str.join(f"{name}={shown(value)}" for name, value in self.__repr_args__())

    def __repr_args__(self) -> Iterable[tuple[str | None, object]]:
        masked = sensitive_fields(type(self))
        # A model whose building failed has no set of fields.
        given: set[str] = getattr(self, "__pydantic_fields_set__", set())
        for name, value in self.__dict__.items():
            if name in given:
                yield name, MASK if name in masked and value is not None else value
        for name in _received(self):
            yield name, MASK

    @model_serializer(mode="wrap")
    def _write_with_extra(
        self, handler: core_schema.SerializerFunctionWrapHandler, info: core_schema.SerializationInfo[Any]
    ) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        if info.mode == TEXT:  # amounts are text, and numbers in unknown fields stay numbers
            unknown = self.__pydantic_extra__ or {}
            data.update({k: str(v) for k, v in data.items() if type(v) is Decimal and k not in unknown})
        # Unknown fields are not serialized where the class forbids them, but they must survive being sent again.
        if self.__pydantic_extra__ and self.model_config.get("extra") == "forbid":
            data.update(self.__pydantic_extra__)
        return data

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        # The serializer above returns any dict; what it writes are the fields.
        fields = {part: content for part, content in schema.items() if part != "serialization"}
        described = handler(cast("core_schema.CoreSchema", fields))
        if handler.mode == "serialization":  # unknown fields that were received are written, too
            handler.resolve_ref_schema(described).pop("additionalProperties", None)
        return described


class CamelModel(Model):
    """A resource of groups B, C and D: snake_case in Python, camelCase on the wire."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=to_camel)


class OpenModel(Model):
    """An object whose fields are not documented: any field may be given."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    # As an object, because pydantic 2.12 looks for the names of a text in the module of each subclass.
    __annotations__["__pydantic_extra__"] = dict[str, OpenValue]


class ConventionalModel(OpenModel):
    """A resource of the billing API with the fields that all have by convention; any other may be given."""

    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    url: Text | None = None
    """Address of the resource."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""


def _received(model: BaseModel) -> dict[str, Any]:
    """Unknown fields of a model; also of one whose building failed, which has no place for any."""
    return getattr(model, "__pydantic_extra__", None) or {}


def read(kind: type[M], raw: object) -> M:
    """Read a response that was parsed from JSON, with `Decimal` for fractional numbers.

    A value inside that cannot be read leaves its field unset and stays in `model_extra`.

    Raises:
        pydantic.ValidationError: The response is not a JSON object, or says that it is an object of another kind.
    """
    try:
        model: M = kind.__pydantic_validator__.validate_python(raw, strict=False, extra="allow", context=READING)
    except ValidationError as error:
        return read_around(kind, raw, error)
    return model


def write(model: Model) -> dict[str, object]:
    """Return what is sent for a model: wire names, the fields that were given, unknown fields on every level.

    Amounts stay `Decimal` for the JSON encoder; points in time are ISO 8601 text with offset, or epoch milliseconds.
    """
    # A warning of pydantic would show the value.
    return model.model_dump(mode="wire", by_alias=True, exclude_unset=True, warnings=False)
