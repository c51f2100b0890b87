"""Arguments of `resolve`: errors of any process, interrupted calls, and values that it rejects (H204)."""

from __future__ import annotations

import asyncio
import json
import math
import pickle
import re
from collections.abc import AsyncIterator, Callable, Iterator
from copy import copy
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, get_type_hints

import anyio
import httpx
import pytest

from kit.calls import Always, Run, Sent, answer
from subscribekit import AsyncBillingClient, BillingClient, RetryPolicy, Verdict
from subscribekit._core.calls.outcomes.record import MOMENT
from subscribekit._core.calls.outcomes.unknown_outcome import RECORD, unknown_after_crash
from subscribekit.errors import (
    AuthenticationError,
    ConnectionFailedError,
    InvalidArgumentError,
    NotFoundError,
    OutcomeUnknownError,
    SubscribekitError,
)
from subscribekit.models import (
    Account,
    Address,
    EntitlementCharge,
    Payment,
    PaymentMethod,
    Subscription,
    Transaction,
)
from subscribekit.models.credit_card import CreditCard
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    connection_refused,
    drop_after_commit,
    drop_before_commit,
    proxy_page,
    server_error_after_commit,
)

from .kit import connected, unknown, verdict, writes

SENT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
ANN = Account(id="a-own", name="Ann Example", email="ann@example.com")


WRITES: dict[str, Callable[[Any], Any]] = {
    "billing": lambda c: c.accounts.create(ANN),
    "gateway": lambda c: c.partner_subscriptions.cancel("psub-entitlement-0001"),
    "user_mgmt": lambda c: c.custom_data.delete("me", "devices", filter='name eq "Ann"'),
    "storefront": lambda c: c.payment_methods.update("acct-0001", payment_method_id="pm-card-0001", active=False),
}


def in_the_sandbox(run: Run, story: Callable[[Sandbox, Any], Any], group: Any = "billing") -> Any:
    sandbox = Sandbox()

    async def whole() -> Any:
        client = connected(sandbox, run, group)
        try:
            return await story(sandbox, client)
        finally:
            await run.close(client)

    return asyncio.run(whole())


def interrupting(by: BaseException) -> Always:
    """Return a service that carries out writes, but raises an exception in each of them, and that handles reads."""

    def respond(sent: Sent) -> httpx.Response:
        if sent.method != "GET":
            raise by
        return answer({"object": "Payment", "id": "p1", "status": "Failure"})

    return Always(respond)


class CutOff(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body whose connection is lost after the first byte."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"{"
        raise httpx.ReadError("cut off")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"{"
        raise httpx.ReadError("cut off")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, asyncio.CancelledError, SystemExit])
def test_an_interrupted_call_is_resolved_by_the_record_in_its_note(run: Run, kind: type[BaseException]) -> None:
    async def story(client: Any) -> tuple[Verdict, Verdict, BaseException]:
        try:
            await run.now(client.payments.reverse("p1"))
        except BaseException as error:
            caught = error
        record = pickle.loads(pickle.dumps(getattr(caught, RECORD)))
        assert isinstance(record, OutcomeUnknownError)
        again = pickle.loads(pickle.dumps(caught))
        return await run.now(client.resolve(again)), await run.now(client.resolve(record)), caught

    found, by_record, caught = run("billing", story, transport=interrupting(kind()))
    assert found == by_record
    assert found.state == "in_effect"
    (note,) = caught.__notes__
    assert note.startswith("subscribekit: payments.reverse was interrupted; outcome unknown, reconcile by 'p1'")
    assert f"error.{RECORD}" in note


def test_a_timeout_of_the_caller_is_resolved(run: Run) -> None:
    """`asyncio.timeout` raises a `TimeoutError` from the cancellation."""

    async def story(client: Any) -> Verdict:
        try:
            try:
                await run.now(client.payments.reverse("p1"))
            except asyncio.CancelledError as error:
                raise TimeoutError from error
        except TimeoutError as error:
            return await run.now(client.resolve(error))

    assert run("billing", story, transport=interrupting(asyncio.CancelledError())).state == "in_effect"


