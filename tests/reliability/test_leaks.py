"""Errors, tracebacks with variables, pickles, log records, and reprs show no credential and no personal data."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING
from kit.faults.server import BadCertificate, FaultServer, unused_port
from kit.faults.steps import Step
from reliability.kit import CREDENTIALS, GROUPS, SECRETS, Group, Run, hazard, is_stalled
from reliability.operations import E6, E9, E11, OPERATIONS, Op, every_operation
from subscribekit import Environment, RetryPolicy, Timeouts, WireNames
from subscribekit._core.http.wire import sockets
from subscribekit.errors import ConfigurationError, SubscribekitError
from subscribekit.filters import field
from subscribekit.models import Campaign, EntitlementCharge

CARD, EMAIL, AMOUNT, HOLDER = "4111111111111111", "jane@example.org", "98765.43", "Jane Private"
PRIVATE = (CARD, EMAIL, EMAIL.replace("@", "%40"), AMOUNT, HOLDER, *SECRETS)
ONCE = RetryPolicy(max_attempts=2)

CHARGE = EntitlementCharge(
    transaction_id="tx-1", product_code="p", amount=Decimal(AMOUNT), currency="EUR", tax_amount=Decimal("1.25")
)
PERSONAL: dict[str, object] = {
    "object": "Error",
    "code": "c",
    "email": EMAIL,
    "fieldErrors": [{"rejectedValue": EMAIL}],
}
MECHANISMS = (
    f.close_after_request("fin"), f.close_after_request("rst"), f.raw(), f.raw(EMAIL.encode()), f.big_header(),
    f.close_after_headers(), f.truncate(body={"email": EMAIL}), f.truncate(chunked=True), f.truncate(code=500),
    f.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + EMAIL.encode() + b"\r\n"),
    f.status(400, PERSONAL), f.status(401, PERSONAL), f.status(404, PERSONAL), f.status(500, PERSONAL),
    f.ok(PERSONAL), f.rate_limited("86400"), f.html(502), f.redirect(f"{{sink}}/x?email={EMAIL}"),
    f.ok(json.dumps({"email": EMAIL}).encode()[:-1]), f.ok([{"email": EMAIL}]), f.ok(f'"{EMAIL}"'.encode()),
    f.wrong_type(body={"email": EMAIL}), f.gzip_corrupt("cut", {"email": EMAIL}), f.gzip_corrupt("data"),
    f.ok({"object": "Account", "email": EMAIL, "id": {"email": EMAIL}}),
)  # fmt: skip
"""One step for each way in which a call can end, with contents that must not be shown."""

CALLS = (
    *(op for op in OPERATIONS if op.name in ("E1", "E5", "E6", "E7", "E10", "E11")),
    Op("E2", "billing", "MA", "POST", lambda c: c.campaigns.update("c1", Campaign(name=HOLDER)), f.ok()),
    Op("E3-email", "billing", "S", "GET", lambda c: c.accounts.list(email=EMAIL), f.page([THING])),
    Op("E3-card", "billing", "S", "GET", lambda c: c.accounts.list(credit_card_account=CARD), f.page([THING])),
    Op("E8", "gateway", "M$", "POST", lambda c: c.entitlements.charge("ps1", CHARGE), f.ok()),
    Op(
        "E9", "user_mgmt", "D2", "DELETE",
        lambda c: c.custom_data.delete("u1", "toys", filter=field("email").eq(EMAIL)), f.ok(),
    ),
    Op(
        "free", "billing", "M$", "POST",
        lambda c: c.request("POST", "/x", params={"email": EMAIL}, json={"amount": Decimal(AMOUNT), "card": CARD}),
        f.ok(),
    ),
)  # fmt: skip
every_call = pytest.mark.parametrize("op", CALLS, ids=str)


def shown(error: BaseException) -> str:
    """Return everything in an error that a log, a crash report, or another process can show.

    The function leaves out the frames of the test, because they hold the arguments. It also leaves out the SDK's frames
    that receive the arguments: those of the method, and of the functions that describe the call and check its arguments
    before anything is sent. It leaves out `body`, because `body` is the service's own text, which is documented to
    contain personal data and is never printed.
    """
    for each in chain(error):
        frames = each.__traceback__
        while frames is not None and _receives_arguments(frames.tb_frame.f_globals["__name__"]):
            frames = frames.tb_next
        each.__traceback__ = frames
    parts = [*traceback.TracebackException.from_exception(error, capture_locals=True).format()]
    for each in chain(error):
        bare = copy.copy(each)
        vars(bare).pop("body", None)
        parts += [str(each), repr(each), str(vars(bare)), *getattr(each, "__notes__", [])]
        if isinstance(each, SubscribekitError):
            parts += [str(pickle.dumps(bare, 0)), repr(pickle.loads(pickle.dumps(each)))]
    return "\n".join(parts)


RECEIVERS = (
    "subscribekit._generated.", "subscribekit._operations.", "subscribekit._core.client.",
    "subscribekit._core.operations.",
)  # fmt: skip


def _receives_arguments(module: str) -> bool:
    """Return whether the frames of a module hold arguments.

    Constructors of clients receive credentials, but their frames don't keep them, so these frames are checked.
    """
    is_constructor = module.startswith("subscribekit._generated.") and module.endswith(".client")
    return not module.startswith("subscribekit") or (module.startswith(RECEIVERS) and not is_constructor)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def assert_clean(text: str) -> None:
    for hidden in PRIVATE:
        position = text.find(hidden)
        assert position < 0, text[max(0, position - 300) : position + 100]


@pytest.fixture
def logs(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Capture the records of all loggers at DEBUG, and assert that they show nothing private."""
    caplog.set_level(logging.DEBUG)
    yield caplog
    for record in caplog.get_records("call"):
        assert_clean(f"{record.getMessage()} {record.args} {record.exc_info} {record.exc_text} {record.stack_info}")


