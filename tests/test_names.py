"""Compares the public names with the list of renames: every new name exists, and no old one does.

A row compares an owner with a name, such as `Run.results`, because another class may have its own `results`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pickle
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest
import typer

import subscribekit
from subscribekit import drift, errors
from subscribekit.bulk import RecordedOutcome
from subscribekit.cli.application import application
from subscribekit.reconcile._difference import Kind as DifferenceKind
from subscribekit.reconcile._report import HEAD
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults.delivery import DeliveryKind
from subscribekit.sandbox.faults.requests import FAULTS
from subscribekit.sandbox.server.control import Control

ROOT = Path(__file__).parent.parent

RENAMED = {
    "BillingClient(gzip_label)": "BillingClient(send_gzip_header)",
    "AsyncBillingClient(gzip_label)": "AsyncBillingClient(send_gzip_header)",
    "bulk.Run.results": "bulk.Run.send",
    "bulk.AsyncRun.results": "bulk.AsyncRun.send",
    "bulk.Run.once": "bulk.Run.send_once",
    "bulk.AsyncRun.once": "bulk.AsyncRun.send_once",
    "bulk.Run.send_once(plan)": "bulk.Run.send_once(request)",
    "bulk.AsyncRun.send_once(plan)": "bulk.AsyncRun.send_once(request)",
    "bulk.Run.add(plans)": "bulk.Run.add(requests)",
    "bulk.AsyncRun.add(plans)": "bulk.AsyncRun.add(requests)",
    "bulk.Run.forget": "bulk.Run.purge_data",
    "bulk.AsyncRun.forget": "bulk.AsyncRun.purge_data",
    "bulk.Run(rate)": "bulk.Run(rate_limit)",
    "bulk.AsyncRun(rate)": "bulk.AsyncRun(rate_limit)",
    "bulk.Rate": "bulk.RateLimit",
    "bulk.Stop": "bulk.StopPolicy",
    "bulk.StopPolicy.after": "bulk.StopPolicy.max_items",
    "bulk.StopPolicy.rejected": "bulk.StopPolicy.max_rejected",
    "bulk.StopPolicy.unknown": "bulk.StopPolicy.max_unknown",
    "bulk.StopPolicy.amount": "bulk.StopPolicy.max_amount",
    "bulk.Run.settle_entry": "bulk.Run.items",  # it became private
    "bulk.AsyncRun.settle_entry": "bulk.AsyncRun.items",
    "bulk.PlannedItem": "bulk.PreviewItem",
    "bulk.Settled": "bulk.RecordedOutcome",
    "recorded outcome done": "recorded outcome applied",
    "recorded outcome not_done": "recorded outcome not_applied",
    "PlannedRequest": "PreparedRequest",
    "errors.RequestError": "errors.InvalidArgumentError",
    "errors.AuthorizationFailedError": "errors.PaymentAuthorizationError",
    "phase answer_started": "phase response_started",
    "phase answer_complete": "phase response_complete",
    "Verdict.quote": "Verdict.support_details",
    "Verdict.repeatable": "Verdict.safe_to_retry",
    "bulk.Run.resolve(after)": "bulk.Run.resolve(not_applied_after)",
    "bulk.AsyncRun.resolve(after)": "bulk.AsyncRun.resolve(not_applied_after)",
    "models.Subscription.is_entitled": "models.Subscription.entitlement_at",
    "models.Entitled": "models.EntitlementDecision",
    "models.EntitlementDecision.answer": "models.EntitlementDecision.decision",
    "models.BooleanAnswer": "models.EntitlementCheck",
    "models.Account.unread_fields": "models.Account.unparsed_fields",
    "drift kind unread_value": "drift kind unparsed_value",
    "drift.Drift": "drift.DriftDetector",
    "reconcile.Reconcile": "reconcile.Reconciliation",
    "reconcile.AsyncReconcile": "reconcile.AsyncReconciliation",
    "reconcile.Difference.here": "reconcile.Difference.local",
    "reconcile.Difference.there": "reconcile.Difference.remote",
    "difference kind only_here": "difference kind local_only",
    "difference kind only_there": "difference kind remote_only",
    "reconcile.Counts.only_here": "reconcile.Counts.local_only",
    "reconcile.Counts.only_there": "reconcile.Counts.remote_only",
    "reconcile.Reconciliation.forget": "reconcile.Reconciliation.reset",
    "reconcile.AsyncReconciliation.forget": "reconcile.AsyncReconciliation.reset",
    "reconcile.Reconciliation(scale)": "reconcile.Reconciliation(compare_scale)",
    "reconcile.AsyncReconciliation(scale)": "reconcile.AsyncReconciliation(compare_scale)",
    "reconcile.Reconciliation.report(personal)": "reconcile.Reconciliation.report(include_personal)",
    "reconcile.AsyncReconciliation.report(personal)": "reconcile.AsyncReconciliation.report(include_personal)",
    "export.to_arrow(personal)": "export.to_arrow(include_personal)",
    "export.split": "export.partition",
    "export.Part": "export.Partition",
    "webhooks.receive": "webhooks.unwrap",
    "webhooks.once": "webhooks.record_if_new",
    "webhooks.unwrap(stale_after)": "webhooks.unwrap(max_age)",
    "Limits.quiet_before_money": "Limits.min_idle_before_charge",
    "sandbox.Sandbox.charges": "sandbox.Sandbox.entitlement_charges",
    "sandbox.EntitlementCharge": "sandbox.RecordedCharge",
    "sandbox.Answer": "sandbox.SandboxResponse",
    "sandbox.Request": "sandbox.SandboxRequest",
    "sandbox.faults.refuse": "sandbox.faults.connection_refused",
    "sandbox.faults.stall": "sandbox.faults.read_timeout",
    "sandbox.faults.html": "sandbox.faults.proxy_page",
    "sandbox.faults.slow_drip": "sandbox.faults.slow_response",
    "sandbox.faults.late": "sandbox.faults.delayed_webhook",
    "sandbox.faults.twice": "sandbox.faults.duplicate_webhook",
    "sandbox.faults.out_of_order": "sandbox.faults.reordered_webhook",
    "fault refuse": "fault connection_refused",
    "fault stall": "fault read_timeout",
    "fault html": "fault proxy_page",
    "fault slow_drip": "fault slow_response",
    "fault late": "fault delayed_webhook",
    "fault twice": "fault duplicate_webhook",
    "fault out_of_order": "fault reordered_webhook",
    "cli call billing.payments.create --plan": "cli call billing.payments.create --no-send",
    "cli bulk resume --plan": "cli bulk resume --preview",
    "cli bulk resume --after": "cli bulk resume --max-items",
    "cli bulk resume --stop-rejected": "cli bulk resume --max-rejected",
    "cli bulk resume --stop-unknown": "cli bulk resume --max-unknown",
    "cli bulk resume --stop-amount": "cli bulk resume --max-amount",
    "cli bulk resume --rate": "cli bulk resume --rate-limit",
    "cli export billing.payments --lanes": "cli export billing.payments --workers",
    "cli export billing.payments --personal": "cli export billing.payments --include-personal",
    "cli reconcile billing.payments --personal": "cli reconcile billing.payments --include-personal",
    "cli reconcile billing.payments --scale": "cli reconcile billing.payments --compare-scale",
    "json of the served sandbox charges": "json of the served sandbox entitlement_charges",
    "json of a difference here": "json of a difference local",
    "json of a difference there": "json of a difference remote",
}  # fmt: skip
OF_CLIENTS = {
    "{}.plan": "{}.prepare",
    "{}.carrier": "{}.http_backend",
    "{}.send(plan)": "{}.send(request)",
    "{}.resolve(after)": "{}.resolve(not_applied_after)",
    "{}(application_id)": "{}(user_agent_suffix)",
}
CLIENTS = [
    f"{style}{group}Client" for style in ("", "Async") for group in ("Billing", "Gateway", "UserMgmt", "Storefront")
]
RENAMED |= {old.format(client): new.format(client) for client in CLIENTS for old, new in OF_CLIENTS.items()}

ADDED = ("bulk.Run(accept_moved)", "bulk.AsyncRun(accept_moved)", "cli bulk resume --accept-moved")


def public_modules() -> Iterator[tuple[str, ModuleType]]:
    yield "", subscribekit
    for found in pkgutil.walk_packages(subscribekit.__path__, "subscribekit."):
        name = found.name.removeprefix("subscribekit.")
        if not any(part.startswith("_") for part in name.split(".")) and hasattr(
            module := importlib.import_module(found.name), "__all__"
        ):
            yield f"{name}.", module


def parameters(name: str, function: object) -> Iterator[str]:
    if callable(function):
        try:
            found = inspect.signature(function).parameters
        except (TypeError, ValueError):  # a class of the standard library or a type alias has no signature
            return
        yield from (f"{name}({each})" for each in found)


def members(name: str, owner: object) -> Iterator[str]:
    yield name
    yield from parameters(name, owner)
    if isinstance(owner, type):
        fields = getattr(owner, "model_fields", {})
        for each in {*dir(owner), *fields, *getattr(owner, "__annotations__", {})}:
            if not each.startswith("_"):
                yield f"{name}.{each}"
                yield from parameters(f"{name}.{each}", getattr(owner, each, None))


def commands(command: object, path: str) -> Iterator[str]:
    for parameter in getattr(command, "params", ()):
        yield from (f"{path} {option}" for option in parameter.opts)
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{path} {name}")


def keys_of_json() -> Iterator[str]:
    """Yield the keys of the JSON that programs read, except those that are attributes of a public class."""
    state = json.loads(Control(Sandbox()).handle("GET", "/_sandbox", {}, b"").body)
    yield from (f"json of the served sandbox {key}" for key in state)
    yield from (f"fault {name}" for name in state["known_faults"])
    yield from (f"json of a difference {key}" for key in HEAD)


@cache
def public_names() -> frozenset[str]:
    found: set[str] = set()
    for prefix, module in public_modules():
        for each in module.__all__:
            found.update(members(prefix + each, getattr(module, each)))
    for first in ("bulk", "call", "doctor", "export", "reconcile"):  # a command is complete if the line names it
        found.update(commands(typer.main.get_command(application([first])), "cli"))
    found.update(f"fault {name}" for name in (*FAULTS, *get_args(DeliveryKind)))
    found.update(f"phase {name}" for name in get_args(errors.Phase))
    found.update(f"drift kind {name}" for name in get_args(drift.Kind))
    found.update(f"difference kind {name}" for name in get_args(DifferenceKind))
    found.update(f"recorded outcome {name}" for name in get_args(RecordedOutcome))
    found.update(keys_of_json())
    return frozenset(found)


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_only_the_new_name_is_public(old: str, new: str) -> None:
    assert new in public_names()
    assert old not in public_names()


@pytest.mark.parametrize("name", ADDED)
def test_an_added_name_is_public(name: str) -> None:
    assert name in public_names()


@pytest.mark.parametrize(
    "removed",
    [
        "subscribekit.errors:RequestError", "subscribekit.errors:AuthorizationFailedError",
        "subscribekit:PlannedRequest", "subscribekit.models:BooleanAnswer", "subscribekit.bulk:Stop",
    ],
)  # fmt: skip
def test_a_pickle_that_names_a_removed_class_raises_pythons_error(removed: str) -> None:
    module, name = removed.split(":")
    with pytest.raises(AttributeError, match=name):
        pickle.loads(f"c{module}\n{name}\n.".encode())


OLD_WORDS = re.compile(
    r"application_id|gzip_label|quiet_before_money|stale_after|carrier|lanes|forget|unread|(?<!billing_)plan"
)
"""Old words that the names of fixtures, pytest options, settings, and environment variables could contain."""


def test_fixtures_options_settings_and_variables_have_no_old_word() -> None:
    source = (Path(subscribekit.__file__).parent / "testing" / "plugin.py").read_text(encoding="utf-8")
    names = {
        name.lower() for name in re.findall(r'\ndef (\w+)\(|"(?:--)?(subscribekit[\w-]+)"', source) for name in name
    }
    assert {"billing_client", "webhook_key", "no_network", "subscribekit-responses"} <= names
    for path in Path(subscribekit.__file__).parent.rglob("*.py"):
        names |= {name.lower() for name in re.findall(r"SUBSCRIBEKIT_[A-Z_]+", path.read_text(encoding="utf-8"))}
    assert "subscribekit_environment" in names
    assert [name for name in names if OLD_WORDS.search(name)] == []


REFUSALS = ("did you mean", "older = ")
"""Texts in lines that may contain an old name, because they check that it's refused."""
OLD_TEXTS = re.compile(
    r"\b(?:run\.results|run\.once|run\.forget|client\.plan|client\.carrier|sandbox\.charges|webhooks\.receive"
    r"|webhooks\.once|verdict\.quote|verdict\.repeatable|export\.split|PlannedRequest|PlannedItem|BooleanAnswer"
    r"|AuthorizationFailedError|unread_fields|unread_value|only_here|only_there|answer_started|answer_complete"
    r"|stale_after|quiet_before_money|gzip_label|is_entitled|slow_drip|settle_entry|bulk\.Stop|bulk\.Rate|bulk\.Settled"
    r"|drift\.Drift|reconcile\.(?:Async)?Reconcile|sandbox\.(?:Answer|Request|EntitlementCharge)|export\.Part"
    r"|faults\.(?:refuse|stall|late|twice|out_of_order))\b|(?<!httpx\.)(?<!httpx2\.)\bRequestError\b"
    r"|\b(?:Stop|Drift|Reconcile|AsyncReconcile)\(|entitlement_at\(.*\)\.answer|\b(?:application_id|personal)="
    r"|--(?:lanes|personal|stop-rejected|stop-unknown|stop-amount)\b|record_outcome\(\"(?:done|not_done)"
)


def test_no_text_has_an_old_name() -> None:
    """Only the changelog, the hints about old names, and this file may contain them."""
    folders = [ROOT / name for name in ("src", "docs", "examples", "tests", ".ci", "scripts")]
    paths = [ROOT / "README.md", *(path for folder in folders for path in sorted(folder.rglob("*")))]
    found: list[str] = []
    for path in paths:
        if (
            path == Path(__file__)
            or not path.is_file()
            or not {"_hints", "__pycache__"}.isdisjoint(path.parts)
            or path.suffix in (".png", ".gif", ".ico", ".parquet")
        ):
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        old = [(number, line) for number, line in enumerate(lines, 1) if OLD_TEXTS.search(line)]
        found += [
            f"{path.relative_to(ROOT)}:{number}" for number, line in old if not any(each in line for each in REFUSALS)
        ]
    assert found == []
