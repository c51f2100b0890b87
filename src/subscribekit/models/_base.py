"""Base classes of the models, which validate what you create and accept what the service sends."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from decimal import Decimal
from functools import cached_property, wraps
from inspect import signature
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    model_serializer,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from .._interrupts import interrupt_behind, is_of_signal
from .._shown import MASK
from ._context import BUILDING, READING
from ._deferred import DeferredModel
from ._fields import dumped_names, field_by_wire_name, maskable_numbers, sensitive_fields, wire_names
from ._printing import Printer, on_one_line, print_lines, shown
from ._reading import read_around
from ._refusals import explained, hiding
from ._scalars import (
    ABSENT,
    UNKNOWN,
    Identifier,
    Masked,
    MetadataField,
    OpenValue,
    Text,
    Timestamp,
)
from ._values import BODY, TEXT, WIRE

M = TypeVar("M", bound="Model")


def _keeps_unknown(kind: type[BaseModel]) -> bool:
    """Return whether a model rejects unknown fields in your code, but keeps the unknown fields of a response."""
    return kind.model_config.get("extra") == "forbid"


class Model(DeferredModel):
    """Base class of the service's data.

    Creating a model and assigning a field raise pydantic's `ValidationError` for values that the service would reject:
    an unknown field, a float for money, a naive datetime, or a string over its limit. Pydantic (`model_validate`,
    `TypeAdapter`, FastAPI) applies the same types and limits to your application's JSON, and keeps unknown fields in
    `model_extra`. In a response, any field can be absent or null. `model_extra` also contains the received values that
    don't fit their fields; `unparsed_fields` contains the names of these fields.

    If you set a field to `None`, the SDK sends null. The SDK doesn't send fields that you don't set. A dump contains
    the fields that were set or received, and `object` if its value is fixed. A request body contains `object` only if
    you set `object`, or if the model is from a response that contained `object`.
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
    def unparsed_fields(self) -> frozenset[str]:
        """The wire names of the fields whose received values couldn't be parsed, and are in `model_extra` instead."""
        return frozenset(_received(self)) & field_by_wire_name(type(self)).keys()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # models are mutable

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or type(self) is not type(other):
            return NotImplemented
        # If there are no unknown fields, `__pydantic_extra__` is an empty dict in a received model, but `None` in a
        # model that you create.
        return self.__dict__ == other.__dict__ and _received(self) == _received(other)

    if not TYPE_CHECKING:  # if type checkers saw `__setattr__`, they would allow unknown attributes

        def __init__(self, /, *args: object, **data: object) -> None:
            __tracebackhide__ = True
            if args:
                del args, data  # delete the caller's values, because debugging tools show local variables
                raise TypeError(
                    f"{type(self).__name__}() accepts only keyword arguments; write {type(self).__name__}(id=...)"
                )
            try:
                self.__pydantic_validator__.validate_python(data, self_instance=self, context=BUILDING)
            except ValidationError as error:
                refused = explained(type(self), error)
            else:
                if _keeps_unknown(type(self)):
                    # A model that you create can't have unknown fields.
                    object.__setattr__(self, "__pydantic_extra__", None)
                return
            # Delete the values, so that no frame of a traceback contains the values (test_models_building.py). Raise
            # the error outside the handler, so that its `__context__` isn't the first error, which contains the values.
            del data
            raise refused

        # Without this marker, pydantic would call `__init__` for each model in a response.
        __init__.__pydantic_base_init__ = True
        __init__.__signature__ = signature(BaseModel.__init__)  # the signature omits `*args`, which `__init__` rejects

        model_validate = hiding(BaseModel.model_validate)
        model_validate_strings = hiding(BaseModel.model_validate_strings)

        @hiding
        @classmethod
        @wraps(BaseModel.model_validate_json.__func__)
        def model_validate_json(cls, json_data: str | bytes | bytearray, **options: object) -> Self:
            from ._dumps import parsed  # the SDK's own calls don't need this module

            try:
                return cls.model_validate(parsed(json_data), **options)
            except (ValueError, RecursionError) as error:
                if is_of_signal(error):
                    raise
                # Try pydantic's own parser, which raises pydantic's error if the JSON is invalid. A subclass may also
                # have fields whose types pydantic reads only from JSON.
                return BaseModel.model_validate_json.__func__(cls, json_data, **options)

        @wraps(BaseModel.model_dump_json)
        def model_dump_json(self, *, indent: int | None = None, ensure_ascii: bool = False, **options: object) -> str:
            from ._dumps import to_text  # the SDK's own calls don't need this module

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
            kind, extra = type(self), self.__pydantic_extra__
            if name in kind.__pydantic_fields__ or (extra is not None and isinstance(self, OpenModel)):
                unread = {field: self.__dict__[field] for field in extra or () if field in self.__dict__}
                # Don't check rules that involve several fields here, because an application may need several
                # assignments to make the fields of a received model consistent. Before the SDK sends a model, it
                # checks all rules.
                context = BUILDING if extra is None else READING
                self.__pydantic_validator__.validate_assignment(self, name, value, context=context)
                if _keeps_unknown(kind):
                    self._keep_extra(extra, unread, assigned=name)
            elif name.startswith("_") or isinstance(getattr(kind, name, None), property | cached_property):
                super().__setattr__(name, value)
            else:
                self.__pydantic_validator__.validate_assignment(self, name, value, extra="forbid")  # always raises

        def _keep_extra(self, extra: dict[str, object] | None, unread: dict[str, object], *, assigned: str) -> None:
            # Undo two effects of `validate_assignment`: it overwrites fields whose received values couldn't be
            # parsed, and it adds a dict of unknown fields to a model that the application created.
            if extra is not None:
                extra.pop(wire_names(type(self)).get(assigned, assigned), None)
                self.__dict__.update((field, value) for field, value in unread.items() if field in extra)
            object.__setattr__(self, "__pydantic_extra__", extra)

    @recursive_repr()
    def __repr__(self) -> str:
        return super().__repr__()

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print each set field on its own line in IPython and Jupyter, masked as in `repr`.

        A nested resource is printed on one line, with the fields that fit on the line.
        """
        fields = [] if cycle else [(f"{name}=", value) for name, value in self.__repr_args__()]
        name = type(self).__name__
        if len(printer.stack) > 1 and any(each == "id=" for each, _ in fields):
            printer.text(on_one_line(name, fields))
        else:
            print_lines(printer, f"{name}(", fields, "...)" if cycle else ")")

    def _repr_html_(self) -> str:
        from ._html import resource  # only notebooks need this module

        return resource(self)

    def __repr_str__(self, join_str: str) -> str:
        return join_str.join(f"{name}={shown(value)}" for name, value in self.__repr_args__())

    def __repr_args__(self) -> Iterable[tuple[str | None, object]]:
        masked = sensitive_fields(type(self))
        # If the creation of a model failed, the model doesn't have `__pydantic_fields_set__`.
        given: set[str] = getattr(self, "__pydantic_fields_set__", set())
        for name, value in self.__dict__.items():
            if name in given:
                yield name, MASK if name in masked and value is not None else value
        for name in _received(self):
            yield name, MASK

    if not TYPE_CHECKING:  # type checkers use pydantic's declaration of `__iter__`

        def __iter__(self) -> Generator[tuple[str, object]]:
            given, fields = self.model_fields_set | dumped_names(type(self)), wire_names(type(self))
            yield from ((name, value) for name, value in super().__iter__() if name in given or name not in fields)

    @model_serializer(mode="wrap")
    def _write_given(
        self, handler: core_schema.SerializerFunctionWrapHandler, info: core_schema.SerializationInfo[Any]
    ) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        if not info.exclude_unset:
            self._leave_out_unset(data)
        if info.mode == TEXT:  # in JSON, amounts become strings, but numbers in unknown fields stay numbers
            unknown = _received(self)
            data.update({k: str(v) for k, v in data.items() if type(v) is Decimal and k not in unknown})
        elif info.mode == BODY:
            self._leave_out_masked(data)
        return data

    def _leave_out_unset(self, data: dict[str, Any]) -> None:
        kept = self.model_fields_set | dumped_names(type(self))
        for name, wire in wire_names(type(self)).items():
            if name not in kept:
                for key in {name, wire} - _received(self).keys():
                    data.pop(key, None)

    def _leave_out_masked(self, data: dict[str, Any]) -> None:
        for name, is_masked in maskable_numbers(type(self)).items():
            wire = wire_names(type(self))[name]
            number: object = data.get(wire)
            if isinstance(number, str) and is_masked(number):
                del data[wire]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler, /) -> CoreSchema:
        schema = handler(source)
        if _keeps_unknown(cls):
            _keep_unknown(schema)
        return schema

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler, /) -> JsonSchemaValue:
        # The serializer can return any dict, so the JSON schema describes the fields instead.
        fields = {part: content for part, content in schema.items() if part != "serialization"}
        described = handler(cast("CoreSchema", fields))
        if handler.mode == "serialization":  # a dump also contains the unknown fields of a response
            handler.resolve_ref_schema(described).pop("additionalProperties", None)
        elif _keeps_unknown(cls):
            handler.resolve_ref_schema(described)["additionalProperties"] = False
        return described


def _keep_unknown(schema: Any) -> None:
    """Allow unknown fields in a schema, and add a value schema that rejects unknown fields when a model is created.

    The setting `extra="allow"` also allows unknown fields, but then type checkers would accept any keyword argument.
    """
    while schema["type"] != "model-fields":
        if schema["type"] == "model":
            schema["config"]["extra_fields_behavior"] = "allow"
        schema = schema["schema"]
    schema["extras_schema"] = UNKNOWN


class CamelModel(Model):
    """Base class of the models of all APIs except the billing API. The wire names are in camelCase."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=to_camel)