@hazard("H29", "H31", "H30")
@every_call
def test_faults_show_nothing(run: Run, srv: FaultServer, op: Op, logs: pytest.LogCaptureFixture) -> None:
    """Acceptance criterion 4, with one client and all faults except stalls."""
    client = run.client(op.group, srv, retry=ONCE)
    failed = 0
    for step in MECHANISMS:
        srv.script(step, step, op.good)
        try:
            run(client, op.use)
        except SubscribekitError as error:
            failed += 1
            assert_clean(shown(error))
    assert failed >= len(MECHANISMS) // 2
    assert "subscribekit" in {record.name for record in logs.records}


@hazard("H29", "H31")
@every_call
def test_stalls_and_refusals_show_nothing(run: Run, srv: FaultServer, op: Op, logs: pytest.LogCaptureFixture) -> None:
    srv.script(f.stall_before_headers())
    once = RetryPolicy(max_attempts=1)
    assert_clean(shown(run.fails(run.client(op.group, srv, timeouts=Timeouts(read=0.05), retry=once), op.use)))
    gone = run.client(op.group, f"http://127.0.0.1:{unused_port()}")
    assert_clean(shown(run.fails(gone, op.use)))
    run.close_client(gone)
    assert_clean(shown(run.fails(gone, op.use)))


@hazard("H29", "H31")
@pytest.mark.parametrize("fault", ["expired", None])
@every_call
def test_tls_shows_nothing(run: Run, op: Op, fault: BadCertificate | None, logs: pytest.LogCaptureFixture) -> None:
    with FaultServer(f.status(404), tls=True, bad_cert=fault) as srv:
        assert_clean(shown(run.fails(run.client(op.group, srv), op.use)))


@hazard("H29")
@every_operation
def test_a_success_shows_nothing(run: Run, srv: FaultServer, op: Op, logs: pytest.LogCaptureFixture) -> None:
    srv.script(op.good)
    run(run.client(op.group, srv), op.use)
    ends = [record for record in logs.records if record.name == "subscribekit"]
    assert len(ends) == 1


