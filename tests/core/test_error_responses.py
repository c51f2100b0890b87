"""Each error response of each group becomes a typed exception, whatever its status and its body are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from core.test_environments import CALLS
from kit.calls import GROUPS, SECRETS, Group, Run, Service, answer
from looped import looped
from subscribekit import RetryPolicy, WireNames, errors
from subscribekit.errors import APIError, ErrorDetail, FieldError
from subscribekit.models import Campaign, EntitlementCharge

ONCE = RetryPolicy(max_attempts=1)
NAMES = WireNames(custom_data_filter_param="filter")
READS = {**CALLS, "storefront": lambda client: client.request("GET", "/x")}

BY_STATUS: dict[int, type[APIError]] = {
    400: errors.BadRequestError,
    401: errors.AuthenticationError,
    402: errors.PaymentAuthorizationError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    405: APIError,
    409: errors.ConflictError,
    410: APIError,
    418: APIError,
    422: APIError,
    429: errors.RateLimitError,
    500: errors.ServerError,
    501: errors.ServerError,
    502: errors.ServerError,
    503: errors.ServiceUnavailableError,
    504: errors.ServerError,
    599: errors.ServerError,
}
BY_CODE: dict[str, type[APIError]] = {
    "invalid-request": errors.ValidationFailedError,
    "authentication-required": errors.AuthenticationError,
    "forbidden": errors.PermissionDeniedError,
    "not-found": errors.NotFoundError,
    "partner-subscription-not-found": errors.PartnerSubscriptionNotFoundError,
    "input-conflict": errors.ConflictError,
    "server-error": errors.ServerError,
    "user-not-found": errors.UserNotFoundError,
    "page-size-error": errors.PageSizeError,
    "max-return-page-size": errors.PageSizeError,
    "invalid-page-offset": errors.PageSizeError,
    "ACCESS_FORBIDDEN": errors.PermissionDeniedError,
}


def failed(group: Group, run: Run, response: httpx.Response, call: Any = None, **options: Any) -> APIError:
    """Make a call, by default a read, that gets this response, and return the error that it raises."""
    service = Service(response)
    options = {"retry": ONCE, **options}
    with pytest.raises(APIError) as caught:
        run(group, call or READS[group], transport=service, **options)
    assert len(service.sent) == 1
    return caught.value


# Statuses


@looped("status", BY_STATUS)
@pytest.mark.parametrize("group", GROUPS)
@looped(
    "body",
    [{}, {"object": "Error", "message": "m"}, {"code": "odd", "message": "m"}, None, b"[]", b"null", b'"text"', b"1"],
)
def test_without_a_known_code_the_status_decides(status: int, group: Group, body: Any) -> None:
    error = failed(group, Run("blocking"), answer(body, status, Request_Id="r-1"))
    assert type(error) is BY_STATUS[status]
    assert (error.status_code, error.request_id, error.outcome) == (status, "r-1", "rejected")
    assert error.message == ("m" if isinstance(body, dict) and body else "the service sent no message")
    assert error.code == (body.get("code") if isinstance(body, dict) else None)


@pytest.mark.parametrize("group", GROUPS)
@looped("status", [400, 401, 404, 500, 503])
@looped(
    ("content", "kind"),
    [
        (b"<html><head><title>502 Bad Gateway</title></head><body>no <b>luck</b></body></html>", "text/html"),
        (b"upstream connect error", "text/plain"),
        (b'{"object": "Error", "mess', "application/json"),
        (b"\xff\xfe{}", "application/json"),
        (b"<html>", "application/json"),
        (b"NaN", "application/json"),
        (b"", "text/html"),
        (b"  ", "application/json"),
    ],
)
def test_an_error_without_json_has_status_and_request_id(group: Group, status: int, content: bytes, kind: str) -> None:
    error = failed(group, Run("blocking"), answer(content, status, Request_Id="r-1", Content_Type=kind))
    assert type(error) is BY_STATUS[status]
    assert (error.status_code, error.request_id, error.code, error.body) == (status, "r-1", None, None)
    assert "<" not in str(error)
    assert f"returned {status}" in str(error)
    assert "r-1" in str(error)


def test_a_page_of_a_proxy_is_quoted_without_its_tags(run: Run) -> None:
    html = b"<html>\n<body>\x1b[31m502 Bad <i>Gateway</i>\r\n" + b"x" * 500 + b"</body></html>"
    error = failed("gateway", run, answer(html, 502, Content_Type="text/html; charset=utf-8"))
    assert "502 Bad Gateway" in str(error)
    assert "is an HTML page instead of JSON" in str(error)
    assert "\x1b" not in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 500


def test_a_plain_text_response_is_quoted(run: Run) -> None:
    refused = failed("gateway", run, answer(b"no such tenant", 400, Content_Type="text/plain"))
    assert "is text/plain instead of JSON; it starts with 'no such tenant'" in str(refused)


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json"])
def test_each_media_type_of_json_is_recognized(kind: str, run: Run) -> None:
    error = failed("gateway", run, answer({"code": "not-found", "message": "m"}, 400, Content_Type=kind))
    assert type(error) is errors.NotFoundError


# Codes


@looped("code", BY_CODE)
@looped("status", [200, 202, 400, 401, 403, 404, 409, 418, 422, 500, 502])
@pytest.mark.parametrize("group", GROUPS)
def test_a_known_code_wins_over_the_status(code: str, status: int, group: Group) -> None:
    response = answer({"object": "Error", "code": code, "message": "because"}, status)
    error = failed(group, Run("blocking"), response)
    assert type(error) is BY_CODE[code]
    assert (error.status_code, error.code, error.message) == (status, code, "because")


def test_a_server_error_with_503_is_unavailable(run: Run) -> None:
    error = failed("gateway", run, answer({"code": "server-error", "message": "m"}, 503))
    assert type(error) is errors.ServiceUnavailableError


def test_an_unknown_code_is_kept(run: Run) -> None:
    error = failed("gateway", run, answer({"code": "teapot", "message": "short and stout"}, 418))
    assert (type(error), error.code, error.message) == (APIError, "teapot", "short and stout")


# The five shapes of error bodies in the specification, and other shapes


@dataclass(frozen=True)
class Shape:
    body: dict[str, Any]
    kind: type[APIError]
    code: str | None
    message: str
    attributes: dict[str, Any]


SHAPES = {
    "Error object": Shape(
        {"object": "Error", "message": "JSON is invalid"}, errors.BadRequestError, None, "JSON is invalid", {}
    ),
    "code and message": Shape(
        {"code": "input-conflict", "message": "m"}, errors.ConflictError, "input-conflict", "m", {}
    ),
    "validationErrors": Shape(
        {
            "code": "invalid-request",
            "message": "2 faults",
            "validationErrors": [{"code": "size", "message": "currency: too long"}, {"code": "x"}, "odd", None],
        },
        errors.ValidationFailedError,
        "invalid-request",
        "2 faults",
        {
            "validation_errors": (ErrorDetail("size", "currency: too long"), ErrorDetail("x", None)),
            "field_errors": (),
            "operation_errors": (),
        },
    ),
    "fieldErrors": Shape(
        {
            "fieldErrors": [
                {"code": "NotNull", "code_v2": "v2", "field": "name", "message": "m", "rejectedValue": "ann@x.y"},
                5,
            ],
            "operationErrors": [{"code": "o", "message": "p"}],
        },
        errors.ValidationFailedError,
        "o",
        "p",
        {
            "field_errors": (FieldError("NotNull", "v2", "name", "m"),),
            "operation_errors": (ErrorDetail("o", "p"),),
            "validation_errors": (),
        },
    ),
    "operationError": Shape(
        {
            "operationError": {"code": "ACCESS_FORBIDDEN", "message": "no", "type": "t", "authorities": ["ROLE_X"]},
            "stackTrace": "at com.example.Secret(Secret.java:7)",
            "operationErrors": [{"code": "other", "message": "q"}],
        },
        errors.PermissionDeniedError,
        "ACCESS_FORBIDDEN",
        "no",
        {},
    ),
    "operationErrors only": Shape(
        {"operationErrors": [{"code": "x", "message": "y"}, {"code": "authentication-required", "message": "log in"}]},
        errors.AuthenticationError,
        "authentication-required",
        "log in",
        {},
    ),
    "unknown user": Shape(
        {"code": "user-not-found", "message": "nobody"}, errors.UserNotFoundError, "user-not-found", "nobody", {}
    ),
    "pagination": Shape(
        {"operationError": {"code": "page-size-error", "message": "too many"}},
        errors.PageSizeError,
        "page-size-error",
        "too many",
        {},
    ),
    "odd types": Shape(
        {"code": 5, "message": ["x"], "validationErrors": "x", "fieldErrors": {}, "operationErrors": 7},
        errors.BadRequestError,
        None,
        "the service sent no message",
        {},
    ),
    "odd operationError": Shape(
        {"operationError": "x"}, errors.BadRequestError, None, "the service sent no message", {}
    ),
}


@looped("shape", SHAPES.values())
@pytest.mark.parametrize("group", GROUPS)
def test_each_shape_becomes_a_typed_error_in_each_group(shape: Shape, group: Group, run: Run) -> None:
    error = failed(group, run, answer(shape.body, 400, Request_Id="r-9", X_Odd="1"))
    assert type(error) is shape.kind
    assert (error.code, error.message, error.request_id) == (shape.code, shape.message, "r-9")
    assert error.body == shape.body
    assert error.headers["x-odd"] == "1"
    for name, value in shape.attributes.items():
        assert getattr(error, name) == value
    text = str(error)
    assert "400" in text
    assert "r-9" in text
    for hidden in ("stackTrace", "Secret.java", "ROLE_X", "rejectedValue", "ann@x.y"):
        assert hidden not in text + repr(error)


WRITES: dict[str, tuple[Group, Any]] = {
    "E1": ("billing", lambda client: client.payments.reverse("p")),
    "E5": ("gateway", lambda client: client.campaigns.activate("c")),
    "E7": ("gateway", lambda client: client.partner_subscriptions.cancel("p")),
    "E8": ("gateway", lambda client: client.entitlements.charge("p", EntitlementCharge(transaction_id="t"))),
    "E9": ("user_mgmt", lambda client: client.custom_data.delete("me", "a", filter="x")),
    "E11": ("storefront", CALLS["storefront"]),
}


@looped("operation", WRITES)
@looped(
    "body",
    [
        {"object": "Error", "message": "m"},
        {"code": "not-found", "message": "m"},
        {"operationError": {"code": "forbidden", "message": "m"}},
    ],
)
@looped("status", [200, 201, 204])
def test_an_error_body_with_a_success_status_is_an_error_too(
    operation: str, body: dict[str, Any], status: int, run: Run
) -> None:
    group, call = WRITES[operation]
    error = failed(group, run, answer(body, status), call, wire_names=NAMES)
    assert error.status_code == status
    assert error.message == "m"
    assert error.outcome == "rejected"


ALL_WRITES = WRITES | {"E2": ("billing", lambda client: client.campaigns.update("c", Campaign(name="n")))}


@looped("operation", ALL_WRITES)
@looped(
    ("body", "kind", "outcome"),
    [
        ({"code": "server-error"}, errors.OutcomeUnknownError, "unknown"),
        ({"code": "server-error", "message": "m", "id": "p1"}, errors.OutcomeUnknownError, "unknown"),
        ({"code": "forbidden"}, errors.PermissionDeniedError, "rejected"),
        ({"code": "not-found", "message": "m", "id": "p1"}, errors.NotFoundError, "rejected"),
        ({"code": "invalid-request", "validationErrors": [{"code": "x"}]}, errors.ValidationFailedError, "rejected"),
        ({"code": "novel", "message": "m"}, errors.OutcomeUnknownError, "unknown"),
        ({"validationErrors": [{"code": "x"}]}, errors.OutcomeUnknownError, "unknown"),
        ({"id": "p1", "validationErrors": [{"code": "x"}]}, errors.OutcomeUnknownError, "unknown"),
        ({"id": "p1", "fieldErrors": [{"code": "x"}]}, errors.OutcomeUnknownError, "unknown"),
    ],
)
def test_a_known_code_or_a_list_of_errors_is_an_error_whatever_else_the_body_contains(
    operation: str, body: dict[str, Any], kind: type[Exception], outcome: str, run: Run
) -> None:
    group, call = ALL_WRITES[operation]
    service = Service(answer(body))
    with pytest.raises(kind) as caught:
        run(group, call, transport=service, wire_names=NAMES, retry=ONCE)
    assert getattr(caught.value, "outcome", None) == outcome


def test_the_outcome_of_a_charge_with_a_receipt_and_an_error_is_unknown(run: Run) -> None:
    group, call = WRITES["E8"]
    for code in ("server-error", "invalid-request"):
        body = {"transactionReferenceId": "r1", "code": code, "message": "m"}
        with pytest.raises(errors.OutcomeUnknownError, match="both a result and an error") as caught:
            run(group, call, transport=Service(answer(body)))
        assert (caught.value.likely_applied, caught.value.attempts) == (True, 1)


def test_a_code_and_a_message_in_a_resource_that_was_read_are_fields_of_it(run: Run) -> None:
    def read(client: Any) -> Any:
        return client.request("GET", "/reason_codes/r1")

    resource = {"id": "r1", "code": "106", "message": "moved away"}
    assert run("billing", read, transport=Service(answer(resource))) == resource


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", "application/problem+json", "x"])
def test_json_is_read_with_any_content_type_except_html(kind: str, run: Run) -> None:
    group, call = WRITES["E8"]
    receipt = httpx.Response(200, headers={"Content-Type": kind}, content=b'{"transactionReferenceId": "r1"}')
    assert run(group, call, transport=Service(receipt)).transaction_reference_id == "r1"
    refused = httpx.Response(400, headers={"Content-Type": kind}, content=b'{"code": "invalid-request"}')
    with pytest.raises(errors.ValidationFailedError):
        run(group, call, transport=Service(refused))
    page = httpx.Response(200, headers={"Content-Type": "text/html"}, content=b'{"transactionReferenceId": "r1"}')
    with pytest.raises(errors.OutcomeUnknownError):
        run(group, call, transport=Service(page))


def test_the_type_authorities_and_field_errors_of_group_c_are_kept(run: Run) -> None:
    body = {
        "operationError": {"code": "ACCESS_FORBIDDEN", "message": "m", "type": "access", "authorities": ["A", 1, "B"]},
        "fieldErrors": [{"field": "email", "code": "c", "rejectedValue": "jane@example.org"}],
    }
    error = failed("user_mgmt", run, answer(body, 403))
    assert (error.type, error.authorities) == ("access", ("A", "B"))
    failure = failed("user_mgmt", run, answer({"fieldErrors": body["fieldErrors"]}, 400))
    assert isinstance(failure, errors.ValidationFailedError)
    assert failure.field_errors[0].rejected_value == "jane@example.org"
    assert "jane" not in str(failure) + repr(failure) + repr(vars(failure))


def test_the_error_of_a_list_that_is_too_long_for_size_0_says_to_set_a_size(run: Run) -> None:
    error = failed("user_mgmt", run, answer({"operationError": {"code": "max-return-page-size"}}, 400))
    assert "Pass a `size` other than 0" in str(error)


@looped(("operation", "status"), [(name, status) for name in WRITES for status in (400, 404, 409, 418)])
def test_a_refusal_of_a_write_is_definite(operation: str, status: int, run: Run) -> None:
    group, call = WRITES[operation]
    error = failed(group, run, answer({}, status), call, wire_names=NAMES, retry=RetryPolicy())
    assert (error.outcome, error.attempts) == ("rejected", 1)


@looped("content", [b"", b"{}", b"<html>", b"{"])
@looped("operation", WRITES)
def test_an_interim_status_says_nothing_about_a_write(operation: str, content: bytes, run: Run) -> None:
    group, call = WRITES[operation]
    interim = httpx.Response(101, headers={"Content-Type": "application/json"}, content=content)
    with pytest.raises(errors.OutcomeUnknownError) as caught:
        run(group, call, transport=Service(interim), wire_names=NAMES, retry=ONCE)
    assert (caught.value.outcome, caught.value.likely_applied) == ("unknown", None)


@pytest.mark.parametrize(
    ("group", "call", "name"),
    [
        ("billing", CALLS["billing"], "accounts.list"),
        ("gateway", CALLS["gateway"], "subscriptions.retrieve"),
        ("user_mgmt", CALLS["user_mgmt"], "accounts.list"),
        ("gateway", WRITES["E7"][1], "partner_subscriptions.cancel"),
    ],
)
def test_attributes_of_an_error(group: Group, call: Any, name: str, run: Run) -> None:
    service = Service()

    def slow(_: Any) -> httpx.Response:
        service.time.seconds += 3
        return answer({"message": "m"}, 404, Request_Id="r-1", Set_Cookie="JSESSIONID=evil")

    service.answers = [slow]
    with pytest.raises(errors.NotFoundError) as caught:
        run(group, call, transport=service)
    error = caught.value
    assert (error.operation, error.attempts, error.elapsed) == (name, 1, 3.0)
    assert error.trace_id == service.only.headers["X-B3-TraceId"]
    assert "set-cookie" not in error.headers
    assert error.body == {"message": "m"}
    assert error.__cause__ is None
    assert error.__context__ is None


# Messages


def test_messages_of_403_and_503_of_group_a_mention_the_credentials(run: Run) -> None:
    text = str(failed("billing", run, answer({"object": "Error", "message": "Forbidden"}, 403)))
    assert "Check api_user and api_key" in text
    text = str(failed("billing", run, answer({"object": "Error", "message": "Forbidden"}, 503)))
    assert "Forbidden" in text
    assert "check api_user and api_key" in text
    assert "overload" in text


@looped("group", ["gateway", "user_mgmt", "storefront"])
@looped("status", [403, 503])
def test_messages_of_the_other_groups_do_not_mention_these_credentials(group: Group, status: int, run: Run) -> None:
    assert "api_user and api_key" not in str(failed(group, run, answer({}, status)))


def test_a_message_cannot_forge_a_log_line_or_grow_without_end(run: Run) -> None:
    message = "first\r\n2026-01-01 INFO paid\x1b[31m\x00\u2028" + "x" * 5000
    error = failed("gateway", run, answer({"code": "not-found", "message": message}, 404))
    assert str(error).isprintable()
    assert len(error.message) == 500
    assert len(str(error)) < 700
    assert "first\\r\\n2026" in error.message


def test_a_long_request_id_is_shortened_in_the_message(run: Run) -> None:
    error = failed("billing", run, answer({}, 404, Request_Id="r" * 5000))
    assert len(str(error)) < 400


@looped("status", BY_STATUS)
@pytest.mark.parametrize("group", GROUPS)
def test_a_message_says_what_happened_and_what_to_do(status: int, group: Group, run: Run) -> None:
    text = str(failed(group, run, answer({"code": "odd", "message": "because of X"}, status, Request_Id="r-1")))
    happened, _, rest = text.partition(": because of X (code odd; request id r-1).")
    assert happened.startswith("GET /")
    assert happened.endswith(f" returned {status}")
    assert rest.strip(), f"the message doesn't say what to do: {text!r}"


@pytest.mark.parametrize("group", GROUPS)
def test_no_error_shows_values_of_the_request(group: Group, run: Run) -> None:
    private = "private-4720"
    calls: dict[Group, Any] = {
        "billing": lambda client: client.accounts.list(email=f"{private}@x.y"),
        "gateway": lambda client: client.entitlements.charge(
            "p", EntitlementCharge(transaction_id="t", product_code=private, amount=4721)
        ),
        "user_mgmt": lambda client: client.custom_data.delete("me", "a", filter=f"a eq {private}"),
        "storefront": lambda client: client.payment_methods.update(
            "a", payment_method_id=private, primary=True, active=True
        ),
    }
    for status in (400, 404, 500, 302, 200):
        service = Service(answer(b"{}" if status != 200 else b"[", status, Location="https://e.test/x?y"))
        try:
            run(group, calls[group], transport=service, retry=ONCE, wire_names=NAMES, trace="off")
        except errors.SubscribekitError as error:
            chain = [error, *([error.__cause__] if error.__cause__ else [])]
            for each in chain:
                shown = str(each) + repr(each) + repr(vars(each))
                assert private not in shown
                assert "4721" not in shown
                assert not any(secret in shown for secret in SECRETS)
        else:
            assert (group, status) == ("user_mgmt", 200)  # E9: any 2xx is success
