"""The column "after an unknown outcome" of `docs/coverage.md`, made from the rules beside the operations."""

from __future__ import annotations

from descriptions import described
from kit.calls import Group
from subscribekit._core.resolving.rules import Test

STATES: dict[Test, tuple[str, ...]] = {
    "created": ("applied", "in effect", "not applied"),
    "values": ("in effect", "not applied"),
    "refunded": ("applied", "in effect", "not applied"),
    "credited": ("in effect",),
    "recorded": ("in effect",),
    "child": ("in effect", "not applied"),
    "no_child": ("in effect", "not applied"),
    "entitled": ("in effect", "not applied"),
    "not_entitled": ("in effect", "not applied"),
    "captured": ("in effect", "not applied"),
    "transaction_cancelled": ("in effect", "not applied"),
    "reversed": ("in effect", "not applied"),
    "subscription_cancelled": ("in effect", "not applied"),
    "billing_day": ("in effect", "not applied"),
    "finished": ("in effect",),
}
"""The conclusions of a test besides `undecided`."""
NEVER_LOST = {("subscriptions", "update"), ("generic_resource", "update")}
"""Updates that move money, or may: that the values are not there does not show that nothing was done."""


def after_unknown_outcome(operation_name: str, group: Group = "billing", *, safe_to_retry: bool = False) -> str:
    """Say what `client.resolve` reads after an unknown outcome of an operation, and what it can respond.

    Args:
        operation_name: The SDK's name: `accounts.create`, `generic_resource.create`.
        group: The interface group, as two groups have a `payment_methods.update`.
        safe_to_retry: Whether its safety class lets it be called again.
    """
    family, _, method = operation_name.partition(".")
    rule = described(group, operation_name).rule
    if rule is None:
        return "undecided: ask the operator" + (", or call again" if safe_to_retry else "")
    read = f"`{rule.read}`".replace("generic_resource.", "resource(name, model).")
    states = list(STATES[rule.test])
    if rule.by_convention:
        read += f", else `{rule.listed}`" if rule.listed else " (by convention)"
    if (rule.by_convention and not rule.listed and rule.test != "reversed") or (family, method) in NEVER_LOST:
        states.remove("not applied")
    note = {"created": " (needs your own id)", "refunded": " (applied and not applied need your own id)"}
    return f"{read}: {', '.join(states)}{note.get(rule.test, '')}"