@hazard("H29")
def test_the_log_records_of_httpcore_about_the_sdk_s_calls_are_shortened(
    run: Run, srv: FaultServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    srv.script(f.ok(headers=[("Set-Cookie", "JSESSIONID=theirs"), ("X-Private", EMAIL)]))
    transport = httpx.AsyncHTTPTransport() if run.style == "async" else httpx.HTTPTransport()
    run.opened.append(transport)
    run(run.client("user_mgmt", srv, transport=transport), E9.use)
    events = [record.getMessage() for record in caplog.records if record.name.startswith("httpcore")]
    assert "receive_response_headers.complete" in events
    assert not any(" " in event for event in events)
    caplog.clear()
    with httpx.Client(trust_env=False) as other:  # the records of other clients aren't shortened
        other.get(srv.url)
    assert any("X-Private" in record.getMessage() for record in caplog.records)


@hazard("H11", "H31")
@every_call
def test_a_cancellation_shows_nothing(srv: FaultServer, op: Op, logs: pytest.LogCaptureFixture) -> None:
    run = Run("async")
    for step in (f.stall_before_headers(), f.stall_mid_body(), f.never_read()):
        srv.script(step)
        client = run.client(op.group, srv)
        arrived = srv.connections
        begun = run.begin(client, op.use)

        async def stalled(before: int = arrived) -> None:
            while srv.connections == before or not is_stalled(srv):
                await asyncio.sleep(0.001)

        run.wait(stalled())
        begun.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            run.end(begun)
        assert_clean(shown(caught.value))
    run.close()


@hazard("H11", "H31")
@pytest.mark.parametrize("operation", ["write", "read"])
def test_an_interrupt_shows_nothing(srv: FaultServer, operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run("blocking")
    client = run.client("gateway", srv)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sockets.Socket, operation, interrupt)
    with pytest.raises(KeyboardInterrupt) as caught:
        run(client, CALLS_BY_NAME["E8"].use)
    assert_clean(shown(caught.value))
    run.close()


CALLS_BY_NAME = {op.name: op for op in CALLS}


@hazard("H31", "H75")
def test_an_error_in_the_middle_of_a_list_shows_nothing_of_its_items(
    run: Run, srv: FaultServer, logs: pytest.LogCaptureFixture
) -> None:
    client = run.client("billing", srv, retry=ONCE)
    item: dict[str, object] = {"object": "Account", "id": "a1", "email": EMAIL, "name": HOLDER}
    uses: list[Callable[[Any], Any]] = [
        lambda c: c.accounts.list(email=EMAIL),
        lambda c: c.accounts.list(email=EMAIL).pages(),
        lambda c: c.accounts.list(email=EMAIL).to_list(),
        lambda c: c.with_raw_response.accounts.list(email=EMAIL),
    ]
    ends: list[tuple[Step, ...]] = [
        (f.status(404),),
        (f.page([{"object": "Campaign", "email": EMAIL}]),),
        (f.page([item], f"/accounts?starting_after=a1&email={EMAIL}"),),
        (f.page([item], f"/elsewhere?email={EMAIL}"),),
        (f.ok({"object": "List", "data": 5, "email": EMAIL}),),
    ]
    for end in ends:
        for use in uses:
            srv.script(f.page([item], f"/accounts?starting_after=a1&email={EMAIL}"), *end)
            assert_clean(shown(run.fails(client, use)))


REFUSED: list[tuple[Group, Callable[[Any], Any]]] = [
    ("billing", lambda c: c.accounts.list(email=EMAIL + "\n")),
    ("billing", lambda c: c.accounts.list(credit_card_account=CARD)),
    ("billing", lambda c: c.with_raw_response.accounts.list(credit_card_account=CARD)),
    ("billing", lambda c: c.request("GET", f"/accounts?email={EMAIL}")),
    ("billing", lambda c: c.request("GET", "/accounts", params={"email": EMAIL + "\n"})),
    ("billing", lambda c: c.request("POST", "/x", json={"amount": float(AMOUNT)})),
    ("gateway", lambda c: c.subscriptions.retrieve("s1", partner_code=CARD)),
    ("user_mgmt", lambda c: c.custom_data.delete("u1", "toys", filter=field("email").eq(EMAIL))),
]


@hazard("H31")
@pytest.mark.parametrize(("group", "use"), REFUSED)
def test_a_refused_argument_is_not_shown(run: Run, srv: FaultServer, group: Group, use: Callable[[Any], Any]) -> None:
    client = run.client(group, srv, wire_names=WireNames())
    error = run.fails(client, use)
    assert error.outcome == "not_sent"
    assert_clean(shown(error))
    assert srv.requests == []


@hazard("H28", "H31")
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("spoil", ["{}\n", " {}", "{}\x00", "{}é", "{}é\x85", "{}" * 1000, ""])
def test_a_credential_with_an_invalid_form_is_refused_and_not_shown(run: Run, group: Group, spoil: str) -> None:
    if group == "billing" and spoil == "{}é":
        return  # a valid credential of the billing API, because the SDK encodes it as UTF-8
    (name, secret), *_ = reversed(CREDENTIALS[group].items())
    with pytest.raises(ConfigurationError, match=name) as caught:
        _make(run, group, **{name: spoil.format(*[secret] * spoil.count("{}"))})
    assert_clean(shown(caught.value))


@hazard("H28", "H31")
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "http://service.example"}, {"deadline": -1.0}, {"trace": "sometimes"},
        {"proxy": "socks5://u:proxy-4715@127.0.0.1:1"},
    ],
)  # fmt: skip
def test_the_error_about_an_invalid_client_does_not_show_its_credential(
    run: Run, group: Group, wrong: dict[str, Any]
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        _make(run, group, **wrong)
    text = shown(caught.value)
    assert_clean(text)
    assert "proxy-4715" not in text


def _make(run: Run, group: Group, **options: Any) -> None:
    run.client(group, "https://service.example", timed=False, **options)


@hazard("H28", "H31")
def test_a_token_with_an_invalid_form_is_not_shown(run: Run, srv: FaultServer) -> None:
    client = run.client("storefront", srv, access_token=lambda: SECRETS[4] + "\n")
    error = run.fails(client, E11.use)
    assert isinstance(error, ConfigurationError)
    assert_clean(shown(error))
    assert (error.operation, error.attempts, srv.requests) == ("payment_methods.update", 0, [])


@hazard("H30")
@pytest.mark.parametrize("group", GROUPS)
def test_a_client_shows_no_credential(run: Run, srv: FaultServer, group: Group) -> None:
    client = run.client(group, "https://127.0.0.1", proxy="http://user:proxy-4715@127.0.0.1:1", timed=False)
    assert_clean(walk(client))
    assert "proxy-4715" not in walk(client)
    assert "127.0.0.1" in repr(client)
    for spread in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="can't be pickled or copied"):
            spread(client)
    for spread in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="can't be pickled or copied"):
            spread(client._settings.credential)


