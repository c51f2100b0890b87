"""A call is unchanged after it's stored and restored (H155)."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.cases import Case as BillingCase
from billing.tables import ALL
from core.operation_cases import CASES, Case
from kit.calls import SECRETS, Run
from looped import looped
from subscribekit import PreparedRequest
from subscribekit._core.calls.outcomes.record import SENT, record_of
from subscribekit._core.calls.prepared.prepare import prepared_call
from subscribekit._core.calls.prepared.stored import StoredCall, restore, result_of, store
from subscribekit._core.calls.prepared.stored_parts import DamagedCallError, model_named
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit._sealed import Content
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Account, EntitlementCharge, Payment

WRITES = {name: case for name, case in CASES.items() if case.method != "GET"}


def stored_and_restored(client: Any, request: PreparedRequest[Any]) -> tuple[StoredCall, Any, Any]:
    prepared = prepared_call(request)
    assert prepared is not None
    kept = store(client._settings, request.operation, prepared)
    return kept, prepared, restore(client._settings, kept)


def assert_same(prepared: Any, again: Any) -> None:
    for name in ("group", "origin", "target", "headers", "body"):
        assert getattr(again, name) == getattr(prepared, name), name
    for name in (
        "method", "template", "path", "reader", "safety", "resource_id", "reconcile_key", "reconcile_by",
        "original_transaction_id", "needs_credential", "is_compared", "identity",
    ):  # fmt: skip
        assert getattr(again.operation, name) == getattr(prepared.operation, name), name
    # Compare the record that `resolve` needs, except its digests, because each record has its own key for them.
    known, same = (
        {name: value for name, value in record_of(each.operation, each) if not name.startswith(SENT) and name != "key"}
        for each in (prepared, again)
    )
    assert same == known
    if prepared.operation.is_compared:
        assert again.operation.body == prepared.operation.body


@pytest.mark.parametrize("case", WRITES.values(), ids=WRITES.keys())
def test_a_restored_call_is_unchanged(case: Case) -> None:
    with Run("blocking").client(case.group, **case.options) as client:
        kept, prepared, again = stored_and_restored(client, case.use(client.prepare))
    assert_same(prepared, again)
    assert not any(secret in f"{kept.shape}{kept.own}{kept.target}{kept.body!r}" for secret in SECRETS)
    assert prepared.trace is None or prepared.trace.trace_id != again.trace.trace_id


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_unpickled_call_is_unchanged(case: Case) -> None:
    """A pickle contains the stored form of a write or a read, and the trace."""
    with Run("blocking").client(case.group, **case.options) as client:
        request = case.use(client.prepare)
    prepared, again = prepared_call(request), prepared_call(pickle.loads(pickle.dumps(request)))
    assert_same(prepared, again)
    assert again is not None
    assert prepared is not None
    assert (again.name, again.environment, again.prefix) == (prepared.name, prepared.environment, prepared.prefix)
    assert (again.trace and again.trace.trace_id) == (prepared.trace and prepared.trace.trace_id)


@looped("case", [case for case in ALL if not case.safety.is_read])
def test_each_restored_write_is_unchanged(case: BillingCase) -> None:
    with Run("blocking").client(case.group, wire_names=SANDBOX_WIRE_NAMES) as client:
        _, prepared, again = stored_and_restored(client, case.use(client.prepare))
    assert_same(prepared, again)


def test_a_restored_read_of_a_child_keeps_its_identity() -> None:
    with Run("blocking").client("billing") as client:
        _, prepared, again = stored_and_restored(client, client.prepare.accounts.retrieve_child("p1", "c1"))
    assert again.operation.identity == prepared.operation.identity


@pytest.mark.parametrize("result", [dict, list, Account])
def test_a_restored_custom_request_is_unchanged(result: Any) -> None:
    with Run("blocking").client("billing", compress_requests=True) as client:
        request = client.prepare.request("POST", "/odd things/é", result=result, json={"a": 1}, params={"q": "ä &"})
        _, prepared, again = stored_and_restored(client, request)
    assert_same(prepared, again)


def test_values_of_extra_headers_are_not_stored_and_come_from_the_client() -> None:
    with Run("blocking").client("billing") as plain:
        client = plain.with_options(headers={"X-Tenant-Token": "hush-4715"})
        kept, prepared, again = stored_and_restored(client, client.prepare.payments.reverse("p"))
        assert_same(prepared, again)
        assert "hush" not in repr(kept.shape) + kept.own
        with pytest.raises(InvalidArgumentError, match="extra headers x-tenant-token"):
            restore(plain._settings, kept)
        with pytest.raises(InvalidArgumentError, match="prepare the request with the client that sends"):
            stored_and_restored(plain, client.prepare.payments.reverse("p"))
        with pytest.raises(InvalidArgumentError, match="no extra headers"):
            stored_and_restored(client, plain.prepare.payments.reverse("p"))


class Mine(Account):
    pass


def test_a_result_class_of_the_caller_is_refused() -> None:
    with (
        Run("blocking").client("billing") as client,
        pytest.raises(InvalidArgumentError, match=r"your own result class, because another .* instead of Mine"),
    ):
        stored_and_restored(client, client.prepare.request("POST", "/accounts", result=Mine, json={}))


def test_a_stored_result_is_read_as_its_model() -> None:
    with Run("blocking").client("billing") as client:
        kept, _, _ = stored_and_restored(client, client.prepare.payments.reverse("p"))
    payment = result_of(kept.shape, Content(b'{"object":"Payment","id":"p","amount":1.50}'))
    assert isinstance(payment, Payment)
    assert str(payment.amount) == "1.50"
    with pytest.raises(DamagedCallError):
        result_of(kept.shape, Content(b"[]"))
    with pytest.raises(DamagedCallError):
        result_of(kept.shape, Content(b"{"))


def test_only_models_are_found_by_name() -> None:
    assert model_named("EntitlementCharge") is EntitlementCharge
    for name in ("to_json", "os", "Account.x", "__doc__", "Model ", None, 7):
        with pytest.raises(DamagedCallError):
            model_named(name)  # type: ignore[arg-type]


def kept_reversal(client: Any) -> StoredCall:
    return stored_and_restored(client, client.prepare.payments.reverse("p"))[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"target": "//evil.test/x y"}, {"target": "x"}, {"target": "/a\r\nX: y"}, {"own": "[]"}, {"own": "{"},
        {"own": '{"id":1}'}, {"shape": "null"},
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_call_is_refused(changed: dict[str, str]) -> None:
    with Run("blocking").client("billing") as client, pytest.raises(DamagedCallError):
        restore(client._settings, replace(kept_reversal(client), **changed))


@pytest.mark.parametrize("damage", [lambda body: body[:-1], lambda body: body + b"x", lambda _: b"{}"])
def test_a_compressed_body_that_is_damaged_is_refused(damage: Callable[[bytes], bytes]) -> None:
    with Run("blocking").client("billing", compress_requests=True) as client:
        kept = stored_and_restored(client, client.prepare.accounts.create(Account(id="a1", name="A" * 1000)))[0]
        assert kept.body is not None
        assert kept.body.reveal().startswith(b"\x1f\x8b")
        with pytest.raises(DamagedCallError, match="the compressed body is damaged"):
            restore(client._settings, replace(kept, body=Content(damage(kept.body.reveal()))))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("method", "PATCH"), ("safety", "X"), ("safety", None), ("reader", None), ("reader", {"kind": "pickle"}),
        ("reader", {"kind": "model", "model": "os.system"}), ("reader", {"kind": "one_of", "model": "Account"}),
        ("headers", [["Authorization", "Basic x"]]), ("headers", [["Accept", "a\r\nEvil: 1"]]),
        ("headers", [["Evil", "1"]]),
        ("headers", [["Transfer-Encoding", "chunked"]]), ("headers", "Accept"), ("headers", [1]), ("extra", None),
        ("template", 1), ("credential", "yes"), ("dry", 1),
    ],
)  # fmt: skip
def test_a_damaged_shape_is_refused(name: str, value: object) -> None:
    with Run("blocking").client("billing") as client:
        kept = kept_reversal(client)
        shape = json.dumps({**json.loads(kept.shape), name: value})
        with pytest.raises(DamagedCallError):
            restore(client._settings, replace(kept, shape=shape))


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=60))
def test_arbitrary_texts_are_refused(target: str, own: str, shape: str) -> None:
    kept = StoredCall("payments.reverse", "POST", "M$", "/" + target, None, shape, own)
    with Run("blocking").client("billing") as client, pytest.raises((DamagedCallError, InvalidArgumentError)):
        restore(client._settings, kept)
