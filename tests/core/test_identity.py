"""Identity shows that a response is about the resource that a call named (H223)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from looped import looped
from subscribekit._core.operations.identity import ID_OR_VID, KIND, REFERENCE, Identity, created, named, versioned
from subscribekit.models import Account

VID, OTHER = "a" * 40, "b" * 40


def test_only_identifiers_count_and_each_once() -> None:
    assert named("a", None, "", 5, "a", "b").wanted == ("a", "b")
    assert created("a") == Identity(("id",), ("a",))
    assert created(None) == created("") == created(5) == Identity(("id", "vid"))


ANOTHER, MISSING = "another", "missing"


@looped(
    ("identity", "value", "problem"),
    [
        (named("o-1"), {"id": "o-1"}, None),
        (named("o-1"), {"id": "o-1", "vid": OTHER}, None),
        (named("o-1"), {"id": "other", "vid": "o-1"}, None),
        (named("o-1"), {"id": "other", "vid": OTHER}, ANOTHER),
        (named("o-1"), {"id": "O-1"}, ANOTHER),
        (named("o-1"), {"vid": OTHER}, MISSING),
        (named("o-1"), {"id": 1}, ANOTHER),
        (named("o-1"), {"id": ["o-1"]}, MISSING),
        (named("o-1"), ["o-1"], MISSING),
        (named("o-1"), "o-1", MISSING),
        (named("17"), {"id": 17}, None),
        (named("17"), {"id": Decimal("17.0")}, MISSING),
        (named("1"), {"id": True}, MISSING),
        (named(VID), {"id": "o-1", "vid": VID}, None),
        (named(VID), {"id": "o-1"}, None),
        (named(VID), {"id": "o-1", "vid": OTHER}, ANOTHER),
        (named(VID), {"vid": OTHER}, ANOTHER),
        (named(VID, "o-1"), {"id": "o-2"}, ANOTHER),
        (named(VID, "o-1"), {"id": "o-1"}, None),
        (created("o-1"), {"id": "o-1"}, None),
        (created("o-1"), {"id": "o-2", "vid": "o-1"}, ANOTHER),
        (created("o-1"), {"vid": "o-1"}, MISSING),
        (created(VID), {"id": OTHER}, ANOTHER),
        (created(None), {"id": "x"}, None),
        (created(None), {"vid": "x"}, None),
        (created(None), {"id": "", "vid": None}, MISSING),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {}, None),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {"vid": OTHER}, None),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {"id": "o-2", "vid": "o-1"}, None),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {"id": "o-2"}, ANOTHER),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {"object": "Account", "id": "o-2"}, ANOTHER),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {"object": None, "id": "o-2"}, ANOTHER),
        (Identity(ID_OR_VID, ("o-1",), is_required=False), {"object": "Payment", "id": "o-2"}, None),
        (Identity(ID_OR_VID, (VID,), is_required=False), {"id": "o-2"}, None),
        (versioned("o-1", None), {"id": "o-1", "vid": OTHER}, None),
        (versioned("o-1", None), {"id": "o-2"}, ANOTHER),
        (versioned(VID, None), {"id": "o-1", "vid": OTHER}, None),
        (versioned(VID, "o-1"), {"id": "o-2", "vid": OTHER}, ANOTHER),
        (named("o-1", parent="p"), {"id": "o-1", "parent": {"id": "p"}}, None),
        (named("o-1", parent="p"), {"id": "o-1", "parent": {"id": "q"}}, ANOTHER),
        (named("o-1", parent=VID), {"id": "o-1", "parent": {"id": "q"}}, None),
        (named("o-1", parent=VID), {"id": "o-1", "parent": {"vid": OTHER}}, ANOTHER),
        (named("o-1", parent="p"), {"id": "o-1", "parent": None}, None),
        (KIND, {"object": "Account"}, None),
        (KIND, {"id": "x"}, MISSING),
        (REFERENCE, {"transactionReferenceId": "r"}, None),
        (REFERENCE, {"id": "r"}, MISSING),
    ],
)
def test_a_response_about_another_resource_or_without_an_id_is_recognized(
    identity: Identity, value: Any, problem: str | None
) -> None:
    shows_another = identity.other_in(value, Account) is not None
    found = ANOTHER if shows_another else MISSING if identity.is_missing_in(value) else None
    assert found == problem


def test_only_the_identity_of_a_charge_is_a_reference() -> None:
    assert REFERENCE.is_reference
    assert not any(each.is_reference for each in (named("a"), created("a"), created(None)))
