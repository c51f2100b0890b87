"""Identity shows that a response is about the resource that a call named (H223)."""

from __future__ import annotations

from looped import looped
from subscribekit._core.operations.identity import REFERENCE, Identity, created, named

VID, OTHER = "a" * 40, "b" * 40


def test_only_identifiers_count_and_each_once() -> None:
    assert named("a", None, "", 5, "a", "b").wanted == ("a", "b")
    assert created("a") == Identity(("id",), ("a",))
    assert created(None) == created("") == created(5) == Identity(("id", "vid"))


@looped(
    ("identity", "value", "problem"),
    [
        (named("o-1"), {"id": "o-1"}, None),
        (named("o-1"), {"id": "o-1", "vid": OTHER}, None),
        (named("o-1"), {"id": "other", "vid": "o-1"}, None),
        (named("o-1"), {"id": "other", "vid": OTHER}, "is about another resource"),
        (named("o-1"), {"id": "O-1"}, "is about another resource"),
        (named("o-1"), {"vid": OTHER}, "has no id"),
        (named("o-1"), {"id": 1}, "has no id"),
        (named("o-1"), {"id": ["o-1"]}, "has no id"),
        (named("o-1"), ["o-1"], "has no id"),
        (named("o-1"), "o-1", "has no id"),
        (named(VID), {"id": "o-1", "vid": VID}, None),
        (named(VID), {"id": "o-1"}, None),
        (named(VID), {"id": "o-1", "vid": OTHER}, "is about another resource"),
        (named(VID), {"vid": OTHER}, "is about another resource"),
        (named(VID, "o-1"), {"id": "o-2"}, "is about another resource"),
        (named(VID, "o-1"), {"id": "o-1"}, None),
        (created("o-1"), {"id": "o-1"}, None),
        (created("o-1"), {"id": "o-2", "vid": "o-1"}, "is about another resource"),
        (created("o-1"), {"vid": "o-1"}, "has no id"),
        (created(VID), {"id": OTHER}, "is about another resource"),
        (created(None), {"id": "x"}, None),
        (created(None), {"vid": "x"}, None),
        (created(None), {"id": "", "vid": None}, "has no id"),
        (REFERENCE, {"transactionReferenceId": "r"}, None),
        (REFERENCE, {"id": "r"}, "has no transactionReferenceId"),
    ],
)
def test_what_a_response_shows(identity: Identity, value: object, problem: str | None) -> None:
    assert identity.problem_in(value) == problem  # type: ignore[arg-type]  # any JSON


def test_only_the_reference_of_a_charge_is_one() -> None:
    assert REFERENCE.is_reference
    assert not any(each.is_reference for each in (named("a"), created("a"), created(None)))
