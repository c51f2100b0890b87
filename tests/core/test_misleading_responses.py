"""Responses that can be misread: results with a message, errors with a success status, and late or empty responses."""

from __future__ import annotations

import copy
import pickle
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import httpx
import pytest

from kit.calls import URL, Run, Service, answer, envelope
from subscribekit import GatewayClient, WireNames, errors
from subscribekit._core.operations.error_shapes import ERROR_CODES
from subscribekit.errors import (
    APIError,
    ClientClosedError,
    ConfigurationError,
    DeadlineExceededError,
    FilterNotAppliedError,
    InvalidArgumentError,
    InvalidResponseError,
    OutcomeUnknownError,
    ValidationFailedError,
)
from subscribekit.models import EntitlementCharge

MESSAGE = {"code": "OK", "message": "done"}
CHARGE = EntitlementCharge(transaction_id="t1")
NAMES = WireNames(custom_data_filter_param="filter")
SPENT = {"fieldErrors": [], "operationErrors": [{"code": "invalid-input-error", "message": "nothing deleted"}]}
FIELDS = {"fieldErrors": [{"code": "NotNull", "field": "filter"}]}


def charge(client: Any) -> Any:
    return client.entitlements.charge("p1", CHARGE)


def delete(client: Any) -> Any:
    return client.custom_data.delete("me", "toys", filter="age ge 3")


# A body with a code and a message may be an undocumented error, so the outcome of a write is unknown


@pytest.mark.parametrize("reference", [{}, {"transactionReferenceId": ""}, {"transactionReferenceId": None}], ids=str)
def test_a_message_in_place_of_a_receipt_leaves_a_charge_unknown(reference: dict[str, str], run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=Service(answer({**MESSAGE, **reference})))
    assert caught.value.likely_applied is None


@pytest.mark.hazard("H413")
def test_a_message_beside_a_receipt_is_a_success(run: Run) -> None:
    receipt = run("gateway", charge, transport=Service(answer({**MESSAGE, "transactionReferenceId": "r1"})))
    assert receipt.transaction_reference_id == "r1"


@pytest.mark.hazard("H413")
@pytest.mark.parametrize(
    "error",
    [
        *({"code": code, "message": "m"} for code in ERROR_CODES),
        {"code": "not-found"},
        {"object": "Error"},
        {"success": False, **MESSAGE},
        {"errors": ["x"], **MESSAGE},
        {"operationError": {"code": "x", "message": "m"}},
    ],
    ids=str,
)
def test_an_error_beside_a_receipt_leaves_a_charge_unknown(error: dict[str, object], run: Run) -> None:
    service = Service(answer({**error, "transactionReferenceId": "r1"}))
    with pytest.raises(OutcomeUnknownError, match="contains both a result and an error") as caught:
        run("gateway", charge, transport=service)
    assert (caught.value.likely_applied, len(service.sent)) == (True, 1)


def test_the_cause_of_an_unknown_charge_has_the_error_code(run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=Service(answer(MESSAGE)))
    assert isinstance(caught.value.__cause__, APIError)
    assert caught.value.__cause__.code == "OK"


@pytest.mark.parametrize("empty", [{"code": None, "message": None}, {"code": "OK"}, {"message": "done"}], ids=str)
def test_a_receipt_with_half_of_a_message_is_a_receipt(empty: dict[str, str | None], run: Run) -> None:
    receipt = run("gateway", charge, transport=Service(answer({**empty, "transactionReferenceId": "r1"})))
    assert receipt.transaction_reference_id == "r1"
    assert receipt.model_extra == empty


# The account-lifecycle API: a validation error is an error with any status


@pytest.mark.parametrize("body", [SPENT, FIELDS], ids=["operationErrors", "fieldErrors"])
@pytest.mark.parametrize("status", [200, 400, 422])
def test_a_validation_body_of_the_account_lifecycle_api_is_an_error_with_any_status(
    body: dict[str, Any], status: int, run: Run
) -> None:
    for call in (delete, lambda client: client.accounts.list()):
        with pytest.raises(errors.SubscribekitError) as caught:
            run("user_mgmt", call, transport=Service(answer(body, status)), wire_names=NAMES)
        error = caught.value
        # With a success status, a part of the deletion may have been carried out.
        assert error.outcome == ("unknown" if call is delete and status == 200 else "rejected")
        cause = error.__cause__ if isinstance(error, OutcomeUnknownError) else error
        assert isinstance(cause, ValidationFailedError)
        found = [*cause.operation_errors, *cause.field_errors]
        assert [each.code for each in found] == ["invalid-input-error" if body is SPENT else "NotNull"]


