"""The bytes that are sent: a caller's value can't turn a request into another one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kit.clocks import RunningTime
from kit.faults import scripts as f
from kit.faults.payloads import THING
from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import E2, E6, E8, NAMED, Op, every_operation
from subscribekit import ME, TraceContext, WireNames
from subscribekit import _json as exact
from subscribekit._core.operations.arguments import identifier
from subscribekit.errors import ConfigurationError, InvalidArgumentError
from subscribekit.filters import field
from subscribekit.models import Campaign, EntitlementCharge
from subscribekit.user_mgmt import CustomData

DANGEROUS = [
    "", ".", "..", "a/b", "../x", "/", "\\", "a\\b", "a?b=1", "a#b", "%2e%2e", "%2f", "a%b", "%00", "a\r\nX: y", "a\n",
    "\x00", "\x7f", "\x85", "\ud800", "a" * 1025, "..;", "..;a", "a\u202eb", "a\uff0fb", "\u2024\u2024", "\ufeffa",
]  # fmt: skip
TAKES_ID: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "E1": ("billing", lambda c, name: c.payments.reverse(name)),
    "E2": ("billing", lambda c, name: c.campaigns.update(name, Campaign())),
    "E5": ("gateway", lambda c, name: c.campaigns.activate(name)),
    "E6": ("gateway", lambda c, name: c.subscriptions.retrieve(name)),
    "E7": ("gateway", lambda c, name: c.partner_subscriptions.cancel(name)),
    "E8": ("gateway", lambda c, name: c.entitlements.charge(name, EntitlementCharge(transaction_id="t", amount=1))),
    "E9-user": ("user_mgmt", lambda c, name: c.custom_data.delete(name, "toys", filter="a eq 1")),
    "E9-array": ("user_mgmt", lambda c, name: c.custom_data.delete("u1", name, filter="a eq 1")),
    "E11": (
        "storefront",
        lambda c, name: c.payment_methods.update(name, payment_method_id="a1", primary=True, active=True),
    ),
    "free": ("billing", lambda c, name: c.request("GET", f"/things/{name}/x" if isinstance(name, str) else name)),
}  # fmt: skip
every_id = pytest.mark.parametrize("name", TAKES_ID)


@hazard("H40", "H41")
@every_id
def test_an_id_with_url_syntax_is_rejected(run: Run, srv: FaultServer, name: str) -> None:
    group, use = TAKES_ID[name]
    client = run.client(group, srv)  # type: ignore[arg-type]
    for value in [*DANGEROUS, None, True, 5, b"a", ["a"]]:
        if name == "free" and value in ("a/b", "/", ""):
            continue  # these only add segments to a path; the next test checks empty segments
        if name == "E9-user" and value == 5:
            continue  # responses of the account-lifecycle API contain numbers as IDs
        error = run.fails(client, lambda c, value=value: use(c, value))  # type: ignore[misc]
        assert isinstance(error, InvalidArgumentError), value
        assert error.outcome == "not_sent"
    assert srv.connections == 0


@hazard("H40")
@pytest.mark.parametrize(
    "path", ["", "/", "//", "/a//b", "/a/", "a", "/a/../b", "/a?x", "/a#x", "/%61", "/a/.", "/\\x"]
)
def test_a_path_of_the_caller_is_checked_segment_by_segment(run: Run, srv: FaultServer, path: str) -> None:
    assert isinstance(run.fails(run.client("billing", srv), lambda c: c.request("GET", path)), InvalidArgumentError)
    assert srv.connections == 0


@pytest.fixture(scope="module")
def receiver() -> Iterator[tuple[FaultServer, Run, Any]]:
    """A server and a client that all examples of a test use."""
    with FaultServer(NAMED) as srv:
        run = Run("blocking")
        yield srv, run, run.client("gateway", srv)
        run.close()


@hazard("H40")
@given(st.text(min_size=1, max_size=40))
@example("a b")
@example("a+b&c=d;e:f@g,h")
@example("naïve €")
def test_an_accepted_id_arrives_as_one_segment_and_decodes_to_itself(
    receiver: tuple[FaultServer, Run, Any], value: str
) -> None:
    srv, run, client = receiver
    srv.forget()
    try:
        identifier("id", value)
    except InvalidArgumentError:
        assert isinstance(run.fails(client, lambda c: c.subscriptions.retrieve(value)), InvalidArgumentError)
        assert srv.requests == []
    else:
        run(client, lambda c: c.subscriptions.retrieve(value))
        (request,) = srv.requests
        segments = request.target.split("/")
        assert segments[:-1] == ["", "submgmt", "v2", "subscriptions"]
        assert unquote(segments[-1]) == value
        assert not set(segments[-1]) & set("?#\\ ")


@hazard("H40")
@pytest.mark.parametrize(
    ("name", "most"), [("E1", 128), ("E6", 128), ("E7", 36), ("E8", 36), ("E9-user", 1024), ("E11", 1024)]
)
def test_the_length_of_an_id_is_limited(run: Run, srv: FaultServer, name: str, most: int) -> None:
    group, use = TAKES_ID[name]
    client = run.client(group, srv)  # type: ignore[arg-type]
    srv.script(f.ok([{"id": "a1"}] if name == "E11" else {"id": "a" * most, "transactionReferenceId": "r"}))
    run(client, lambda c: use(c, "a" * most))
    assert len(srv.requests) == 1
    assert isinstance(run.fails(client, lambda c: use(c, "a" * (most + 1))), InvalidArgumentError)
    assert len(srv.requests) == 1


@hazard("H42")
@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "\x00", "é", "a" * 33, "", " a", "a\x7f"])
def test_the_value_of_a_header_is_checked(run: Run, srv: FaultServer, value: str) -> None:
    client = run.client("gateway", srv)
    error = run.fails(client, lambda c: c.subscriptions.retrieve("s1", partner_code=value))
    assert isinstance(error, InvalidArgumentError)
    if value not in ("", "a" * 33):
        with pytest.raises(InvalidArgumentError):
            client.with_options(headers={"X-Own": value})
    assert srv.connections == 0


@hazard("H42")
@pytest.mark.parametrize(
    "name",
    [
        "Authorization", "cookie", "X-API-KEY", "Host", "Content-Length", "Transfer-Encoding", "Connection", "TE",
        "Upgrade", "X-B3-TraceId", "Content-Type", "Content-Encoding", "Accept-Encoding", "Proxy-Authorization",
        "X-Own: 1\r\nX", "", "a b", "é", "X\n",
    ],
)  # fmt: skip
def test_the_name_of_a_header_is_checked(run: Run, srv: FaultServer, name: str) -> None:
    with pytest.raises(InvalidArgumentError):
        run.client("gateway", srv).with_options(headers={name: "v"})
    with pytest.raises(ConfigurationError):
        WireNames(partner_code_header=name)


@hazard("H42")
@pytest.mark.parametrize("wrong", ["A" * 32, "0" * 32, "a" * 31, "a" * 33, "a" * 32 + "\n", "g" * 32, ""])
def test_a_malformed_trace_id_or_span_id_is_rejected(wrong: str) -> None:
    with pytest.raises(ConfigurationError):
        TraceContext(trace_id=wrong, span_id="a" * 16)
    with pytest.raises(ConfigurationError):
        TraceContext(trace_id="a" * 32, span_id=wrong)


@hazard("H43")
@pytest.mark.parametrize("wrong", ["", " ", "\t", None, True, 5, b"a eq 1"])
def test_an_empty_filter_deletes_nothing(run: Run, srv: FaultServer, wrong: Any) -> None:
    error = run.fails(run.client("user_mgmt", srv), lambda c: c.custom_data.delete("u1", "toys", filter=wrong))
    assert isinstance(error, InvalidArgumentError)
    assert srv.connections == 0


@hazard("H43")
@pytest.mark.parametrize("value", ['a" or age gt 0', "a\\", "a\nb", "a\x00"])
def test_a_value_in_a_filter_cannot_close_its_quotes(value: str) -> None:
    with pytest.raises(InvalidArgumentError):
        field("name").eq(value)


@hazard("H43")
@given(st.text(max_size=30))
def test_any_accepted_value_in_a_filter_stays_between_its_quotes(value: str) -> None:
    try:
        text = str(field("name").eq(value))
    except InvalidArgumentError:
        return
    assert text == f'name eq "{value}"'
    assert text.count('"') == 2


@hazard("H43")
def test_a_filter_of_any_length_is_sent_or_refused(run: Run, srv: FaultServer) -> None:
    srv.script(f.no_content())
    client = run.client("user_mgmt", srv)
    run(client, lambda c: c.custom_data.delete("u1", "toys", filter="a eq 1 or " * 1000 + "b eq 2"))
    error = run.fails(client, lambda c: c.custom_data.delete("u1", "toys", filter="a eq 1 or " * 20000 + "b eq 2"))
    assert isinstance(error, InvalidArgumentError)
    assert len(srv.requests) == 1


@hazard("H44")
@pytest.mark.parametrize("user", [ME, "me"], ids=["the constant", "a text from outside"])
def test_me_is_the_authenticated_user_however_it_is_written(user: str, run: Run, srv: FaultServer) -> None:
    srv.script(f.no_content())
    run(run.client("user_mgmt", srv), lambda c: c.custom_data.delete(user, "toys", filter="a eq 1"))
    assert srv.requests[0].target.startswith("/customData/v1/user/me/toys?")


@hazard("H44")
def test_the_docstring_of_the_deletion_says_to_check_a_user_id_from_outside() -> None:
    docstring = " ".join((CustomData.delete.__doc__ or "").split())
    assert "If the ID comes from untrusted data, check it" in docstring


@hazard("H45")
@pytest.mark.parametrize(
    ("amount", "sent"),
    [
        (Decimal("19.90"), b"19.90"), (Decimal("1E+2"), b"100"), (Decimal("-0.10"), b"-0.10"), (5, b"5"),
        (Decimal("19.99000000000000000000000001"), b"19.99000000000000000000000001"), (Decimal("0.00"), b"0.00"),
        (Decimal("1E-7"), b"0.0000001"),
    ],
)  # fmt: skip
def test_an_amount_is_sent_digit_for_digit(run: Run, srv: FaultServer, amount: Decimal | int, sent: bytes) -> None:
    charge = EntitlementCharge(transaction_id="t", amount=amount, original_transaction_id="o")
    run(run.client("gateway", srv), lambda c: c.entitlements.charge("p", charge))
    body = srv.requests[0].body
    assert b'"amount":' + sent + b"," in body or b'"amount":' + sent + b"}" in body
    assert json.loads(body, parse_float=Decimal)["amount"] == amount


@hazard("H45")
@pytest.mark.parametrize(
    "wrong", [1.1, float("nan"), Decimal("NaN"), Decimal("Infinity"), Decimal("1." + "1" * 28), True, "1"]
)
def test_a_number_that_is_not_exact_is_refused(run: Run, srv: FaultServer, wrong: Any) -> None:
    with pytest.raises(ValueError, match="amount"):
        EntitlementCharge(transaction_id="t", amount=wrong)
    if wrong not in ("1", True):
        error = run.fails(run.client("billing", srv), lambda c: c.request("POST", "/x", json={"amount": wrong}))
        assert isinstance(error, InvalidArgumentError)
    assert srv.connections == 0


@hazard("H45")
@given(st.decimals(allow_nan=False, allow_infinity=False, places=10, min_value=-(10**15), max_value=10**15))
def test_every_exact_number_survives_a_round_trip(value: Decimal) -> None:
    text = exact.number(value)
    assert "e" not in text.lower()
    assert Decimal(text).as_tuple() == value.as_tuple()


@hazard("H46", "H47")
@every_operation
def test_an_uncompressed_body_is_never_labeled_as_gzip(run: Run, srv: FaultServer, op: Op) -> None:
    srv.script(op.good)
    run(run.client(op.group, srv), op.use, op.use)
    for request in srv.requests:
        coding = request.header("content-encoding")
        assert coding == ("gzip" if op.group == "billing" and not request.body else None)
        assert (request.header("x-api-version") == "20190501") == (op.group == "billing")


@hazard("H46")
def test_a_body_that_is_labeled_as_gzip_is_compressed(run: Run, srv: FaultServer) -> None:
    srv.script(E2.good)
    run(run.client("billing", srv, compress_requests=True), E2.use)
    (request,) = srv.requests
    assert request.header("content-encoding") == "gzip"
    assert gzip.decompress(request.body) == b'{"name":"n"}'


class _Refusing(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Records each body. For the first request, it calls `change` and refuses the connection."""

    def __init__(self, change: Callable[[], None]) -> None:
        self.change, self.bodies = change, list[bytes]()
        self.clock = RunningTime().clock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(request.read())
        if len(self.bodies) == 1:
            self.change()
            raise httpx.ConnectError("refused")
        return httpx.Response(200, json=THING)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)