@pytest.mark.hazard("H440")
@pytest.mark.parametrize("in_a_group", [False, True], ids=["alone", "in-a-group"])
def test_a_timeout_of_anyio_is_resolved(in_a_group: bool) -> None:
    """`anyio.fail_after` raises its `TimeoutError` while it handles the cancellation, and sets no cause."""

    async def story() -> Verdict:
        async def handle(request: httpx.Request) -> httpx.Response:
            if request.method != "GET":
                limit.deadline = anyio.current_time()
                await anyio.sleep_forever()
            return httpx.Response(200, json={"object": "Payment", "id": "p1", "status": "Failure"})

        async def reverse() -> None:
            nonlocal limit
            with anyio.fail_after(math.inf) as limit:
                await client.payments.reverse("p1")

        limit = anyio.CancelScope()
        client = Run("async").client("billing", transport=httpx.MockTransport(handle))
        try:
            if in_a_group:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(reverse)
            else:
                await reverse()
        except* TimeoutError as group:
            (error,) = group.exceptions
        return await client.resolve(error)

    assert asyncio.run(story()).state == "in_effect"


def test_ctrl_c_in_an_event_loop_is_resolved() -> None:
    """For Ctrl-C, asyncio cancels the task, and raises `KeyboardInterrupt` while it handles the cancellation."""
    run = Run("async")

    async def story(client: Any) -> Verdict:
        try:
            try:
                await client.payments.reverse("p1")
            except asyncio.CancelledError:
                raise KeyboardInterrupt  # noqa: B904  as asyncio does
        except KeyboardInterrupt as error:
            return await run.now(client.resolve(error))

    assert run("billing", story, transport=interrupting(asyncio.CancelledError())).state == "in_effect"


def test_an_interrupted_read_carries_no_record(run: Run) -> None:
    def respond(_: Sent) -> httpx.Response:
        raise KeyboardInterrupt

    async def story(client: Any) -> None:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(client.payments.retrieve("p1"))
        assert RECORD not in vars(caught.value)
        with pytest.raises(InvalidArgumentError, match="has no record of a call"):
            await run.now(client.resolve(caught.value))

    run("billing", story, transport=Always(respond))


def test_an_error_of_the_application_that_was_raised_from_the_sdk_s_error_is_resolved(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(ANN), drop_after_commit())
        failed = LookupError("checkout failed")
        failed.__cause__ = error
        assert (await verdict(sandbox, run, client, failed)).state == "applied"
        # If an error has a known outcome, `resolve` ignores its cause and its context.
        known = ConnectionFailedError("nothing was sent")
        known.__context__ = known.__cause__ = error
        with pytest.raises(InvalidArgumentError, match="not_sent"):
            await run.now(client.resolve(known))

    in_the_sandbox(run, story)


def test_an_item_with_the_error_of_a_call_is_resolved(run: Run) -> None:
    class Item:
        def __init__(self, error: OutcomeUnknownError | None) -> None:
            self.__subscribekit__ = error

    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(ANN), drop_after_commit())
        assert (await run.now(client.resolve(Item(error)))).state == "applied"
        with pytest.raises(InvalidArgumentError, match="not an Item"):
            await run.now(client.resolve(Item(None)))

    in_the_sandbox(run, story)


def test_the_annotations_of_resolve_can_be_evaluated() -> None:
    for client in (BillingClient, AsyncBillingClient):
        assert get_type_hints(client.resolve)["return"] is Verdict


