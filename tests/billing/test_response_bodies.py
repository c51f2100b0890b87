"""Checks the outcome of each write for each kind of body with a success status (H223 to H225).

A response is a success if it shows the resource that the call named. If no source documents the response, or the call
is a deletion, any JSON that isn't an error is a success, and so is an empty body.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from kit.calls import Always, Run, Service, answer
from looped import looped
from subscribekit import RetryPolicy
from subscribekit import _json as json
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit.errors import OutcomeUnknownError, SubscribekitError

from .cases import Case
from .tables import ALL

WRITES = [case for case in ALL if case.method != "GET"]
SHOWN = [case for case in WRITES if not case.empty]
NOT_SHOWN = [case for case in WRITES if case.empty]
UNNAMED = [
    case
    for case in SHOWN
    if case.name == "entitlements.charge"
    or (case.name.endswith(".create") and not (case.body or "").startswith('{"id":'))
]
NAMED = [case for case in SHOWN if case not in UNNAMED]

UNDOCUMENTED = (
    {"error": "declined"},
    {"error": {"code": "not-found"}},
    {"errors": ["declined"]},
    {"validationErrors": [{"code": "x", "message": "m"}]},
    {"fieldErrors": [{"code": "not-found"}]},
    {"operationErrors": [{"code": "x"}]},
    {"operationError": {"code": "x"}},
    {"operationError": "x"},
    {"success": False},
    {"code": "declined", "message": "m"},
)
DOCUMENTED = (
    {"object": "Error", "message": "m"},
    {"object": "Error"},
    {"code": "forbidden"},
    {"code": "not-found", "message": "m"},
    {"operationError": {"code": "ACCESS_FORBIDDEN"}},
    {"operationErrors": [{"code": "x"}, {"code": "user-not-found"}]},
)
NO_ERRORS = ({"error": None}, {"errors": []}, {"success": True}, {"code": "x"}, {"message": "m"}, {"success": None})
LISTS = ([], [{}], {"object": "List", "data": []}, {"object": "List", "data": [{"id": "x"}], "total_count": 1})
ODD = (None, "text", 7, True)

every_write = looped("case", WRITES)


def resource_of(case: Case) -> dict[str, Any]:
    """Return the resource in the response of a case."""
    document = json.decode(case.answer) if case.answer else {}
    assert isinstance(document, dict)
    return dict(document)


def results_of(run: Run, case: Case, *responses: httpx.Response) -> list[Any]:
    """Make the call once for each response, with one client, and return the result or the error of each call."""
    service = Service(*responses)

    async def story(client: Any) -> list[Any]:
        found: list[Any] = []
        for number, _ in enumerate(responses, 1):
            try:
                found.append(await run.finish(case.use(client)))
            except SubscribekitError as error:
                found.append(error)
            assert len(service.sent) == number
        return found

    once = RetryPolicy(max_attempts=1)
    found: list[Any] = run(case.group, story, transport=service, wire_names=SANDBOX_WIRE_NAMES, retry=once)
    return found


def of_another_kind(case: Case) -> str:
    """Return an `object` of a resource that the case isn't about."""
    return "Payment" if case.name.startswith("transactions.") else "Transaction"


def reply(content: object, status: int = 200) -> httpx.Response:
    return answer(json.encode([content])[1:-1], status)


def use(run: Run, case: Case, content: object) -> Any:
    (result,) = results_of(run, case, reply(content))
    assert not isinstance(result, SubscribekitError), result
    return result


def is_unknown(error: SubscribekitError, *, likely: bool) -> bool:
    return isinstance(error, OutcomeUnknownError) and error.likely_applied is (True if likely else None)


def test_each_group_has_the_expected_cases() -> None:
    assert {case.name for case in UNNAMED} == {
        "accounts.create", "activities.create", "refunds.create", "entitlements.charge",
    }  # fmt: skip
    assert len(NAMED) + len(UNNAMED) + len(NOT_SHOWN) == len(WRITES)


@looped("case", SHOWN)
def test_a_response_without_the_resource_leaves_the_outcome_unknown(case: Case, run: Run) -> None:
    """H223: the response doesn't show whether the service carried out the write."""
    unnamed = {**resource_of(case), "id": None, "vid": "", "transactionReferenceId": ""}
    contents = ({}, {"object": resource_of(case).get("object")}, {"status": "ok"}, *NO_ERRORS, *LISTS, *ODD, unnamed)
    for content, result in zip(contents, results_of(run, case, *map(reply, contents)), strict=True):
        assert is_unknown(result, likely=True), content


@looped("case", NAMED)
def test_a_response_with_another_resource_leaves_the_outcome_unknown(case: Case, run: Run) -> None:
    """H223: a response about another resource probably belongs to another caller's request."""
    for other in ({"id": "another", "vid": "f" * 40}, {"id": "another", "vid": None}, {"id": "4711", "vid": "vid-9"}):
        if case.path.endswith("/vid1") and not other["vid"] and "another" not in (case.body or ""):
            continue  # an ID can't be compared with a vid
        assert is_unknown(*results_of(run, case, reply({**resource_of(case), **other})), likely=True), other


