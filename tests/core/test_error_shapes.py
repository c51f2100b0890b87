"""Error bodies with any other content (H224), compared with a second implementation of the documented rule."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from kit.calls import Always, Run, answer
from subscribekit._core.operations.error_shapes import ERROR_CODES, error_in
from subscribekit._core.operations.operation import Operation, Safety, delete, get, post
from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.models import Account, EntitlementCharge, Model

NAMES = ("error", "errors", "validationErrors", "fieldErrors", "operationErrors", "operationError")
codes = st.sampled_from(sorted(ERROR_CODES)) | st.sampled_from(["declined", "OK", "", "Not-Found"])
leaves = st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(["", "x", "Error"]) | codes
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["code", "message", "x"]), inner),
    max_leaves=4,
)
bodies = st.dictionaries(
    st.sampled_from([*NAMES, "success", "code", "message", "object", "id", "transactionReferenceId", "data", "x"]),
    values,
    max_size=6,
)


def operation_of(kind: type[Model]) -> Operation[Model]:
    return post("/a", result=kind, safety=Safety.WRITE, identity=None)


def is_documented(body: dict[str, Any]) -> bool:
    several = body.get("operationErrors")
    places = [body, body.get("operationError"), *(several if isinstance(several, list) else [])]
    found = [place.get("code") for place in places if isinstance(place, dict)]
    return body.get("object") == "Error" or any(isinstance(code, str) and code in ERROR_CODES for code in found)


def is_undocumented(body: dict[str, Any]) -> bool:
    has_code = body.get("code") is not None and body.get("message") is not None
    return any(body.get(name) for name in NAMES) or body.get("success") is False or has_code


@given(bodies)
@example({"success": 0})
@example({"operationErrors": {"code": "not-found"}})
@example({"operationErrors": [None, "not-found", {"code": ["not-found"]}]})
@example({"code": "declined", "message": ""})
@example({"code": 0, "message": "fine"})
def test_an_error_is_recognized_as_the_rule_says(body: dict[str, Any]) -> None:
    expected = "documented" if is_documented(body) else "undocumented" if is_undocumented(body) else None
    assert error_in(body, operation_of(Account)) == expected
    assert error_in(body, delete("/a", safety=Safety.DELETE)) == expected


@given(bodies, st.sampled_from(["id", "vid", "object"]))
def test_a_read_accepts_a_resource_with_a_code_and_a_message(body: dict[str, Any], name: str) -> None:
    body = {key: value for key, value in body.items() if key not in NAMES and key != "success"}
    found = error_in({**body, name: "x"}, get("/a", result=Account))
    assert found == ("documented" if is_documented({**body, name: "x"}) else None)


@given(st.lists(bodies) | leaves)
def test_a_body_that_is_not_an_object_is_not_an_error(value: Any) -> None:
    assert error_in(value, operation_of(Account)) is None


@given(bodies)
def test_the_fields_of_a_model_are_not_signs_of_an_error(body: dict[str, Any]) -> None:
    class Complaint(Model):
        code: str | None = None
        errors: list[str] | None = None

    without = {name: value for name, value in body.items() if name not in ("code", "errors")}
    assert error_in(body, operation_of(Complaint)) == error_in(without, operation_of(Complaint))


@given(bodies)
@example({"transactionReferenceId": "r1"})
@example({"transactionReferenceId": "r1", "code": "forbidden"})
def test_a_charge_is_made_refused_or_unknown_as_its_body_says(body: dict[str, Any]) -> None:
    reference = body.get("transactionReferenceId")
    has_reference = isinstance(reference, str) and reference != ""
    error: SubscribekitError | None = None
    try:
        Run("blocking")(
            "gateway",
            lambda client: client.entitlements.charge("p1", EntitlementCharge(transaction_id="t1")),
            transport=Always(lambda _: answer(body)),
        )
    except SubscribekitError as caught:
        error = caught
    is_error = is_documented(body) or is_undocumented(body)
    if not is_error:
        assert (error is None) == has_reference
    elif is_documented(body) and not has_reference and "server-error" not in str(body):
        assert error is not None
        assert error.outcome == "rejected"
    else:
        assert isinstance(error, OutcomeUnknownError) or "server-error" in str(body)
        assert error is not None