def test_invalid_arguments_are_rejected(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(ANN), drop_after_commit())
        before = len(sandbox.requests)
        cases: list[tuple[object, str]] = [
            (client.prepare.accounts.create(ANN), "client.send"),
            ("text", "not a str"),
            (None, "not a NoneType"),
            (ValueError("no call"), "has no record of a call"),
            (AuthenticationError("refused"), "the outcome is known: rejected"),
            (ConnectionFailedError("no"), "the outcome is known: not_sent"),
            (InvalidArgumentError("no"), "the outcome is known: not_sent"),
            (OutcomeUnknownError("by hand"), "created by hand"),
        ]
        for wrong, words in cases:
            with pytest.raises(InvalidArgumentError, match=words):
                await run.now(client.resolve(wrong))
        for after in (-1, float("nan"), float("inf"), True, "30", None):
            with pytest.raises(InvalidArgumentError, match="not_applied_after must be"):
                await run.now(client.resolve(error, not_applied_after=after))
        with pytest.raises(InvalidArgumentError, match="wait"):
            await run.now(client.resolve(error, wait=1))
        for group in ("gateway", "storefront", "user_mgmt"):
            other = connected(sandbox, run, group)
            with pytest.raises(InvalidArgumentError, match=f"'billing', and this client is for '{group}'"):
                await run.now(other.resolve(error))
        elsewhere = run.client("billing", transport=interrupting(ValueError()))
        with pytest.raises(InvalidArgumentError, match=r"and this client calls https://billing\.test"):
            await run.now(elsewhere.resolve(error))
        assert len(sandbox.requests) == before

    in_the_sandbox(run, story)


def test_an_error_of_resolve_keeps_the_outcome_of_the_write(run: Run) -> None:
    """If the outcome were `not_sent`, the caller would repeat a write that was carried out."""

    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(ANN), drop_after_commit())
        gateway, closed = connected(sandbox, run, "gateway"), connected(sandbox, run, "billing")
        await run.close(closed)
        elsewhere = run.client("billing", transport=interrupting(ValueError()))
        by_hand = OutcomeUnknownError("by hand")
        cases: list[tuple[Any, BaseException, dict[str, object]]] = [
            (gateway, error, {}), (elsewhere, error, {}), (closed, error, {}), (client, by_hand, {}),
            (client, error, {"not_applied_after": -1}), (client, error, {"wait": 1}),
            (client, ExceptionGroup("tasks", [ValueError(), error]), {}),
        ]  # fmt: skip
        for wrong, about, how in cases:
            with pytest.raises(SubscribekitError) as caught:
                await run.now(wrong.resolve(about, **how))
            assert caught.value.outcome == "unknown"
            assert not re.search(r"nothing was (sent|carried)", str(caught.value))
        for known in (AuthenticationError("refused"), ConnectionFailedError("no")):
            with pytest.raises(InvalidArgumentError) as caught:
                await run.now(client.resolve(known))
            assert caught.value.outcome == known.outcome

    in_the_sandbox(run, story)


@pytest.mark.parametrize("group", ["billing", "gateway", "user_mgmt", "storefront"])
def test_an_error_names_the_group_and_the_client_that_can_resolve_it(run: Run, group: Any) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, WRITES[group], drop_after_commit())
        error = pickle.loads(pickle.dumps(error))
        assert error.group == group
        other = connected(sandbox, run, "gateway" if group == "billing" else "billing")
        with pytest.raises(InvalidArgumentError) as caught:
            await run.now(other.resolve(error))
        name = type(client).__name__.removeprefix("Async")
        assert str(caught.value).startswith(f"nothing was read, and the outcome of {error.operation} is still unknown")
        assert str(caught.value).endswith(f"; use a {name} or an Async{name}")

    in_the_sandbox(run, story, group)
    assert OutcomeUnknownError("by hand").group is None


def test_an_exception_group_is_rejected(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(ANN), drop_after_commit())
        with pytest.raises(InvalidArgumentError, match=r"each of its \.exceptions"):
            await run.now(client.resolve(ExceptionGroup("tasks", [error])))

    in_the_sandbox(run, story)