class OpenModel(Model):
    """Base class of models that have undocumented fields, and therefore accept any field."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    # This annotation is a type instead of a string, because pydantic 2.12 resolves strings in the module of each
    # subclass.
    __annotations__["__pydantic_extra__"] = dict[str, OpenValue]


class ConventionalModel(OpenModel):
    """Base class of billing API models that have the conventional fields, and accept any other field."""

    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    created: Timestamp | None = None
    """When the service created the resource, in UTC."""
    url: Text | None = None
    """The URL of the resource."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""


def _received(model: BaseModel) -> dict[str, Any]:
    """Return the unknown fields of a model. If the creation of the model failed, return an empty dict."""
    return getattr(model, "__pydantic_extra__", None) or {}


def read(kind: type[M], raw: object) -> M:
    """Convert a response from parsed JSON to a model. Fractional numbers must be `Decimal`.

    If the value of a field can't be parsed, the field stays unset, and `model_extra` contains the value.

    Raises:
        pydantic.ValidationError: The response isn't a JSON object, or the field `object` names another type.
    """
    try:
        model: M = kind.__pydantic_validator__.validate_python(raw, strict=False, extra="allow", context=READING)
    except ValidationError as error:
        return read_around(kind, raw, error)
    return model


def write(model: Model) -> dict[str, object]:
    """Convert a model to a dict with wire names.

    The dict contains the fields that are set, and unknown fields. Amounts stay `Decimal` for the JSON encoder. Times
    are strings in ISO 8601 with an offset, or epoch milliseconds.
    """
    return _dumped(model, WIRE)


def write_body(model: Model) -> dict[str, object]:
    """Convert a model to a dict like `write`, but without masked card and account numbers."""
    return _dumped(model, BODY)


def _dumped(model: Model, mode: str) -> dict[str, object]:
    handled = id(sys.exc_info()[1])
    try:
        # Disable pydantic's warnings, because they contain field values.
        return model.model_dump(mode=mode, by_alias=True, exclude_unset=True, warnings=False)
    except ValueError as error:
        raise interrupt_behind(error, handled) or error from None


# Build a model now, because pydantic imports modules for the first model, and an import during a call can fail (H251).
Model.model_rebuild()
