"""Exceptions: their class hierarchy and their attributes, which survive pickling and copying."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from core.test_environments import CALLS
from kit.calls import Run, Service, answer
from looped import looped
from subscribekit import RetryPolicy, errors
from subscribekit.errors import APIError, ErrorDetail, FieldError, SubscribekitError
from subscribekit.models import EntitlementCharge

TREE = {
    "ConfigurationError": ("SubscribekitError", "ValueError"),
    "InvalidArgumentError": ("SubscribekitError", "ValueError"),
    "ClientClosedError": ("SubscribekitError",),
    "ConnectionFailedError": ("SubscribekitError",),
    "DeadlineExceededError": ("SubscribekitError",),
    "PoolTimeoutError": ("SubscribekitError",),
    "APIError": ("SubscribekitError",),
    "BadRequestError": ("APIError",),
    "ValidationFailedError": ("BadRequestError",),
    "PageSizeError": ("BadRequestError",),
    "AuthenticationError": ("APIError",),
    "PaymentAuthorizationError": ("APIError",),
    "PermissionDeniedError": ("APIError",),
    "NotFoundError": ("APIError",),
    "PartnerSubscriptionNotFoundError": ("NotFoundError",),
    "UserNotFoundError": ("NotFoundError",),
    "ConflictError": ("APIError",),
    "RateLimitError": ("APIError",),
    "ServerError": ("APIError",),
    "ServiceUnavailableError": ("ServerError",),
    "InvalidResponseError": ("SubscribekitError",),
    "ResponseTooLargeError": ("InvalidResponseError",),
    "UnexpectedRedirectError": ("SubscribekitError",),
    "PaginationError": ("SubscribekitError",),
    "FilterNotAppliedError": ("SubscribekitError",),
    "OutcomeUnknownError": ("SubscribekitError",),
    "RedirectOutcomeUnknownError": ("OutcomeUnknownError", "UnexpectedRedirectError"),
    "BulkError": ("SubscribekitError",),
    "LedgerError": ("BulkError",),
    "LeaseLostError": ("BulkError",),
}
KINDS: list[type[SubscribekitError]] = [
    SubscribekitError,
    *(kind for name in TREE if issubclass(kind := getattr(errors, name), SubscribekitError)),
]
SAMPLES: dict[str, Any] = {
    "outcome": "unknown",
    "operation": "accounts.list",
    "attempts": 3,
    "elapsed": 1.25,
    "checkpoint": "WyIx",
    "trace_id": "0af7651916cd43dd8448eb211c80319c",
    "status_code": 418,
    "code": "teapot",
    "message": "short and stout",
    "request_id": "r-1",
    "type": "access",
    "authorities": ("ROLE_ADMIN",),
    "keep_body": False,
    "headers": {"request-id": "r-1"},
    "validation_errors": (ErrorDetail("a", "b"),),
    "field_errors": (FieldError("a", "b", "c", "d"),),
    "operation_errors": (ErrorDetail("c", None),),
    "earlier_attempt_unknown": True,
    "retry_after": 7.5,
    "method": "POST",
    "path_template": "/v1/entitlement/{id}/charge",
    "resource_id": "ps-1",
    "reconcile_key": "t-1",
    "original_transaction_id": "t-0",
    "phase": "body_sent",
    "likely_applied": True,
    "sent_at": datetime(2026, 1, 1, tzinfo=UTC),
}


def attributes(kind: type) -> set[str]:
    return {
        name
        for base in kind.__mro__
        for name in getattr(base, "__annotations__", {})
        if base.__module__ == errors.__name__ and not name.startswith("_")
    }


def test_the_public_errors_form_the_documented_hierarchy() -> None:
    for name, bases in TREE.items():
        assert tuple(base.__name__ for base in getattr(errors, name).__bases__) == bases
    public = {name for name in errors.__all__ if isinstance(getattr(errors, name), type)}
    assert public - {"ErrorDetail", "FieldError"} == {*TREE, "SubscribekitError"}


def test_the_samples_cover_every_attribute() -> None:
    assert set().union(*(attributes(kind) for kind in KINDS)) == SAMPLES.keys()


@looped("kind", KINDS)
@pytest.mark.parametrize(
    "duplicate",
    [
        lambda error: pickle.loads(pickle.dumps(error, 2)),
        lambda error: pickle.loads(pickle.dumps(error)),
        copy.copy,
        copy.deepcopy,
    ],
    ids=["pickle 2", "pickle", "copy", "deepcopy"],
)
def test_an_error_survives_pickling_and_copying(kind: type[SubscribekitError], duplicate: Any) -> None:
    error = kind("what happened")
    for name in attributes(kind):
        setattr(error, name, SAMPLES[name])
    error.add_note("a note")
    same = duplicate(error)
    assert type(same) is kind
    assert same is not error
    assert (str(same), repr(same), same.args) == (str(error), repr(error), error.args)
    for name in attributes(kind):
        assert getattr(same, name) == SAMPLES[name], name
    assert same.__notes__ == ["a note"]


def test_an_error_that_an_older_version_pickled_is_refused() -> None:
    """Its class or its phase may have another name in this version."""
    restore, (form, *older) = errors.OutcomeUnknownError("no response").__reduce__()
    assert str(restore(form, *older)) == "no response"
    for parts in ((form - 1, *older), tuple(older)):
        with pytest.raises(errors.InvalidArgumentError, match="pickled by another version of subscribekit") as caught:
            restore(*parts)
        assert caught.value.outcome == "unknown"


@looped("kind", KINDS)
def test_a_fresh_error_has_every_attribute(kind: type[SubscribekitError]) -> None:
    error = kind("text")
    assert str(error) == "text"
    assert error.outcome in ("not_sent", "rejected", "unknown")
    for name in attributes(kind):
        getattr(error, name)
    assert kind("text", outcome="unknown").outcome == "unknown"
    with pytest.raises(kind):
        raise error


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("ConfigurationError", "not_sent"),
        ("InvalidArgumentError", "not_sent"),
        ("ClientClosedError", "not_sent"),
        ("PoolTimeoutError", "not_sent"),
        ("APIError", "rejected"),
        ("InvalidResponseError", "rejected"),
        ("PaginationError", "rejected"),
        ("FilterNotAppliedError", "rejected"),
        ("OutcomeUnknownError", "unknown"),
        ("RedirectOutcomeUnknownError", "unknown"),
    ],
)
def test_each_class_has_its_default_outcome(name: str, outcome: str) -> None:
    assert getattr(errors, name)("x").outcome == outcome


def test_errors_do_not_share_state() -> None:
    first, second = APIError("a"), APIError("b")
    first.headers = {"x": "1"}
    first.body = {"y": 1}
    assert second.headers == {}
    assert second.body is None
    assert APIError.headers == {}


DUPLICATES = {"pickle": lambda error: pickle.loads(pickle.dumps(error)), "copy": copy.copy, "deepcopy": copy.deepcopy}


@pytest.mark.parametrize("duplicate", DUPLICATES.values(), ids=DUPLICATES.keys())
def test_a_body_is_pickled_and_copied_only_with_keep_body(duplicate: Any) -> None:
    error = errors.ValidationFailedError("m")
    error.body = {"card": "4111111111111111"}
    error.field_errors = (errors.FieldError(field="card", rejected_value="4111111111111111"),)
    assert "4111" not in repr(vars(error)) + repr(error) + str(error) + repr(error.field_errors)
    assert error.field_errors[0].rejected_value == "4111111111111111"
    assert duplicate(error).body is None
    assert b"4111" not in pickle.dumps(error)
    assert copy.deepcopy(error).field_errors[0].rejected_value is None
    error.keep_body = True
    assert duplicate(error).body == {"card": "4111111111111111"}


# Errors of real calls

SCRIPTS: dict[str, Any] = {
    "connection": (httpx.ConnectError("secret detail of another library"),) * 3,
    "pool": (httpx.PoolTimeout("x"),),
    "timeout": (httpx.ReadTimeout("x"),) * 3,
    "status": (lambda _: answer({"code": "invalid-request", "validationErrors": [{"code": "c"}]}, 400),),
    "limit": (lambda _: answer({}, 429, Retry_After="120"),),
    "redirect": (lambda _: answer({}, 302, Location="https://e.test/x?token=1"),),
    "damaged": (lambda _: answer(b"{"),) * 2,
    "shape": (lambda _: answer(b"[1]"),),
}


def charge(client: Any) -> Any:
    refund = EntitlementCharge(transaction_id="t-1", amount=-5, original_transaction_id="t-0")
    return client.entitlements.charge("ps-1", refund)


@looped("script", SCRIPTS)
@looped("call", [CALLS["gateway"], charge])
def test_the_errors_of_calls_survive_pickling_and_hold_no_internal_objects(script: str, call: Any, run: Run) -> None:
    service = Service(*SCRIPTS[script])
    with pytest.raises(SubscribekitError) as caught:
        run("gateway", call, transport=service)
    error = caught.value
    same = pickle.loads(pickle.dumps(error))
    assert type(same) is type(error)
    assert str(same) == str(error)
    assert {name: getattr(same, name) for name in attributes(type(error))} == {
        name: getattr(error, name) for name in attributes(type(error))
    }
    for value in vars(error).values():
        assert type(value).__module__.partition(".")[0] in ("builtins", "datetime", "decimal", "subscribekit")
    assert error.__context__ is None or isinstance(error.__context__, SubscribekitError)
    assert error.__cause__ is None or isinstance(error.__cause__, SubscribekitError)
    assert "secret detail" not in str(error)
    assert error.attempts == len(service.sent)


def test_an_unknown_outcome_has_everything_that_a_reconciliation_needs(run: Run) -> None:
    service = Service(httpx.ReadTimeout("x"))
    with pytest.raises(errors.OutcomeUnknownError) as caught:
        run("gateway", charge, transport=service)
    error = caught.value
    assert (error.method, error.path_template) == ("POST", "/v1/entitlement/{partner_subscription}/charge")
    assert (error.resource_id, error.reconcile_key, error.original_transaction_id) == ("ps-1", "t-1", "t-0")
    assert (error.operation, error.attempts, error.likely_applied) == ("entitlements.charge", 1, None)
    assert error.sent_at == service.clock.now()
    assert error.status_code is None
    text = str(error)
    assert "may or may not have been carried out" in text
    assert (
        "Do not send it again, even with another transaction ID, until the operator confirms that it was not made"
        in text
    )
    assert "'t-1'" in text
    assert "-5" not in text
    assert isinstance(error.__cause__, errors.ConnectionFailedError)
    assert error.__cause__.attempts == 1


def test_a_charge_without_a_reference_is_unknown_and_likely_applied(run: Run) -> None:
    for body in ({}, {"transactionReferenceId": None}, {"transactionReferenceId": ""}):
        with pytest.raises(errors.OutcomeUnknownError, match="probably carried out") as caught:
            run("gateway", charge, transport=Service(answer(body, Request_Id="r-1")))
        error = caught.value
        assert (error.likely_applied, error.status_code, error.request_id) == (True, 200, "r-1")


def test_a_redirect_of_a_write_is_both_kinds_of_error(run: Run) -> None:
    service = Service(answer({}, 303, Location="https://other.test/done?secret=1", Request_Id="r-1"))
    with pytest.raises(errors.RedirectOutcomeUnknownError) as caught:
        run("gateway", charge, transport=service)
    assert isinstance(caught.value, errors.UnexpectedRedirectError)
    assert (caught.value.status_code, caught.value.request_id, caught.value.outcome) == (303, "r-1", "unknown")
    assert "other.test" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_redirect_of_a_read_is_not_followed(run: Run) -> None:
    service = Service(answer({}, 301, Location="https://gateway.test/other"))
    with pytest.raises(errors.UnexpectedRedirectError, match="doesn't follow redirects") as caught:
        run("gateway", CALLS["gateway"], transport=service)
    assert (caught.value.status_code, caught.value.outcome) == (301, "rejected")


@pytest.mark.parametrize(("value", "seconds"), [("7", 7.0), ("0", 0.0), ("nan", None), ("-1", None), (None, None)])
def test_a_rate_limit_says_how_long_to_wait(value: str | None, seconds: float | None, run: Run) -> None:
    headers = {} if value is None else {"Retry_After": value}
    with pytest.raises(errors.RateLimitError) as caught:
        run("gateway", charge, transport=Service(answer({}, 429, **headers)))
    assert caught.value.retry_after == seconds
    assert caught.value.outcome == "rejected"


@pytest.mark.parametrize(("value", "seconds"), [("7", 7.0), ("0", 0.0), ("nan", None), (None, None)])
def test_an_unavailable_service_says_how_long_to_wait(value: str | None, seconds: float | None, run: Run) -> None:
    headers = {} if value is None else {"Retry_After": value}
    with pytest.raises(errors.ServiceUnavailableError) as caught:
        run(
            "gateway",
            CALLS["gateway"],
            transport=Service(answer({}, 503, **headers)),
            retry=RetryPolicy(max_attempts=1),
        )
    assert caught.value.retry_after == seconds
    with pytest.raises(errors.OutcomeUnknownError) as unknown:
        run("gateway", charge, transport=Service(answer({}, 503, **headers)))
    cause = unknown.value.__cause__
    assert isinstance(cause, errors.ServiceUnavailableError)
    assert pickle.loads(pickle.dumps(cause)).retry_after == seconds


@pytest.mark.hazard("H226")
@pytest.mark.parametrize("status", [429, 503])
def test_a_retry_after_of_twenty_digits_is_neither_waited_for_nor_ignored(status: int, run: Run) -> None:
    service = Service(answer({}, status, Retry_After="9" * 20))
    with pytest.raises(errors.APIError, match="asks for a wait of 1e\\+20 s") as caught:
        run("gateway", CALLS["gateway"], transport=service)
    assert isinstance(caught.value, errors.RateLimitError | errors.ServiceUnavailableError)
    assert (caught.value.retry_after, caught.value.attempts, service.time.slept) == (1e20, 1, [])