@looped("case", SHOWN)
def test_the_resource_is_a_success_by_its_id_or_its_vid(case: Case, run: Run) -> None:
    assert use(run, case, resource_of(case)) == case.gives
    assert use(run, case, {**resource_of(case), "novel": {"errors": [1]}, "code": "x", "errors": []})
    if case in NAMED and not case.name.endswith(".create") and case.group != "storefront":
        named = resource_of(case)["id"] if case.key in (None, "a1") else case.key
        assert use(run, case, {**resource_of(case), "vid": named, "id": "known by another name"})


@every_write
def test_an_undocumented_error_leaves_the_outcome_unknown(case: Case, run: Run) -> None:
    """H224: errors beside the resource count, too, except a code and a message in the response to a charge (H413)."""
    is_charge = case.name == "entitlements.charge"
    beside = [error for error in UNDOCUMENTED if not is_charge or "code" not in error]
    contents = [*UNDOCUMENTED, *({**resource_of(case), **error} for error in beside)]
    for content, result in zip(contents, results_of(run, case, *map(reply, contents)), strict=True):
        assert is_unknown(result, likely=is_charge and content not in UNDOCUMENTED), content
        assert "Correct the" not in str(result)


@every_write
def test_a_documented_error_with_a_success_status_is_a_rejection(case: Case, run: Run) -> None:
    for error in DOCUMENTED:
        alone, created, beside = results_of(
            run, case, reply(error), reply(error, 201), reply({**resource_of(case), **error})
        )
        assert (alone.outcome, created.outcome) == ("rejected", "rejected"), error
        assert beside.outcome == ("unknown" if case.name == "entitlements.charge" else "rejected"), error


@every_write
def test_a_page_or_a_damaged_body_leaves_the_outcome_unknown(case: Case, run: Run) -> None:
    """H225: an expired session of the account-lifecycle API, or a proxy, returns a page for any call."""
    pages = [
        (b"<html><body>Please log in</body></html>", "text/html"),
        (case.answer, "text/html; charset=utf-8"),
        (b"<!doctype html>", "application/json"),
        (b'{"object": "Acc', "application/json"),
        (b'{"id": 1} {"id": 2}', "application/json"),
        (b'{"id": 1e400}' if case.gives is not None else b"NaN", "application/json"),
        (b"done", "text/plain"),
    ]
    responses = [answer(content, Content_Type=kind) for content, kind in pages if content]
    for response, result in zip(responses, results_of(run, case, *responses), strict=True):
        assert is_unknown(result, likely=True), response.content


@looped("case", NOT_SHOWN)
def test_an_undocumented_response_is_a_success_unless_it_is_an_error(case: Case, run: Run) -> None:
    """H225: a successful payment must not become unknown only because no source documents its response."""
    others = (
        {"object": of_another_kind(case), "id": "another", "vid": "v" * 40, "amount": 5},
        {"object": "Nothing known"},
    )
    contents = ({}, *others, *NO_ERRORS, *LISTS, *ODD)
    empty = [answer(status=status) for status in (200, 201, 202, 204)]
    for number, result in enumerate(results_of(run, case, *map(reply, contents), *empty)):
        assert type(result) is type(case.gives), [*contents, *empty][number]


@looped("case", [case for case in NOT_SHOWN if case.gives is not None])
def test_the_result_has_the_known_fields_and_keeps_the_others_raw(case: Case, run: Run) -> None:
    result = use(run, case, {"object": of_another_kind(case), "id": "another", "vid": "v1", "novel": [{"a": 1}]})
    extra = result.model_extra
    assert extra["novel"] == [{"a": 1}]
    assert {"another", "v1"} <= {getattr(result, "id", None), getattr(result, "vid", None), *map(str, extra.values())}
    assert run.style != "blocking" or result.object == type(case.gives).model_fields["object"].default


@looped("case", NOT_SHOWN)
def test_an_empty_body_without_a_length_may_have_been_cut_off(case: Case, run: Run) -> None:
    """If an HTTP/1 connection closes before the body, and there's no length, the body may be empty or lost."""

    def cut(_: object) -> httpx.Response:
        return httpx.Response(200, stream=httpx.ByteStream(b""), extensions={"http_version": b"HTTP/1.1"})

    def over_http2(_: object) -> httpx.Response:
        return httpx.Response(200, stream=httpx.ByteStream(b""), extensions={"http_version": b"HTTP/2"})

    def framed(_: object) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Length": "0"}, extensions={"http_version": b"HTTP/1.1"})

    with pytest.raises(OutcomeUnknownError) as caught:
        run(
            case.group,
            case.use,
            transport=Always(cut),
            wire_names=SANDBOX_WIRE_NAMES,
            retry=RetryPolicy(max_attempts=1),
        )
    assert caught.value.likely_applied
    for whole in (framed, over_http2):
        result = run(case.group, case.use, transport=Always(whole), wire_names=SANDBOX_WIRE_NAMES)
        assert type(result) is type(case.gives)


@looped("case", [case for case in WRITES if case.gives is None])
def test_a_204_is_enough_after_a_deletion(case: Case, run: Run) -> None:
    for content in (b"", b"<html>", b"{"):
        service = Always(lambda _, content=content: answer(content, 204, Content_Type="text/html"))
        assert run(case.group, case.use, transport=service, wire_names=SANDBOX_WIRE_NAMES) is None