def test_a_404_with_a_validation_body_is_a_not_found_error(run: Run) -> None:
    with pytest.raises(errors.NotFoundError):
        run("user_mgmt", delete, transport=Service(answer(SPENT, 404)), wire_names=NAMES)


def test_a_body_with_empty_lists_of_errors_is_a_success(run: Run) -> None:
    body = {"fieldErrors": [], "operationErrors": []}
    assert run("user_mgmt", delete, transport=Service(answer(body)), wire_names=NAMES) is None


# Custom requests, for which the client has no method


def test_an_error_body_is_not_the_result_of_a_custom_request(run: Run) -> None:
    body = {"code": "invalid-request", "message": "no", "validationErrors": [{"code": "a", "message": "b"}]}
    with pytest.raises(ValidationFailedError):
        run("gateway", lambda client: client.request("POST", "/x", json={}), transport=Service(answer(body)))
    thing = {**MESSAGE, "id": "x1"}
    assert run("gateway", lambda client: client.request("GET", "/x"), transport=Service(answer(thing))) == thing
    with pytest.raises(OutcomeUnknownError):
        run("gateway", lambda client: client.request("POST", "/x"), transport=Service(answer(thing)))


@pytest.mark.parametrize("body", [{}, {"transactionReferenceId": ""}, None], ids=str)
def test_a_charge_sent_as_a_custom_request_needs_a_reference_too(body: object, run: Run) -> None:
    def free(client: Any) -> Any:
        return client.request("POST", "/v1/entitlement/p1/charge", json=CHARGE)

    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", free, transport=Service(answer(body)))
    assert caught.value.likely_applied
    assert run("gateway", free, transport=Service(answer({"transactionReferenceId": "r1"})))


# A lost connection had been opened, whichever exception the adapter raises for it (H87)