def test_a_client_with_another_path_prefix_neither_resolves_nor_sends(run: Run) -> None:
    """The prefixes of one proxy can lead to several environments, and absence in one proves nothing about another."""
    service = Always(lambda sent: answer({"code": "x"}, status=404 if sent.method == "GET" else 500))

    def connect(prefix: str) -> Any:
        return run.client(
            "billing", transport=service, base_url=f"https://proxy.test/{prefix}", api_user="u", api_key="k"
        )

    async def story() -> None:
        live, test = connect("live"), connect("test")
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(live.accounts.create(ANN))
        sent = len(service.sent)
        with pytest.raises(
            InvalidArgumentError, match=r"the call went to https://proxy\.test/live, .* calls https://proxy\.test/test"
        ):
            await run.now(test.resolve(caught.value))
        with pytest.raises(
            InvalidArgumentError, match=r"prepared for https://proxy\.test/live, .* calls https://proxy\.test/test"
        ):
            await run.now(test.send(live.prepare.accounts.create(ANN)))
        assert len(service.sent) == sent
        assert (await run.now(live.resolve(caught.value, wait=False))).state == "undecided"

    asyncio.run(story())


def test_one_exception_object_can_interrupt_two_calls(run: Run) -> None:
    """A signal handler may raise the same object each time. The object has the record of the last call."""
    stop = KeyboardInterrupt()
    service = interrupting(stop)

    async def story(client: Any) -> None:
        for payment in ("p1", "p2"):
            with pytest.raises(KeyboardInterrupt):
                await run.now(client.payments.reverse(payment))
            service.time.sleep(1)
            assert getattr(stop, RECORD).reconcile_key == payment

    run("billing", story, transport=service)


def test_an_interrupt_does_not_hide_an_earlier_success_status(run: Run) -> None:
    """The first attempt gets a truncated response with status 200, and the second attempt is interrupted."""
    cut_off = iter((True, False))

    def respond(sent: Sent) -> httpx.Response:
        if sent.method == "GET":
            return answer({"object": "Error", "code": "not-found"}, status=404)
        if not next(cut_off):
            raise KeyboardInterrupt
        headers = {"Content-Type": "application/json", "Content-Length": "99"}
        return httpx.Response(200, headers=headers, stream=CutOff())

    async def story(client: Any) -> Verdict:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(client.accounts.create(ANN))
        record = getattr(caught.value, RECORD)
        assert (record.attempts, record.likely_applied) == (2, True)
        return await run.now(client.resolve(caught.value))

    retry = RetryPolicy(retry_unknown=True)
    found: Verdict = run("billing", story, transport=Always(respond), retry=retry)
    assert (found.state, "although the response was a success" in found.evidence) == ("undecided", True)


def test_a_delete_whose_retry_got_a_404_is_resolved(run: Run) -> None:
    """The last response was a 404, so the error is a `NotFoundError`. An earlier attempt may have deleted the link."""

    async def story(sandbox: Sandbox, client: Any) -> None:
        sandbox.faults.add(writes, drop_after_commit())
        with pytest.raises(NotFoundError) as caught:
            await run.now(client.accounts.remove_child("acct-0001", "acct-0002"))
        assert caught.value.earlier_attempt_unknown
        again = pickle.loads(pickle.dumps(caught.value))
        found = await verdict(sandbox, run, client, again)
        assert (found.state, found.safe_to_retry) == ("in_effect", True)

    in_the_sandbox(run, story)


