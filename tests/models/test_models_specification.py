"""Checks that the models have every resource, field, type, constant, and enumerated value of the specification."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import cast, get_args, get_type_hints

import models_specification as specification
import models_typed_fields as typed
import pytest
from pydantic import ValidationError

import subscribekit.models
from looped import looped
from subscribekit.models import Model, ModelList
from subscribekit.models._base import read, write
from subscribekit.models._fields import wire_names

MODELS: dict[str, type[Model]] = {
    name: value
    for name in subscribekit.models.__all__
    if isinstance(value := getattr(subscribekit.models, name), type)
    and issubclass(value, Model)
    and name not in ("Model", "CamelModel", "OpenModel")
}
SAMPLE_OF_KIND = {"EntitlementCharge": {"transactionId": "t1"}}


def _field(path: str) -> tuple[type[Model], str, str]:
    """Return the model, the wire name, and the Python name of a field, which is given as `Model.wire_name`."""
    model, _, wire = path.partition(".")
    kind = MODELS[model]
    return kind, wire, {name: python for python, name in wire_names(kind).items()}[wire]


def _read_field(path: str, value: object) -> object:
    kind, wire, python = _field(path)
    return getattr(read(kind, {**SAMPLE_OF_KIND.get(kind.__name__, {}), wire: value}), python)


def test_the_tables_have_every_model() -> None:
    named = {*specification.SPECIFIED, *specification.PUBLISHED, *specification.NAMED_ONLY, *typed.TYPED}
    assert named == set(MODELS)


@looped("name", sorted(MODELS))
def test_fields_are_in_the_order_of_the_tables(name: str) -> None:
    if name in specification.NAMED_ONLY:
        expected = specification.CONVENTIONAL.split()
    else:
        before, after = [specification.SPECIFIED, specification.PUBLISHED], specification.BY_CONVENTION
        expected = " ".join(part.get(name, "") for part in before).split()
        expected += [*typed.TYPED.get(name, {}), *after.get(name, "").split()]
    found = list(wire_names(MODELS[name]).values())
    new = [wire for wire in found if wire not in expected]
    assert not new, (
        f"add to {name} in TYPED of tests/models/models_typed_fields.py, with a type such as text(64): {new}"
    )
    assert found == expected, f"put the fields of {name} in this order: {', '.join(expected)}"


@looped("name", sorted(MODELS))
def test_object_is_the_name_of_the_resource(name: str) -> None:
    kind = MODELS[name]
    if name in specification.WITHOUT_CONSTANT:
        assert "object" not in kind.model_fields or kind.model_fields["object"].default is None
        return
    constant = specification.CONSTANTS.get(name, name)
    assert kind.model_fields["object"].default == constant
    assert read(kind, {"object": constant}).model_dump()["object"] == constant
    with pytest.raises(ValidationError):
        read(kind, {"object": "Error", "message": "no"})


@looped("name", sorted(MODELS))
def test_every_field_except_the_transaction_id_of_a_charge_can_be_omitted_or_null(name: str) -> None:
    kind = MODELS[name]
    required = {field for field, info in kind.model_fields.items() if info.is_required()}
    assert required == ({"transaction_id"} if name == "EntitlementCharge" else set())
    given = SAMPLE_OF_KIND.get(name, {})
    nulls = {wire: None for wire in wire_names(kind).values() if wire not in {"object", *given}}
    model = read(kind, {**given, **nulls})
    assert not model.unparsed_fields
    assert write(model) == {**given, **nulls}


@looped("path", specification.BOOLEANS)
@looped(
    ("sent", "expected"),
    [(True, True), (False, False), (1, True), (0, False), ("1", True), ("0", False), ("Yes", True), ("No", False)],
)
def test_booleans(path: str, sent: object, expected: bool) -> None:
    assert _read_field(path, sent) is expected


@looped("path", specification.INTEGERS)
def test_integers(path: str) -> None:
    for sent in (22, "22", Decimal("22.0")):
        assert _read_field(path, sent) == 22
    assert isinstance(_read_field(path, 22), int)


@looped("path", specification.NUMBERS)
def test_numbers_are_exact_and_keep_their_scale(path: str) -> None:
    for sent in (Decimal("1.10"), "1.10"):
        number = _read_field(path, sent)
        assert isinstance(number, Decimal)
        assert str(number) == "1.10"
    assert _read_field(path, 5) == Decimal(5)


@looped("path", specification.TIMESTAMPS)
def test_timestamps(path: str) -> None:
    moment = _read_field(path, "2018-06-04T13:59:07-07:00")
    assert moment == datetime(2018, 6, 4, 20, 59, 7, tzinfo=UTC)
    assert isinstance(moment, datetime)
    assert moment.tzinfo is UTC
    kind, wire, python = _field(path)
    written = write(kind(**{**SAMPLE_OF_KIND.get(kind.__name__, {}), python: moment}))
    assert written[wire] == "2018-06-04T20:59:07+00:00"


@pytest.mark.parametrize("path", specification.EPOCH_MILLIS)
def test_epoch_milliseconds(path: str) -> None:
    kind, wire, python = _field(path)
    one_second = read(kind, {wire: 1000})
    assert getattr(one_second, python) == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert write(one_second) == {wire: 1000}


@looped(("path", "element"), specification.LISTS.items())
def test_collections(path: str, element: str) -> None:
    envelope: dict[str, object] = {"object": "List", "total_count": 7, "data": [{}]}
    value = cast("ModelList[Model]", _read_field(path, envelope))
    assert isinstance(value, ModelList)
    assert value.total_count == 7
    assert type(value[0]) is MODELS[element]


def test_promotion_code_aliases_are_texts() -> None:
    assert _read_field("Campaign.promotion_code_aliases", ["A", "B"]) == ["A", "B"]


@looped(("path", "kind"), specification.OBJECTS.items())
def test_nested_objects_and_references(path: str, kind: str) -> None:
    assert type(_read_field(path, {})) is MODELS[kind]


def _documented(alias: str) -> tuple[object, ...]:
    literal, *others = get_args(getattr(subscribekit.models, alias))
    assert others, f"{alias} refuses new values"
    return get_args(literal)


@pytest.mark.parametrize(("alias", "values"), specification.ENUMERATIONS.items())
def test_enumerations(alias: str, values: tuple[str, ...]) -> None:
    assert _documented(alias) == values


@pytest.mark.parametrize(("alias", "values"), specification.SAMPLES.items())
def test_sampled_enumerations_contain_the_samples(alias: str, values: tuple[str, ...]) -> None:
    assert set(values) <= set(_documented(alias))


@pytest.mark.parametrize(("path", "alias"), specification.ENUMERATED_FIELDS.items())
def test_enumerated_fields_accept_documented_and_new_values(path: str, alias: str) -> None:
    kind, _, python = _field(path)
    hint = get_type_hints(kind, include_extras=True)[python]
    assert get_args(getattr(subscribekit.models, alias))[0] in get_args(hint)
    for value in (*(specification.ENUMERATIONS | specification.SAMPLES)[alias], "a value of tomorrow"):
        assert _read_field(path, value) == value
        assert getattr(kind(**{python: value}), python) == value


def test_every_alias_of_a_documented_enumeration_is_public() -> None:
    assert {*specification.ENUMERATIONS, *specification.SAMPLES} <= set(subscribekit.models.__all__)
