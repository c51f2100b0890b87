"""Each list of the clients can be compared, whether it has cursors or offsets, and whether its items have an `id`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit.calls import Run
from reconcile.kit import differences, now, opened, story
from subscribekit.sandbox import Sandbox

BILLING = (
    "accounts", "billing_plans", "campaigns", "entitlements", "events", "invoices", "payment_methods",
    "payments", "products", "rate_plans", "refunds", "season_sets", "subscriptions", "transactions",
)  # fmt: skip
CASES: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    **{name: ("billing", lambda client, name=name: getattr(client, name).list(), "id") for name in BILLING},
    "activities": ("billing", lambda client: client.activities.list(), "vid"),
    "event summaries": ("billing", lambda client: client.event_summaries.list(), "subscription_item.id"),
    "children": ("billing", lambda client: client.accounts.list_children("acct-0010"), "id"),
    "plan history": (
        "billing", lambda client: client.subscriptions.list_billing_plan_history("sub-basic-0001"), "billing_plan.id"
    ),
    "accounts of user management": ("user_mgmt", lambda client: client.accounts.list(), "id"),
    "groups": ("user_mgmt", lambda client: client.entities.list("/user/groups"), "id"),
}  # fmt: skip

UNKNOWN = "90010"
"""A number, because the IDs of the account-lifecycle API are numbers."""


def key_of(resource: Any, path: str) -> str:
    """Return the value at a path, as text."""
    for name in path.split("."):
        resource = getattr(resource, name)
    return str(resource)


@pytest.mark.parametrize("name", CASES)
def test_a_row_that_no_resource_has_and_a_resource_without_a_row_are_found(name: str, run: Run, tmp_path: Path) -> None:
    sandbox = Sandbox()
    group, list_of, key = CASES[name]

    async def scenario() -> None:
        client = getattr(sandbox, group if run.style == "blocking" else f"async_{group}")()
        keys = list(dict.fromkeys([key_of(each, key) async for each in run.every(list_of(client))]))
        rows = [{key: each, "same": each} for each in [*keys[1:], UNKNOWN]]
        async with opened(run, tmp_path / "n.db", list_of(client), key=key, fields={key: "same"}) as check:
            await now(check.read())
            await now(check.compare(rows))
            found = {each.key: each.kind for each in await differences(run, check)}
        assert found == {UNKNOWN: "local_only", **dict.fromkeys(keys[:1], "remote_only")}

    story(run, scenario)
    assert {request.method for request in sandbox.requests} == {"GET"}