def test_a_request_that_a_process_sent_before_it_crashed_is_resolved(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        request = pickle.loads(pickle.dumps(client.prepare.accounts.create(ANN)))
        error = unknown_after_crash(request, SENT)
        assert (error.operation, error.outcome, error.sent_at) == ("accounts.create", "unknown", SENT)
        assert (error.attempts, error.trace_id) == (1, request.headers["x-b3-traceid"])
        assert (error.reconcile_key, error.method, error.path_template) == ("a-own", "POST", "/accounts")
        assert (await verdict(sandbox, run, client, error)).state == "not_applied"
        await run.now(client.send(request))
        found = await verdict(sandbox, run, client, pickle.loads(pickle.dumps(error)))
        assert (found.state, found.result.name) == ("in_effect", "Ann Example")
        with pytest.raises(InvalidArgumentError, match="request must be a prepared write"):
            unknown_after_crash(client.prepare.accounts.list(), SENT)
        with pytest.raises(InvalidArgumentError, match="time zone"):
            unknown_after_crash(request, SENT.replace(tzinfo=None))

    in_the_sandbox(run, story)


def test_a_call_that_was_not_sent_is_not_resolved(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        sandbox.faults.add(writes, connection_refused(), times=3)
        with pytest.raises(ConnectionFailedError) as caught:
            await run.now(client.accounts.create(ANN))
        with pytest.raises(InvalidArgumentError, match="nothing was sent"):
            await run.now(client.resolve(caught.value))

    in_the_sandbox(run, story)


def test_the_support_details_contain_all_identifiers_and_no_personal_data(run: Run) -> None:
    charge = EntitlementCharge(
        transaction_id="refund-7", amount=Decimal("-4.90"), currency="USD", original_transaction_id="order-7"
    )

    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(
            sandbox, run, client, lambda c: c.entitlements.charge("psub-entitlement-0001", charge), drop_after_commit()
        )
        found = await verdict(sandbox, run, client, error)
        assert found.support_details == (
            "operation: entitlements.charge (POST /v1/entitlement/{partner_subscription}/charge); "
            f"time (UTC): 2026-03-02T09:00:00.000+00:00; request id: none; trace id: {error.trace_id}; "
            "transaction id: refund-7; refund of transaction: order-7"
        )
        assert "do not send the request again, even with another ID" in found.evidence
        assert "4.9" not in found.support_details + found.evidence

    in_the_sandbox(run, story, "gateway")


def test_values_from_the_service_are_escaped(run: Run) -> None:
    def respond(sent: Sent) -> httpx.Response:
        if sent.method != "GET":
            return answer(b"{", Request_Id="r\x1b[1m")
        return answer({"object": "Payment", "id": "p1", "status": "Success\n"})

    async def story(client: Any) -> Verdict:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.payments.reverse("p1"))
        return await run.now(client.resolve(caught.value))

    found: Verdict = run("billing", story, transport=Always(respond))
    assert found.state == "undecided"
    assert (found.support_details + found.evidence).isprintable()


SECRETS = ("Ann Example", "ann@example.com", "4111111111111111", "Main Street", "19.90", "gold-tier")


@pytest.mark.hazard("H135")
def test_the_error_contains_no_value_that_was_sent(run: Run) -> None:
    body = Account(
        id="a-own",
        name="Ann Example",
        email="ann@example.com",
        shipping_address=Address(line1="Main Street"),
        metadata={"gold-tier": "19.90"},
        payment_methods=[
            PaymentMethod(
                id="pm-own",
                type="CreditCard",
                credit_card=CreditCard(account="4111111111111111", cvn="737"),
            )
        ],
    )

    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(body), drop_after_commit())
        kept = json.dumps(error.record) + repr(pickle.dumps(error)) + str(error) + repr(vars(error))
        assert [each for each in SECRETS if each in kept] == []
        by_name = dict(error.record)
        assert by_name["sent:payment_methods/#0/credit_card/account"] == "-"
        assert by_name["sent:payment_methods/#0/credit_card/cvn"] == "-"
        assert all(isinstance(text, str) for pair in error.record for text in pair)
        assert error.record == tuple(map(tuple, json.loads(json.dumps(error.record))))
        assert copy(error).record == error.record
        found = await verdict(sandbox, run, client, error)
        assert found.state == "applied"
        other = await unknown(sandbox, run, client, lambda c: c.accounts.create(body), drop_before_commit())
        assert dict(other.record)["sent:name"] != by_name["sent:name"]  # each error has a key of its own

    in_the_sandbox(run, story)


