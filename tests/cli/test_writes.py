"""Writes are shown, confirmed, and sent as shown, and an unknown outcome is resolved (H160)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit.errors import InvalidArgumentError
from subscribekit.sandbox.faults import drop_after_commit, drop_before_commit, server_error
from subscribekit.sandbox.platform import Platform

REVERSE = ("call", "billing.payments.reverse", "pay-cash-0001")
CHARGE = ("call", "gateway.entitlements.charge", "psub-entitlement-0001")


def writes(platform: Platform) -> list[str]:
    return [request.path for request in platform.requests if request.method != "GET"]


def test_a_write_is_shown_and_must_be_confirmed(shell: Shell, platform: Platform) -> None:
    done = shell(*REVERSE, tty=True, typed="y\n")
    assert done.code == 0
    assert "POST https://billing.sandbox.invalid/payments/pay-cash-0001/actions/reverse" in done.err
    assert "authorization: Basic ***" in done.err
    assert "Send this to the environment sandbox? [y/N]" in done.err
    assert "Failure" in done.out
    assert len(writes(platform)) == 1


def test_the_request_is_sent_as_shown(shell: Shell, platform: Platform) -> None:
    done = shell(*REVERSE, tty=True, typed="yes\n")
    shown = next(line.split(": ")[1] for line in done.err.splitlines() if line.startswith("x-b3-traceid"))
    assert platform.requests[0].headers["x-b3-traceid"] == shown


@pytest.mark.parametrize("typed", ["\n", "n\n", "", "yep\n"])
def test_anything_but_yes_sends_nothing(shell: Shell, platform: Platform, typed: str) -> None:
    done = shell(*REVERSE, tty=True, typed=typed)
    assert done.code == 3
    assert "Nothing was sent." in done.err
    assert platform.requests == []


def test_a_write_needs_a_terminal_or_yes(shell: Shell, platform: Platform) -> None:
    done = shell(*REVERSE)
    assert done.code == 2
    assert "--yes" in done.err
    stdin_used = shell("call", "billing.accounts.create", "--body", "-", tty=True, typed='{"id": "a"}')
    assert stdin_used.code == 2
    assert platform.requests == []


def test_the_question_names_the_effect(shell: Shell, platform: Platform) -> None:
    done = shell(*REVERSE, tty=True, typed="n\n")
    assert "\nEffect: Reverse a payment" in done.err
    free = shell("call", "billing.request", "PUT", "/campaigns/c1", "--body", "{}", tty=True, typed="n\n")
    assert "Effect: unknown to the SDK" in free.err
    assert platform.requests == []


OTHER_WRITES = {
    "PUT": ("call", "billing.request", "PUT", "/campaigns/c1", "--body", "{}"),
    "DELETE": ("call", "billing.accounts.revoke_entitlement", "acct-0001", "premium"),
}


@pytest.mark.parametrize("method", OTHER_WRITES)
def test_put_and_delete_must_be_confirmed_too(shell: Shell, platform: Platform, method: str) -> None:
    assert shell(*OTHER_WRITES[method]).code == 2
    done = shell(*OTHER_WRITES[method], tty=True, typed="n\n")
    assert done.code == 3
    assert f"{method} https://" in done.err
    assert "Send this to the environment sandbox? [y/N]" in done.err
    assert platform.requests == []


def test_a_script_confirms_with_an_option(shell: Shell, platform: Platform) -> None:
    done = shell(*REVERSE, "--yes", "--json")
    assert done.code == 0
    assert json.loads(done.out)["status"] == "Failure"
    assert done.err == ""
    assert len(writes(platform)) == 1


def test_ctrl_c_at_the_question_sends_nothing(
    shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_self: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.kit.Stream.readline", interrupted)
    done = shell(*REVERSE, tty=True)
    assert done.code == 130
    assert "Nothing was sent." in done.err
    assert platform.requests == []


def test_ctrl_c_during_a_write_shows_the_outcome(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("subscribekit.sandbox.transport.SandboxTransport.handle_request", interrupted)
    done = shell(*REVERSE, "--yes")
    assert done.code == 130
    assert done.err.endswith("payments.reverse was interrupted; outcome unknown, reconcile by 'pay-cash-0001'\n")


@pytest.mark.parametrize("fault", [OSError(28, "No space left"), RuntimeError("a fault")])
def test_a_failure_after_a_write_does_not_hide_that_it_was_carried_out(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def fails(*_: object) -> None:
        raise fault

    monkeypatch.setattr("subscribekit.cli.calls.call.write_json", fails)
    monkeypatch.setattr("subscribekit.cli.output.outcomes.discard_unwritten", lambda: None)
    done = shell(*REVERSE, "--yes", "--json")
    assert done.code == 0
    assert done.err.endswith("The request was carried out.\n")


def test_no_send_sends_nothing_and_can_show_json(shell: Shell, platform: Platform) -> None:
    body = '{"transaction_id": "t1", "amount": 19.90, "currency": "EUR"}'
    plain = shell(*CHARGE, "--body", body, "--no-send")
    assert json.loads(plain.out[plain.out.index("{") :]) == json.loads(body.replace("transaction_id", "transactionId"))
    assert '  "amount": 19.90,' in plain.lines
    done = shell(*CHARGE, "--body", body, "--no-send", "--json")
    assert '"amount":19.90' in done.out
    read = json.loads(done.out)
    assert read["headers"]["x-api-key"] == "***"
    assert read["body"]["transactionId"] == "t1"
    assert platform.requests == []


def test_a_rejected_write_ends_with_1(shell: Shell, platform: Platform) -> None:
    done = shell("call", "billing.payments.reverse", "pay-card-0002", "--yes")
    assert done.code == 1
    assert "This request changed nothing." in done.err
    assert "request ID" in done.err


@pytest.mark.parametrize(("fault", "state"), [(drop_after_commit(), "applied"), (drop_before_commit(), "not_applied")])
def test_an_unknown_outcome_prints_the_verdict(shell: Shell, platform: Platform, fault: object, state: str) -> None:
    platform.faults.add("POST /accounts", fault)  # type: ignore[arg-type]  # a fault
    done = shell("call", "billing.accounts.create", "--body", '{"id": "new-1"}', "--yes", columns=300)
    assert done.code == 4
    assert f"Verdict: {state}." in done.err
    assert "For the operator: " in done.err
    assert "reconcile by new-1" in done.err
    assert writes(platform) == ["/accounts"]


def test_the_outcome_stays_unknown_if_it_cannot_be_resolved(
    shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise InvalidArgumentError("not of this client")

    monkeypatch.setattr(BillingClient, "resolve", fails)
    platform.faults.add("POST /accounts", drop_after_commit())
    done = shell("call", "billing.accounts.create", "--body", '{"id": "new-1"}', "--yes")
    assert done.code == 4
    assert "Verdict: undecided. not of this client" in done.err


def test_a_write_with_request_can_have_an_unknown_outcome_too(shell: Shell, platform: Platform) -> None:
    platform.faults.add("POST /accounts", drop_after_commit())
    done = shell("call", "billing.request", "POST", "/accounts", "--body", '{"id": "new-2"}', "--yes")
    assert done.code == 4
    assert "Verdict: " in done.err


def test_a_charge_that_no_read_can_find_stays_undecided(shell: Shell, platform: Platform) -> None:
    platform.faults.add("/v1/entitlement/{id}/charge", server_error())
    done = shell(*CHARGE, "--body", '{"transactionId": "t9", "amount": 1.00, "currency": "USD"}', "--yes", columns=300)
    assert done.code == 4
    assert "Verdict: undecided." in done.err
    assert "Do not send it again before the operator confirms" in done.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"transactionId": "t1", "amount": "19.90", "currency": "EUR"}', "must be a number without quotes"),
        ('{"transactionId": "t1", "amuont": 1, "currency": "EUR"}', "did you mean 'amount'?"),
        ('{"transactionId": 5, "amount": 1, "currency": "EUR"}', "transaction_id"),
        ('{"transactionId": "t1", "amount": 1e999999999, "currency": "EUR"}', "must be complete, standard JSON"),
        ('{"transactionId": "t1", "amount": NaN}', "must be complete, standard JSON"),
        ('{"amount": 1, "amount": 2}', "must be complete, standard JSON"),
        ("{", "must be complete, standard JSON"),
        ("[]", "not an array"),
        ("5", "must be a JSON object or array"),
        ("@/nowhere/body.json", "can't be read: No such file or directory"),
        ("@latin-1.json", "@latin-1.json can't be read: line 2 isn't UTF-8 (byte 0xE9); save the file as UTF-8"),
    ],
)
def test_bodies_are_as_strict_as_in_python(
    shell: Shell, platform: Platform, body: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin-1.json").write_bytes(b'{\n"transactionId": "\xe9"}')
    done = shell(*CHARGE, "--body", body, "--yes", columns=400)
    assert done.code == 2
    assert message in done.err.replace("\n", " ")
    assert platform.requests == []


def test_bodies_come_from_files_and_from_standard_input(shell: Shell, platform: Platform, tmp_path: Path) -> None:
    file = tmp_path / "charge.json"
    # Some editors write a byte order mark.
    file.write_text('{"transaction_id": "t1", "amount": 4.90, "currency": "USD"}', encoding="utf-8-sig")
    assert shell(*CHARGE, "--body", f"@{file}", "--yes").code == 0
    piped = shell(*CHARGE, "--body", "-", "--yes", typed='{"transactionId": "t2", "amount": 0.10, "currency": "USD"}')
    assert piped.code == 0
    assert [json.loads(request.body)["transactionId"] for request in platform.requests] == ["t1", "t2"]


def test_times_in_bodies_need_a_zone_on_every_level(shell: Shell) -> None:
    show = ("call", "billing.subscriptions.create", "--no-send", "--body")
    good = shell(*show, '{"id": "s1", "starts": "2026-03-01T12:00:00+01:00", "account": {"id": "a1"}}')
    assert '"starts": "2026-03-01T11:00:00+00:00"' in good.out
    deep = '{"items": [{"id": "i1", "starts": "2026-03-01T12:00:00Z"}, {"starts": "2026-03-01T12:00:00"}]}'
    done = shell(*show, deep, columns=300)
    assert done.code == 2
    assert "items.1.starts" in done.err
    assert "time zone" in done.err


def test_null_is_sent_and_a_missing_field_is_not(shell: Shell) -> None:
    done = shell("call", "billing.accounts.update", "a1", "--body", '{"company": null}', "--no-send", "--json")
    assert json.loads(done.out)["body"] == {"company": None}


def test_flags_that_are_left_out_are_not_sent(shell: Shell) -> None:
    call = ("call", "storefront.payment_methods.update", "a1", "--payment-method-id", "pm1", "--no-send", "--json")
    assert json.loads(shell(*call, "--no-primary").out)["body"] == {"paymentMethodId": "pm1", "primary": False}
    both = json.loads(shell(*call, "--primary", "--active").out)["body"]
    assert both == {"paymentMethodId": "pm1", "primary": True, "active": True}


def test_a_generic_resource_is_built_from_its_model(shell: Shell) -> None:
    call = ("call", "billing.resource.update", "gift_cards", "GiftCard", "g1", "--no-send", "--json", "--body")
    assert json.loads(shell(*call, '{"id": "g1"}').out)["body"] == {"id": "g1"}
    assert shell(*call, '{"id": 1}').code == 2


def test_a_deletion_says_that_it_is_done(shell: Shell, platform: Platform) -> None:
    with BillingClient(environment="sandbox") as billing:
        child = next(each for each in billing.accounts.list() if each.parent is not None)
    assert child.parent is not None
    done = shell("call", "billing.accounts.remove_child", str(child.parent.id), str(child.id), "--yes")
    assert done.code == 0
    assert "Done" in done.err
    assert done.out == ""


def test_an_error_does_not_show_the_body(shell: Shell) -> None:
    secret = "4111111111111111"
    done = shell("call", "billing.accounts.create", "--body", f'{{"id": {secret}}}', "--yes", columns=300)
    assert done.code == 2
    assert secret not in done.err


@pytest.mark.parametrize("yes", [(), ("--yes",)], ids=["asked", "yes"])
def test_a_read_only_terminal_neither_asks_nor_sends(
    yes: tuple[str, ...], shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """H246."""
    monkeypatch.setenv("SUBSCRIBEKIT_READ_ONLY", "1")
    done = shell(*REVERSE, *yes, tty=True, typed="y\n")
    assert done.code == 2
    assert "read-only" in done.err
    assert "[y/N]" not in done.err
    assert shell(*REVERSE, "--no-send").code == 0
    assert platform.requests == []
    assert shell("call", "billing.payments.retrieve", "pay-cash-0001").code == 0


@pytest.mark.hazard("H333")
def test_read_only_is_an_option_of_every_command(shell: Shell, platform: Platform) -> None:
    done = shell("--read-only", *REVERSE, "--yes")
    assert (done.code, "read-only" in done.err, platform.requests) == (2, True, [])
    assert shell("--read-only", "call", "billing.payments.retrieve", "pay-cash-0001").code == 0
    assert "--read-only" in shell("--help").out
    assert shell(*REVERSE, "--yes").code == 0  # the option applies to one command only


def test_a_wrong_value_of_the_variable_is_refused(
    shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_READ_ONLY", "yes")
    done = shell("call", "billing.payments.retrieve", "pay-cash-0001")
    assert done.code == 2
    assert "SUBSCRIBEKIT_READ_ONLY must be 1 or 0" in done.err
    assert platform.requests == []
