"""The outcome of each write of the catalogue for a body under a success status (H223 to H225).

A success shows the resource that the call named. Where no source shows a response, and after a deletion, any JSON that
is no error is one, and so is no body.
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


def of(case: Case) -> dict[str, Any]:
    """Give the resource that the case responds with, as an object."""
    document = json.decode(case.answer) if case.answer else {}
    assert isinstance(document, dict)
    return dict(document)


def ends(run: Run, case: Case, *responses: httpx.Response) -> list[Any]:
    """Make the call once for each response, all with one client; give the result or the error of each."""
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
    """Give an `object` that is not that of the resource of the case."""
    return "Payment" if case.name.startswith("transactions.") else "Transaction"


def shows(content: object, status: int = 200) -> httpx.Response:
    return answer(json.encode([content])[1:-1], status)


def use(run: Run, case: Case, content: object) -> Any:
    (result,) = ends(run, case, shows(content))
    assert not isinstance(result, SubscribekitError), result
    return result


def is_unknown(error: SubscribekitError, *, likely: bool) -> bool:
    return isinstance(error, OutcomeUnknownError) and error.likely_applied is (True if likely else None)


def test_the_groups_of_cases_hold_what_they_say() -> None:
    assert {case.name for case in UNNAMED} == {
        "accounts.create", "activities.create", "refunds.create", "entitlements.charge",
    }  # fmt: skip
    assert len(NAMED) + len(UNNAMED) + len(NOT_SHOWN) == len(WRITES)


@looped("case", SHOWN)
def test_what_does_not_show_the_resource_is_no_success(case: Case, run: Run) -> None:
    """H223: nothing shows that it was done, and nothing that it was not."""
    unnamed = {**of(case), "id": None, "vid": "", "transactionReferenceId": ""}
    contents = ({}, {"object": of(case).get("object")}, {"status": "ok"}, *NO_ERRORS, *LISTS, *ODD, unnamed)
    for content, end in zip(contents, ends(run, case, *map(shows, contents)), strict=True):
        assert is_unknown(end, likely=True), content


@looped("case", NAMED)
def test_another_resource_is_no_success(case: Case, run: Run) -> None:
    """H223: a response about something else was probably meant for another caller's call."""
    for other in ({"id": "another", "vid": "f" * 40}, {"id": "another", "vid": None}, {"id": "4711", "vid": "vid-9"}):
        if case.path.endswith("/vid1") and not other["vid"] and "another" not in (case.body or ""):
            continue  # an id alone cannot be compared with a vid
        assert is_unknown(*ends(run, case, shows({**of(case), **other})), likely=True), other


@looped("case", SHOWN)
def test_the_resource_is_a_success_by_its_id_or_its_vid(case: Case, run: Run) -> None:
    assert use(run, case, of(case)) == case.gives
    assert use(run, case, {**of(case), "novel": {"errors": [1]}, "code": "x", "errors": []})
    if case in NAMED and not case.name.endswith(".create") and case.group != "storefront":
        named = of(case)["id"] if case.key in (None, "a1") else case.key
        assert use(run, case, {**of(case), "vid": named, "id": "known by another name"})


@every_write
def test_an_error_that_no_source_documents_leaves_the_outcome_open(case: Case, run: Run) -> None:
    """H224: with the resource beside it, too, but for the reference of a charge beside a code and a message (H413)."""
    is_charge = case.name == "entitlements.charge"
    beside = [error for error in UNDOCUMENTED if not is_charge or "code" not in error]
    contents = [*UNDOCUMENTED, *({**of(case), **error} for error in beside)]
    for content, end in zip(contents, ends(run, case, *map(shows, contents)), strict=True):
        assert is_unknown(end, likely=is_charge and content not in UNDOCUMENTED), content
        assert "Correct the" not in str(end)


@every_write
def test_a_documented_error_is_a_refusal_under_a_success_status(case: Case, run: Run) -> None:
    for error in DOCUMENTED:
        alone, created, beside = ends(run, case, shows(error), shows(error, 201), shows({**of(case), **error}))
        assert (alone.outcome, created.outcome) == ("rejected", "rejected"), error
        assert beside.outcome == ("unknown" if case.name == "entitlements.charge" else "rejected"), error


@every_write
def test_a_page_or_damage_is_no_success(case: Case, run: Run) -> None:
    """H225: a session of group C ends with a page, and a proxy responds with one, whatever the call was."""
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
    for response, end in zip(responses, ends(run, case, *responses), strict=True):
        assert is_unknown(end, likely=True), response.content


@looped("case", NOT_SHOWN)
def test_a_response_that_no_source_shows_is_a_success_unless_it_is_an_error(case: Case, run: Run) -> None:
    """H225: the other way round, a made payment must not be unknown because its response was not foreseen."""
    others = (
        {"object": of_another_kind(case), "id": "another", "vid": "v" * 40, "amount": 5},
        {"object": "Nothing known"},
    )
    contents = ({}, *others, *NO_ERRORS, *LISTS, *ODD)
    empty = [answer(status=status) for status in (200, 201, 202, 204)]
    for number, end in enumerate(ends(run, case, *map(shows, contents), *empty)):
        assert type(end) is type(case.gives), [*contents, *empty][number]


@looped("case", [case for case in NOT_SHOWN if case.gives is not None])
def test_what_can_be_read_is_the_result_and_the_rest_stays_raw(case: Case, run: Run) -> None:
    result = use(run, case, {"object": of_another_kind(case), "id": "another", "vid": "v1", "novel": [{"a": 1}]})
    extra = result.model_extra
    assert extra["novel"] == [{"a": 1}]
    assert {"another", "v1"} <= {getattr(result, "id", None), getattr(result, "vid", None), *map(str, extra.values())}
    assert run.style != "blocking" or result.object == type(case.gives).model_fields["object"].default


@looped("case", NOT_SHOWN)
def test_an_empty_body_that_only_ends_may_have_been_cut(case: Case, run: Run) -> None:
    """A connection of HTTP/1 that ends where a body without a length begins says nothing of the body."""

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
def test_a_status_without_content_is_enough_after_a_deletion(case: Case, run: Run) -> None:
    for content in (b"", b"<html>", b"{"):
        service = Always(lambda _, content=content: answer(content, 204, Content_Type="text/html"))
        assert run(case.group, case.use, transport=service, wire_names=SANDBOX_WIRE_NAMES) is None