@hazard("H48")
def test_a_body_is_encoded_when_the_call_starts(run: Run) -> None:
    charge = EntitlementCharge(transaction_id="t-1", amount=1)
    body: dict[str, object] = {"key": "before"}
    free = _Refusing(lambda: body.update(key="after"))
    run(run.client("gateway", "https://gateway.test", transport=free), lambda c: c.request("POST", "/x", json=body))
    assert (free.bodies, body) == ([b'{"key":"before"}'] * 2, {"key": "after"})

    charging = _Refusing(lambda: setattr(charge, "transaction_id", "t-2"))
    run(run.client("gateway", "https://gateway.test", transport=charging), lambda c: c.entitlements.charge("p", charge))
    assert charging.bodies == [b'{"transactionId":"t-1","amount":1}'] * 2
    assert charge.transaction_id == "t-2"


@hazard("H32")
def test_the_headers_reveal_only_the_python_version_of_the_machine(run: Run, srv: FaultServer) -> None:
    import sys

    run(run.client("gateway", srv), E6.use, E8.use)
    version = f"python/{sys.version_info.major}.{sys.version_info.minor}"
    for request in srv.requests:
        agent = request.values("user-agent")[0].split(" ")
        assert agent[1:] == [version]
        assert not any(b"telemetry" in name.lower() or b"client-" in name.lower() for name, _ in request.headers)