def walk(value: object, depth: int = 6, seen: set[int] | None = None) -> str:
    """Return the repr of an object and of everything that it holds, as a debugger or a crash reporter shows it."""
    seen = set() if seen is None else seen
    if depth == 0 or id(value) in seen or type(value).__module__ in ("builtins", "ssl", "threading", "logging"):
        return repr(value)
    seen.add(id(value))
    held = {**getattr(value, "__dict__", {})}
    for kind in type(value).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if not (type(value).__name__ == "Secret" and name == "_value"):
                held[name] = getattr(value, name, None)
    return repr(value) + "".join(f"\n{name}={walk(each, depth - 1, seen)}" for name, each in held.items())


@hazard("H30")
def test_an_environment_shows_no_credential() -> None:
    environment = Environment(
        name="mine", api_user="u", api_key=SECRETS[0], gateway_api_key=SECRETS[2], session_id=SECRETS[3],
        access_token=SECRETS[4],
    )  # fmt: skip
    assert_clean(f"{environment} {environment!r} {environment.__reduce_ex__(2)!r}")
    for spread in (asdict, pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError):
            spread(environment)


@hazard("H30")
@every_call
def test_a_prepared_request_shows_no_credential_and_a_printed_one_no_contents(
    run: Run, srv: FaultServer, op: Op
) -> None:
    request = op.use(run.client(op.group, srv).prepare)
    for secret in SECRETS:
        assert secret not in f"{request.url} {dict(request.headers)} {request.body!r}"
    assert_clean(f"{request} {request!r}")


@hazard("H30")
def test_models_hide_personal_data() -> None:
    from subscribekit.models import Account, PaymentMethod

    account = Account(email=EMAIL, name=HOLDER)
    method = PaymentMethod(account_holder=HOLDER)
    assert_clean(f"{account} {account!r} {method!r}")
    assert_clean(f"{CHARGE} {CHARGE!r}")
    for hidden in (account, method, CHARGE):
        assert "***" in repr(hidden)
    with pytest.raises(ValueError, match="original_transaction_id") as refused:
        EntitlementCharge(transaction_id="tx-1", amount=-Decimal(AMOUNT))
    assert_clean(str(refused.value) + repr(refused.value))
    with pytest.raises(ValueError, match="email") as caught:
        Account(email=[EMAIL])  # type: ignore[arg-type]
    assert_clean(str(caught.value) + repr(caught.value))


@hazard("H31")
def test_extra_headers_may_be_secrets_too(run: Run, srv: FaultServer) -> None:
    client = run.client("gateway", srv).with_options(headers={"X-Tenant-Token": SECRETS[0]})
    srv.script(f.status(404))
    assert_clean(shown(run.fails(client, E6.use)))
    assert_clean(repr(client._settings))


def test_shown_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    def leak() -> None:
        card = CARD
        raise SubscribekitError(card[:0])

    monkeypatch.setitem(leak.__globals__, "__name__", "subscribekit.pretended")
    with pytest.raises(SubscribekitError) as caught:
        leak()
    with pytest.raises(AssertionError):
        assert_clean(shown(caught.value))