def test_the_error_does_not_contain_the_filter_of_a_deletion(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(
            sandbox, run, client, lambda c: c.custom_data.delete("me", "devices", filter='name eq "Ann"'),
            drop_before_commit(),
        )  # fmt: skip
        assert "Ann" not in repr(pickle.dumps(error))
        found = await verdict(sandbox, run, client, error)
        assert "me/devices" in found.support_details

    in_the_sandbox(run, story, "user_mgmt")


def test_an_error_after_several_attempts_is_resolved(run: Run) -> None:
    """The first attempt was carried out, whatever the last attempt met."""

    async def story(sandbox: Sandbox, client: Any) -> None:
        patient = client.with_options(retry=RetryPolicy(retry_unknown=True))
        sandbox.faults.add(writes, drop_after_commit())
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(patient.accounts.create(ANN))
        assert caught.value.attempts == 2
        assert (await verdict(sandbox, run, client, caught.value)).state == "applied"

    in_the_sandbox(run, story)


def test_without_a_usable_time_the_wait_counts_from_the_start_of_resolve(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, lambda c: c.accounts.create(ANN), drop_before_commit())
        sandbox.advance(hours=1)
        error.record = tuple(pair for pair in error.record if pair[0] != MOMENT)
        error.sent_at = sandbox.now.replace(tzinfo=None)  # a time without a time zone is unusable, too
        assert (await verdict(sandbox, run, client, error, wait=False)).state == "undecided"
        error.sent_at = None
        slept = sandbox._clock.monotonic()
        assert (await verdict(sandbox, run, client, error, wait=False)).state == "undecided"
        found = await verdict(sandbox, run, client, error)
        assert (found.state, sandbox._clock.monotonic() - slept) == ("not_applied", 30)
        assert "time (UTC): none" in found.support_details
        error.sent_at = sandbox.now - timedelta(seconds=31)  # a system time, which may have been changed
        found = await verdict(sandbox, run, client, error, wait=False)
        assert found.state == "undecided"
        assert "a missing resource counts only after a wait of 30 s (wait=True)" in found.evidence
        slept = sandbox._clock.monotonic()
        found = await verdict(sandbox, run, client, error)
        assert (found.state, sandbox._clock.monotonic() - slept) == ("not_applied", 30)

    in_the_sandbox(run, story)


NAMELESS: dict[str, Callable[[Any], Any]] = {
    "a charge": lambda c: c.transactions.create(
        Transaction(account=Account(id="acct-0001"), amount=Decimal(5), currency="USD")
    ),
    "a subscription": lambda c: c.subscriptions.create(Subscription(account=Account(id="acct-0001"))),
    "a payment": lambda c: c.payments.create(Payment(currency="USD")),
}


@pytest.mark.parametrize("use", NAMELESS.values(), ids=list(NAMELESS))
def test_the_error_of_a_charge_without_an_id_says_not_to_send_it_again(run: Run, use: Callable[[Any], Any]) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, use, drop_before_commit())
        assert str(error).endswith(
            " Do not send it again, even with another transaction ID, until the operator confirms that it was not made."
            " The request has no ID of its own, so reads can't distinguish it from similar requests. Ask the operator; "
            "client.resolve(error).support_details is the text to send."
        )
        found = await verdict(sandbox, run, client, error, wait=False)
        assert (found.state, found.safe_to_retry) == ("undecided", False)
        assert found.evidence.endswith(
            "the request has no ID of its own, so reads can't distinguish it from similar requests; send the support "
            "details to the operator, and do not send the request again, even with another ID, until the operator "
            "confirms that it was not carried out."
        )

    in_the_sandbox(run, story)


WARNED = "Do not send it again, even with another transaction ID, until the operator confirms that it was not made."
NO_READ = (
    "No read can show whether it was carried out, so ask the operator; client.resolve(error).support_details is the "
    "text to send."
)
CHARGE = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")


def test_the_error_of_an_interrupted_charge_says_not_to_send_it_again(run: Run) -> None:
    async def story(client: Any) -> str:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(client.entitlements.charge("ps1", CHARGE))
        return str(getattr(caught.value, RECORD))

    text = run("gateway", story, transport=interrupting(KeyboardInterrupt()))
    assert text.endswith(f"{WARNED} Reconcile by transaction_id 'order-1' before you decide what to do. {NO_READ}")


