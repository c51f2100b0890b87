"""Each field of `models_typed_fields.py` accepts, reads, sends, and refuses the values of its type."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import models_typed_fields as typed
import pytest
from models_typed_fields import Kind
from pydantic import ValidationError

import subscribekit.models
from looped import looped
from subscribekit._core.operations.bodies import body_of
from subscribekit._json import decode
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Model, from_json, to_json
from subscribekit.models._base import read, write
from subscribekit.models._fields import wire_names

ROWS = list(typed.rows())


def field_of(model: str, wire: str) -> tuple[type[Model], str]:
    """Return the class and the Python name of a field."""
    kind: type[Model] = getattr(subscribekit.models, model)
    return kind, {name: python for python, name in wire_names(kind).items()}[wire]


def same(value: object, expected: object) -> bool:
    """Return whether two values have the same type and the same text, so that `1.10` differs from `1.1`."""
    return type(value) is type(expected) and str(value) == str(expected)


@looped(("model", "wire", "kind"), ROWS)
def test_a_new_model_accepts_sends_and_stores_the_values_of_the_type(model: str, wire: str, kind: Kind) -> None:
    owner, python = field_of(model, wire)
    for value in kind.accepted:
        built = owner(**{python: value})
        assert same(getattr(built, python), value)
        sent = decode(body_of("body", built, Model))
        assert sent == write(built)
        assert list(write(built)) == [wire]
        assert same(getattr(read(owner, sent), python), value)
        assert from_json(owner, to_json(built)) == built
        assert list(write(owner(**{python: None}))) == [wire]


@looped(("model", "wire", "kind"), ROWS)
def test_a_new_model_and_an_assignment_refuse_other_values(model: str, wire: str, kind: Kind) -> None:
    owner, python = field_of(model, wire)
    for value in kind.refused:
        with pytest.raises(ValidationError) as built:
            owner(**{python: value})
        assigned = owner()
        with pytest.raises(ValidationError) as changed:
            setattr(assigned, python, value)
        for refusal in (built, changed):
            assert [line["loc"][0] for line in refusal.value.errors()][:1] == [python]
            assert not (isinstance(value, str) and len(value) > 10 and value in str(refusal.value))
        assert write(assigned) == {}


@looped(("model", "wire", "kind"), ROWS)
def test_a_response_is_read(model: str, wire: str, kind: Kind) -> None:
    owner, python = field_of(model, wire)
    for received, value in kind.read:
        found = read(owner, {wire: received})
        assert found.unparsed_fields == frozenset()
        assert same(getattr(found, python), value)
    assert read(owner, {wire: {"a": [1]}}).unparsed_fields == {wire}


@looped(("model", "wire", "kind"), ROWS)
def test_a_received_value_over_its_limit_is_not_sent(model: str, wire: str, kind: Kind) -> None:
    owner, python = field_of(model, wire)
    for received, reason in kind.unsendable:
        with pytest.raises(InvalidArgumentError) as refused:
            body_of("body", read(owner, {wire: received}), Model)
        assert refused.value.outcome == "not_sent"
        assert str(refused.value).startswith(f"body.{python} can't be sent: ")
        assert reason in str(refused.value)
        assert str(received) not in str(refused.value)


@looped(("model", "wire", "kind"), [row for row in ROWS if row[2].alias])
def test_an_enumeration_is_public_and_has_the_documented_values(model: str, wire: str, kind: Kind) -> None:
    assert kind.alias in subscribekit.models.__all__
    owner, python = field_of(model, wire)
    documented, *others = get_args(getattr(subscribekit.models, kind.alias))
    assert get_args(documented) == kind.values
    assert others, f"{kind.alias} refuses values that the service may add"
    hint: Any = get_type_hints(owner, include_extras=True)[python]
    assert documented in get_args(hint)


def test_the_table_has_a_row_for_each_type() -> None:
    """A type that no row uses could be wrong without a failing test."""
    found = [kind for _, _, kind in ROWS]
    for kind in (typed.BOOLEAN, typed.INTEGER, typed.AMOUNT, typed.TIMESTAMP, typed.text(), typed.text(15)):
        assert kind in found
    assert any(kind.alias for kind in found)
