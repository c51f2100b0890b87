"""Mistakes at the command line get a helpful message on stderr, and only results go to stdout (H184)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit._core.calls.outcomes.classify import classify_failure
from subscribekit._core.http.failure import TransportFailure
from subscribekit.bulk import Run
from subscribekit.cli.application import _COMMANDS
from subscribekit.cli.output.outcomes import terminal_text
from subscribekit.models import Account
from subscribekit.sandbox import faults
from subscribekit.sandbox.platform import Platform

CHARGE = ("call", "gateway.entitlements.charge", "ps-1", "--no-send", "--body")
CREATE = ("call", "billing.subscriptions.create", "--no-send", "--body")


def words(text: str) -> str:
    """Return the words in a box, without its border and its line breaks."""
    return " ".join(text.replace("│", " ").split())


TIME = 'starts: must be a time with a time zone, such as "2026-01-31T00:00:00Z"'
BODIES = {
    "money in quotes": (
        CHARGE, '{"transaction_id": "t", "amount": "4.90"}',
        "amount: must be a number without quotes, such as 4.90",
    ),
    "a number without quotes": (
        CHARGE, '{"transactionId": 5}', 'transaction_id: must be a string: "..." (wire name `transactionId`)'
    ),
    "a word for an object": (CREATE, '{"billing_plan": "x"}', 'billing_plan: must be an object: {"id": "..."}'),
    "a word for an item": (
        CREATE, '{"items": ["x"]}', 'items.0: must be an object: {"product": {"id": "..."}}'
    ),
    "a word for a list": (CREATE, '{"items": "x"}', "items: must be an array: [...]"),
    "a time in words": (CREATE, '{"starts": "now"}', TIME),
    "a time without a zone": (
        CREATE, '{"starts": "2026-01-31T00:00:00"}', TIME
    ),
    "a count in quotes": (
        CREATE, '{"items": [{"quantity": "3"}]}', "items.0.quantity: must be a whole number, such as 3"
    ),
    "a flag in quotes": (
        CREATE, '{"ignore_cvn_policy": "x"}', "no field 'ignore_cvn_policy'"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "body", "sentence"), BODIES.values(), ids=BODIES)
def test_an_error_about_a_body_uses_the_terms_of_json(
    shell: Shell, command: tuple[str, ...], body: str, sentence: str
) -> None:
    done = shell(*command, body, columns=400)
    assert done.code == 2
    assert sentence in words(done.err)
    for python in ("Decimal", "from_json", "datetime(", "write "):
        assert python not in done.err


STAGING = {
    "SUBSCRIBEKIT_STAGING_BASE_URL": "https://b.invalid",
    "SUBSCRIBEKIT_STAGING_GATEWAY_URL": "https://g.invalid",
}


@pytest.mark.parametrize(
    ("command", "variables", "sentence"),
    [
        (
            ("call", "billing.accounts.list"), {},
            "environment 'staging' has no base URL for this client; set SUBSCRIBEKIT_STAGING_BASE_URL",
        ),
        (
            ("call", "billing.accounts.list"), STAGING,
            "api_user is missing; set SUBSCRIBEKIT_STAGING_API_USER",
        ),
        (
            ("call", "gateway.subscriptions.retrieve", "s1"), STAGING,
            (
                "subscriptions.retrieve: this operation needs an API key (only campaigns.activate needs no API key); "
                "set SUBSCRIBEKIT_STAGING_GATEWAY_API_KEY"
            ),
        ),
    ],
)  # fmt: skip
def test_a_missing_setting_is_named_as_a_variable(
    shell: Shell, command: tuple[str, ...], variables: dict[str, str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = shell(*command, environment="staging")
    assert done.code == 2
    assert done.err.splitlines()[0] in (sentence, sentence.removeprefix("subscriptions.retrieve: "))


def test_the_doctor_names_variables_to_set(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_STAGING_BASE_URL", "https://b.invalid")
    done = shell("doctor", environment="staging")
    assert "set SUBSCRIBEKIT_STAGING_API_USER" in done.out
    assert "when the client is made" not in done.out + done.err


def test_the_error_about_an_untrusted_certificate_names_the_option() -> None:
    reason = "its certificate was not accepted (self-signed certificate)"
    failed = classify_failure(TransportFailure(reason, "nothing", "refused_by_tls"), "b.example", 1.0).error
    assert "Environment(ca_file=" in str(failed)
    assert terminal_text(failed).endswith(
        "nothing was sent. If your own CA signed the certificate, pass the file with the CA: --ca-file FILE, or "
        "the variable SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE"
    )


def test_an_unknown_outcome_names_no_python_method(shell: Shell, platform: Platform) -> None:
    reverse = ("call", "billing.payments.reverse", "pay-cash-0001", "--yes")
    platform.faults.add("/payments/{payment}/actions/reverse", faults.drop_after_commit())
    done = shell(*reverse)
    assert done.code == 4
    assert "Reconcile by the identifier 'pay-cash-0001' before you decide what to do.\n" in done.err
    assert "client.resolve" not in done.err
    charge = ("call", "gateway.entitlements.charge", "psub-basic-0001", "--yes", "--body")
    platform.faults.add("POST /v1/entitlement/{id}/charge", faults.drop_after_commit())
    done = shell(*charge, '{"transactionId": "t-1", "amount": 4.90, "currency": "USD"}')
    assert done.code == 4
    assert "No read can show whether it was carried out, so ask the operator.\n" in done.err
    assert "client.resolve" not in done.err


# Lists that fail


def test_a_list_that_fails_on_its_first_page_writes_nothing(shell: Shell, platform: Platform) -> None:
    for tty in (False, True):
        platform.faults.add("/accounts", faults.server_error(500), times=9)
        done = shell("call", "billing.accounts.list", tty=tty)
        assert done.code == 1
        assert done.out == ""
        assert "--checkpoint" not in done.err
        platform.reset()


@pytest.mark.parametrize("tty", [False, True])
def test_a_list_that_fails_later_shows_the_earlier_items(shell: Shell, platform: Platform, tty: bool) -> None:
    platform.faults.add(lambda request: "starting_after" in str(request.query), faults.server_error(500), times=9)
    done = shell("call", "billing.accounts.list", "--page-size", "5", "--columns", "id", tty=tty)
    platform.faults.clear()
    assert done.code == 1
    shown = re.findall(r"acct-\d+", done.out)
    assert len(shown) == 5
    (checkpoint,) = re.findall(r"run the command again with --checkpoint (\S+)", done.err)
    rest = shell("call", "billing.accounts.list", "--page-size", "5", "--columns", "id", "--checkpoint", checkpoint)
    assert len(shown) + len(re.findall(r"acct-\d+", rest.out)) == 25


def test_a_resumed_list_that_fails_on_its_first_page_shows_no_checkpoint(shell: Shell, platform: Platform) -> None:
    with BillingClient(environment="sandbox") as billing:
        pager = billing.accounts.list(limit=5)
        next(iter(pager))
        checkpoint = pager.checkpoint
    platform.faults.add("/accounts", faults.server_error(500), times=9)
    done = shell("call", "billing.accounts.list", "--page-size", "5", "--checkpoint", checkpoint)
    assert (done.code, done.out) == (1, "")
    assert "--checkpoint" not in done.err


def test_an_empty_list_has_its_columns(shell: Shell) -> None:
    done = shell("call", "billing.accounts.list", "--email", "nobody@example.com")
    assert done.code == 0
    assert len(done.lines) == 1
    assert done.lines[0].startswith("id\t")


# Commands that are operations

MEANT = {
    ("accounts", "list"): "subscribekit call billing.accounts.list, or subscribekit call user_mgmt.accounts.list",
    ("account",): "subscribekit call billing.accounts, or subscribekit call user_mgmt.accounts",
    ("accounts.retrieve", "a1"): "subscribekit call billing.accounts.retrieve",
    ("billing.payments.reverse", "p1"): "subscribekit call billing.payments.reverse",
    ("invoice", "s3cret"): "subscribekit call billing.invoices",
    ("gateway",): "subscribekit call gateway",
}


@pytest.mark.parametrize(("arguments", "sentence"), MEANT.items(), ids=[" ".join(each) for each in MEANT])
def test_an_operation_without_call_is_explained(shell: Shell, arguments: tuple[str, ...], sentence: str) -> None:
    done = shell(*arguments)
    assert done.code == 2
    assert done.err == f"This is an operation, not a command; write {sentence}\n"
    assert done.out == ""


IN_WORDS = {
    ("billing.accounts", "list"): "subscribekit call billing.accounts.list",
    ("billing", "accounts", "retrieve", "a1"): "subscribekit call billing.accounts.retrieve",
    ("accounts", "list"): "subscribekit call billing.accounts.list, or subscribekit call user_mgmt.accounts.list",
    ("invoices.retrieve", "s3cret", "--json"): "subscribekit call billing.invoices.retrieve",
}


@pytest.mark.parametrize(("arguments", "sentence"), IN_WORDS.items(), ids=[" ".join(each) for each in IN_WORDS])
def test_an_operation_in_several_words_is_explained(shell: Shell, arguments: tuple[str, ...], sentence: str) -> None:
    done = shell("call", *arguments)
    assert done.code == 2
    assert done.err == f"The name of an operation is one word; write {sentence}\n"


def test_every_command_of_the_help_is_in_the_table(shell: Shell) -> None:
    shown = re.findall(r"^  (\w+)  ", shell("--help").out, flags=re.MULTILINE)
    assert sorted(shown) == sorted(_COMMANDS)


def test_a_word_that_is_like_no_operation_is_an_unknown_command(shell: Shell) -> None:
    assert "No such command 'weather'" in shell("weather").err
    assert "Did you mean 'doctor'" in shell("docter").err


# Bulk


def test_a_preview_without_items_says_that_nothing_would_be_sent(shell: Shell, tmp_path: Path) -> None:
    file = str(tmp_path / "accounts.db")
    with BillingClient(environment="sandbox") as billing, Run(file, billing) as run:
        run.add([("row", billing.prepare.accounts.create(Account(id="new-1")))])
    assert shell("bulk", "resume", file, "--yes").code == 0
    done = shell("bulk", "resume", file, "--preview")
    assert (done.code, done.out) == (0, "")
    assert done.err == "No item is ready, so bulk resume would send nothing.\n"