def test_the_error_of_a_charge_of_a_crashed_process_says_not_to_send_it_again(run: Run) -> None:
    async def story(client: Any) -> str:
        return str(unknown_after_crash(client.prepare.entitlements.charge("ps1", CHARGE), SENT))

    text = run("gateway", story)
    assert text.endswith(f"{WARNED} Reconcile by transaction_id 'order-1' before you decide what to do. {NO_READ}")


def test_the_error_of_an_account_without_an_id_suggests_resolve(run: Run) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(
            sandbox, run, client, lambda c: c.accounts.create(Account(name="Ann")), drop_before_commit()
        )
        assert str(error).endswith("Call client.resolve(error) to find out; it sends only reads.")
        found = await verdict(sandbox, run, client, error, wait=False)
        assert found.evidence.endswith("so reads can't distinguish it from similar requests.")

    in_the_sandbox(run, story)


DRY_RUNS: dict[str, Callable[[Any], Any]] = {
    "sign up": lambda c: c.subscriptions.create(Subscription(account=Account(id="acct-0001")), dryrun=True),
    "own id": lambda c: c.subscriptions.create(Subscription(id="own", account=Account(id="acct-0001")), dryrun=True),
    "change": lambda c: c.subscriptions.update("sub-basic-0001", Subscription(description="x"), dryrun=True),
    "charge": lambda c: c.transactions.create(Transaction(id="own", account=Account(id="acct-0001")), dryrun=True),
}


CUSTOM_DRY_RUNS: dict[str, Callable[[Any], Any]] = {
    "charge": lambda c: c.request("POST", "/transactions", result=dict, params={"dryrun": 1}, json={"id": "own"}),
    "update": lambda c: c.request("PUT", "/accounts/acct-0001", result=dict, params={"dryrun": 1}, json={"name": "A"}),
    "none": lambda c: c.request("POST", "/events", result=dict, params={"dryrun": "1"}, json={"id": "own"}),
}


@pytest.mark.hazard("H218")
@pytest.mark.parametrize("use", CUSTOM_DRY_RUNS.values(), ids=list(CUSTOM_DRY_RUNS))
def test_a_custom_request_with_dryrun_in_its_query_is_not_a_dry_run(run: Run, use: Callable[[Any], Any]) -> None:
    """The service carries out requests whose dry run it doesn't document, so a repeated request could charge twice."""

    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, use, drop_before_commit())
        assert "dry run" not in str(error)
        found = await verdict(sandbox, run, client, error, wait=False)
        assert found.state == "undecided"
        assert not found.safe_to_retry or error.method == "PUT"

    in_the_sandbox(run, story)


@pytest.mark.parametrize("use", DRY_RUNS.values(), ids=list(DRY_RUNS))
@pytest.mark.parametrize(
    "fault", [drop_after_commit(), server_error_after_commit(), proxy_page(502)], ids=lambda f: f.name
)
def test_the_error_of_a_lost_dry_run_allows_a_repetition(run: Run, use: Callable[[Any], Any], fault: Fault) -> None:
    async def story(sandbox: Sandbox, client: Any) -> None:
        error = await unknown(sandbox, run, client, use, fault)
        assert "Find out" not in str(error)
        assert str(error).endswith(" It was a dry run, which stores nothing, so you can make the call again.")
        read = len(sandbox.requests)
        found = await verdict(sandbox, run, client, error, wait=False)
        assert (found.state, found.safe_to_retry) == ("not_applied", True)
        assert "a dry run stores nothing" in found.evidence
        assert len(sandbox.requests) == read

    in_the_sandbox(run, story)


def test_the_record_of_a_charge_contains_nothing_of_its_body(run: Run) -> None:
    """No read returns a charge, so digests of the amount and the customer would only help to guess them."""

    async def story(client: Any) -> dict[str, str]:
        with pytest.raises(KeyboardInterrupt) as caught:
            await run.now(client.entitlements.charge("ps1", CHARGE))
        return dict(getattr(caught.value, RECORD).record)

    record = run("gateway", story, transport=interrupting(KeyboardInterrupt()))
    assert record["transaction_id"] == "order-1"
    assert [name for name in record if name == "key" or name.startswith("sent:")] == []
