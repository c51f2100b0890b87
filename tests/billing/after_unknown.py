"""Writes the column "After an unknown outcome" of `docs/coverage.md` from the rules of the operations."""

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
"""The verdicts that each test of a rule can return besides `undecided`."""
NEVER_LOST = {("subscriptions", "update"), ("generic_resource", "update")}
"""Updates that move money, or may move money. If the values are missing, the update may still have been carried out."""


def after_unknown_outcome(operation_name: str, group: Group = "billing", *, safe_to_retry: bool = False) -> str:
    """Return the read that `client.resolve` sends after an unknown outcome of an operation, and its possible verdicts.

    Args:
        operation_name: The SDK's name of the operation, such as `accounts.create` or `generic_resource.create`.
        group: The API of the operation. Two APIs have a `payment_methods.update`.
        safe_to_retry: Whether the safety class of the operation allows another call.
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
