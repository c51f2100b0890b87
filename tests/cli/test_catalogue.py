"""Every operation of the SDK is a command with the operation's SDK name, a help text, and `--no-send`."""

from __future__ import annotations

from datetime import date

import pytest

from cli.kit import Shell
from descriptions import methods
from looped import looped
from subscribekit._generated.sync.billing.resources import BillingResources
from subscribekit._generated.sync.gateway.resources import GatewayResources
from subscribekit._generated.sync.storefront.resources import StorefrontResources
from subscribekit._generated.sync.user_mgmt.resources import UserMgmtResources
from subscribekit.billing import CursorCollection, GenericResource
from subscribekit.cli.calls.arguments import _is_json, _kinds, _option
from subscribekit.cli.calls.call import command as command_of
from subscribekit.cli.calls.catalogue import Entry, Parameter, entries, find, resources_of
from subscribekit.cli.calls.docstrings import arguments_of
from subscribekit.user_mgmt import OffsetCollection

RESOURCES = {
    "billing": BillingResources,
    "gateway": GatewayResources,
    "user_mgmt": UserMgmtResources,
    "storefront": StorefrontResources,
}
ENTRIES = entries()
MADE = {"resource": GenericResource, "collection": CursorCollection}
VALUES = {
    "item": "Account",
    "method": "GET",
    "model": "Account",
    "name": "chargebacks",
    "path": "/user/accounts",
    "user_id": "me",
}


def typed(parameter: Parameter) -> list[str]:
    """Return the words to type for a required argument."""
    if _is_json(parameter):
        return ["--body", "{}"]
    if not parameter.is_keyword:
        return [VALUES.get(parameter.name, "x1")]
    return [_option(parameter), "2026-03-01" if date in _kinds(parameter.hint) else "x1"]


def command(entry: Entry) -> list[str]:
    words = [word for each in entry.parameters if each.is_required for word in typed(each)]
    if entry.name == "gateway.entitlements.charge":
        words[-1] = '{"transactionId": "t1", "amount": 4.90, "currency": "EUR"}'
    return ["call", entry.name, *words, *(["--primary"] if entry.group == "storefront" and entry.resource else [])]


def test_the_catalog_has_every_public_name_of_the_clients() -> None:
    for group, kind in RESOURCES.items():
        public = {name for each in kind.__mro__ for name in vars(each) if not name.startswith("_")}
        assert public - {"request", "with_raw_response", "prepare"} == set(resources_of(group)), group  # type: ignore[arg-type]  # a key of the table
        assert f"{group}.request" in ENTRIES


def test_the_catalog_has_every_operation() -> None:
    for entry in ENTRIES.values():
        assert find(entry.name) == entry
        assert entry.summary
    for kind in (GenericResource, CursorCollection, OffsetCollection):
        name = "resource" if kind is GenericResource else "collection"
        assert methods(kind).keys() <= {each.method for each in ENTRIES.values() if each.resource == name}
    assert len(ENTRIES) >= 84


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda each: each.name)
def test_every_operation_can_be_prepared(shell: Shell, entry: Entry) -> None:
    done = shell(*command(entry), "--no-send")
    assert done.code == 0, done.err
    assert done.lines[0].startswith(("GET https://", "POST https://", "PUT https://", "DELETE https://"))
    assert "sandbox-" not in done.out.replace("sandbox.invalid", ""), "a credential of the sandbox"


@looped("entry", ENTRIES.values())
def test_every_argument_has_a_sentence_and_an_option_of_its_own(entry: Entry) -> None:
    sentences = {**arguments_of(entry.factory.__doc__ if entry.factory else None), **arguments_of(entry.call.__doc__)}
    assert {each.name for each in entry.parameters} <= set(sentences)
    assert "\n" not in "".join(sentences.values())
    names = [each.name for each in command_of(entry).__signature__.parameters.values()]  # type: ignore[attr-defined]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["billing.accounts.list", "gateway.entitlements.charge", "billing.request"])
def test_help_shows_each_argument(shell: Shell, name: str) -> None:
    entry = ENTRIES[name]
    done = shell("call", name, "--help", columns=300)
    assert done.code == 0
    assert entry.summary.replace("`", "") in done.out
    for each in entry.parameters:
        shown = each.name.upper() if each.is_required and not each.is_keyword and not _is_json(each) else _option(each)
        assert shown in done.out, each.name
    own = {"--json", "--no-send", "--environment", "--ca-file", "--wire-name"}
    assert not own & {_option(each) for each in entry.parameters}
    assert all(option in done.out for option in own)


def test_help_says_what_kind_of_value_an_option_takes(shell: Shell) -> None:
    shown = " ".join(shell("call", "billing.invoices.list", "--help", columns=300).out.split())
    for option in ("--page-size NUMBER", "--invoice-date DATE", "--status TEXT", "--max-pages NUMBER"):
        assert f"{option} " in shown


def test_the_list_of_operations(shell: Shell) -> None:
    done = shell("call", "--list")
    assert [line.partition("\t")[0] for line in done.lines] == list(ENTRIES)


def test_the_operations_of_an_api_and_of_a_resource(shell: Shell) -> None:
    assert all(line.startswith("gateway.") for line in shell("call", "gateway").lines)
    assert [line.partition("\t")[0] for line in shell("call", "billing.payments").lines] == [
        name for name in ENTRIES if name.startswith("billing.payments.")
    ]


def test_a_terminal_shows_the_apis(shell: Shell) -> None:
    done = shell("call", tty=True)
    assert "Partner subscriptions and entitlement charges" in done.out
    assert "call --list" in done.err


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("billing.accounts.lst", "billing.accounts.list"), ("biling", "billing"), ("gateway.entitlement", "entitlements")],
)
def test_a_typing_error_gets_a_near_match(shell: Shell, wrong: str, right: str) -> None:
    done = shell("call", wrong)
    assert done.code == 2
    assert "Did you mean" in done.err
    assert right in done.err


@pytest.mark.parametrize(
    "command",
    [
        "",
        "doctor",
        "bulk resume",
        "export accounts",
        "reconcile accounts",
        *(
            f"call {name}"
            for name in ("billing.accounts.list", "billing.accounts.update", "gateway.subscriptions.retrieve")
        ),
    ],
)
def test_help_cuts_no_option_at_80_columns(shell: Shell, command: str) -> None:
    out = shell(*command.split(), "--help", columns=80, tty=True).out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80
    if command:
        assert "--environment" in out