@pytest.mark.parametrize(
    ("cause", "outcome"),
    [
        (aiohttp.ServerDisconnectedError(), "unknown"),
        (aiohttp.ClientOSError(104, "reset"), "unknown"),
        (aiohttp.ConnectionTimeoutError(), "not_sent"),
        (ConnectionRefusedError(), "not_sent"),
        (None, "not_sent"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("kind", [httpx.ConnectError, httpx.ConnectTimeout])
def test_the_cause_of_a_connect_error_decides_the_outcome(
    kind: type[httpx.TransportError], cause: Exception | None, outcome: str, run: Run
) -> None:
    error = kind("lost")
    error.__cause__ = cause
    service = Service(*[error] * (1 if outcome == "unknown" else 3))
    with pytest.raises(errors.SubscribekitError) as caught:
        run("gateway", charge, transport=service)
    assert (caught.value.outcome, service.answers) == (outcome, [])


@pytest.mark.parametrize(
    "error",
    [EOFError(), httpx.InvalidURL("bad"), aiohttp.ClientPayloadError(), httpx.ProxyError("no")],
    ids=lambda error: type(error).__name__,
)
def test_an_unexpected_error_of_a_transport_leaves_a_write_unknown(error: Exception, run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=Service(error))
    assert caught.value.reconcile_key == "t1"


def test_a_bug_in_a_mock_is_raised_unchanged(run: Run) -> None:
    with pytest.raises(ZeroDivisionError):
        run("gateway", charge, transport=Service(ZeroDivisionError()))


class Breaking(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body of complete JSON that raises an error after its first chunk or, with `on_close`, when it's closed."""

    def __init__(self, error: Exception, *, on_close: bool) -> None:
        self._error, self._on_close = error, on_close

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"transactionReferenceId":"r1"}'
        if not self._on_close:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        if self._on_close:
            raise self._error

    async def aclose(self) -> None:
        self.close()


@pytest.mark.parametrize("error", [ZeroDivisionError(), httpx.ReadError("reset")], ids=["mistake", "network"])
def test_a_body_that_ends_with_an_error_is_not_a_receipt(error: Exception, run: Run) -> None:
    broken = httpx.Response(200, stream=Breaking(error, on_close=False))
    with pytest.raises(ZeroDivisionError if isinstance(error, ZeroDivisionError) else OutcomeUnknownError):
        run("gateway", charge, transport=Service(broken))


def test_a_bug_in_the_close_method_of_a_mock_is_raised_unchanged(run: Run) -> None:
    closing = Breaking(ZeroDivisionError(), on_close=True)
    with pytest.raises(ZeroDivisionError):
        run("gateway", charge, transport=Service(httpx.Response(200, stream=closing)))


# Late responses


class Dripping(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body whose pieces each take some seconds of the simulated clock."""

    def __init__(self, service: Service, pieces: list[bytes], seconds: float) -> None:
        self._service, self._pieces, self._seconds = service, pieces, seconds

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._service.time.seconds += self._seconds
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def dripping(pieces: list[bytes], seconds: float) -> Service:
    service = Service()
    stream = Dripping(service, pieces, seconds)
    service.answers.append(httpx.Response(200, headers={"Content-Type": "application/json"}, stream=stream))
    return service


RECEIPT = [b'{"transactionReferenceId"', b':"r1"', b"}"]


def test_a_response_that_drips_past_the_deadline_is_not_waited_for(run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=dripping(RECEIPT, 2.0), deadline=3.0)
    assert caught.value.likely_applied
    assert "deadline" in str(caught.value)
    with pytest.raises(DeadlineExceededError):
        run(
            "gateway",
            lambda client: client.subscriptions.retrieve("s1"),
            transport=dripping(RECEIPT, 2.0),
            deadline=3.0,
        )
    assert run("gateway", charge, transport=dripping(RECEIPT, 2.0), deadline=7.0).transaction_reference_id == "r1"


def test_a_response_that_arrives_late_but_complete_is_used(run: Run) -> None:
    whole = dripping([b"".join(RECEIPT)], 9.0)
    assert run("gateway", charge, transport=whole, deadline=3.0).transaction_reference_id == "r1"


def test_a_read_with_an_empty_response_is_retried_once(run: Run) -> None:
    service = Service(answer(), answer({"object": "Account", "id": "a1"}))
    assert run("billing", lambda client: client.accounts.retrieve("a1"), transport=service).id == "a1"
    with pytest.raises(InvalidResponseError):
        run("billing", lambda client: client.accounts.retrieve("a1"), transport=Service(answer(), answer()))


def test_the_outcome_covers_all_attempts(run: Run) -> None:
    service = Service(httpx.ReadTimeout("late"), httpx.ConnectError("no"), httpx.ConnectError("no"))
    with pytest.raises(errors.ConnectionFailedError) as caught:
        run("billing", lambda client: client.accounts.retrieve("a1"), transport=service)
    assert caught.value.outcome == "rejected"  # the first attempt was sent, and a read changes nothing


# Filters whose wire names are assumptions


def summary(**account: str) -> dict[str, object]:
    return {"object": "EventSummary", "account": account}


@pytest.mark.parametrize(
    "items",
    [
        [summary(id="a1"), summary(id="a2")],  # the first item shows that the argument is an ID
        [summary(id="a2"), summary(id="a3")],  # one account can't have two IDs
        [summary(vid="v1"), summary(id="a1"), summary(vid="v2")],
        [summary(id="a2", vid="v2")],
    ],
    ids=str,
)
def test_items_that_contradict_each_other_were_not_filtered(items: list[dict[str, object]], run: Run) -> None:
    with pytest.raises(FilterNotAppliedError):
        run("billing", lambda c: c.event_summaries.list(account="a1"), transport=Service(answer(envelope(*items))))


@pytest.mark.parametrize(
    "items", [[summary(id="a1"), summary(id="a1")], [summary(vid="v1"), summary(vid="v1"), summary(id="a1")]], ids=str
)
def test_items_that_may_belong_to_one_account_pass(items: list[dict[str, object]], run: Run) -> None:
    service = Service(answer(envelope(*items)))
    assert len(run("billing", lambda c: c.event_summaries.list(account="a1"), transport=service)) == len(items)


def test_the_total_of_an_unfiltered_list_is_not_returned(run: Run) -> None:
    async def story(client: Any) -> None:
        pager = client.event_summaries.list(account="a1")
        with pytest.raises(FilterNotAppliedError) as caught:
            await run.now(pager.total_count())
        assert caught.value.checkpoint

    run("billing", story, transport=Service(answer(envelope(summary(id="a2", vid="v2"), total_count=9))))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_different_items_with_the_same_id_are_all_returned_on_one_page_and_across_pages(size: int, run: Run) -> None:
    entries = [{"id": 1, "type": "a"}, {"id": 1, "type": "b"}, {"id": 1}, {"id": 2}]
    pages = [answer(entries[start : start + size], X_Total_Count="4") for start in range(0, 4, size)]
    found = run("user_mgmt", lambda client: client.accounts.list(size=size), transport=Service(*pages))
    assert [(each.id, each.type) for each in found] == [(1, "a"), (1, "b"), (1, None), (2, None)]


# Attributes and texts of errors


def test_a_pickled_or_copied_error_keeps_its_cause_without_the_body(run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=Service(answer({"code": "server-error", "message": "m", "email": "e@x"}, 500)))
    for twin in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        cause = twin.__cause__
        assert isinstance(cause, errors.ServerError)
        assert (cause.status_code, cause.message, cause.body) == (500, "m", None)


def test_an_error_raised_before_sending_names_the_operation(run: Run) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        run("gateway", lambda client: client.campaigns.activate("a/b"), transport=Service())
    assert refused.value.operation == "campaigns.activate"
    with pytest.raises(ConfigurationError) as unset:
        run("billing", lambda client: client.accounts.list(credit_card_account="4"), transport=Service())
    assert unset.value.operation == "accounts.list"

    async def closed(client: Any) -> None:
        await run.close(client)
        with pytest.raises(ClientClosedError) as caught:
            await run.finish(client.campaigns.activate("c1"))
        assert caught.value.operation == "campaigns.activate"

    run("gateway", closed, transport=Service())


@pytest.mark.parametrize("name", ["limit", "starting_after", "ending_before"])
def test_a_filter_cannot_have_the_name_of_a_paging_parameter(name: str) -> None:
    with pytest.raises(ConfigurationError, match="accounts_email"):
        WireNames(accounts_email=name)


def test_a_missing_key_of_the_gateway_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUBSCRIBEKIT_STAGING_GATEWAY_API_KEY", raising=False)
    monkeypatch.setenv("SUBSCRIBEKIT_STAGING_GATEWAY_URL", URL["gateway"])
    with pytest.raises(ConfigurationError, match="SUBSCRIBEKIT_STAGING_GATEWAY_API_KEY") as caught:
        GatewayClient(environment="staging").subscriptions.retrieve("s1")
    assert caught.value.operation == "subscriptions.retrieve"


def test_an_error_says_that_the_retry_budget_prevented_a_retry(run: Run) -> None:
    service = Service(*(answer({}, 503) for _ in range(12)))

    async def story(client: Any) -> None:
        for retries in (2, 2, 1, 0):
            with pytest.raises(errors.ServerError) as caught:
                await run.finish(client.subscriptions.retrieve("s1"))
            assert caught.value.attempts == retries + 1
            assert ("too many recent calls" in str(getattr(caught.value, "__notes__", ""))) == (retries < 2)

    run("gateway", story, transport=service)


def test_a_header_of_a_call_is_sent_once(run: Run) -> None:
    service = Service(answer({"id": "s1"}))

    async def story(client: Any) -> None:
        other = client.with_options(headers={"x-partner": "other", "X-Tenant": "7"})
        await run.finish(other.subscriptions.retrieve("s1", partner_code="mine"))

    run("gateway", story, transport=service, wire_names=WireNames(partner_code_header="X-Partner"))
    assert service.only.headers.get_list("x-partner") == ["mine"]
    assert service.only.headers["x-tenant"] == "7"


def test_a_timeout_error_of_a_custom_transport_is_not_the_deadline(run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charge, transport=Service(TimeoutError("its own")), deadline=60.0)
    assert "deadline" not in str(caught.value)
