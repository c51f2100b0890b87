"""Break the connection in every way the sandbox knows, and see what the SDK says and what really happened.

    python examples/fault_drill.py

First one charge of 4.90 USD for each kind of trouble: what the caller learns, how many requests reached the platform,
and how many charges were made, which is never more than one. Then one new account for each of them, and where its
outcome is unknown, the verdict of `billing.resolve(error)`. Then one list of 25 accounts for each kind of trouble that
a list can have: either all 25 arrive, or an error says why not.
"""

import logging
import sys
from collections.abc import Callable
from decimal import Decimal

from subscribekit import new_transaction_id
from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.models import Account, EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    connection_refused,
    corrupt_gzip,
    drop_after_commit,
    drop_before_commit,
    empty_page_with_next,
    foreign_next,
    proxy_page,
    rate_limited,
    read_timeout,
    repeated_cursor,
    server_error,
    server_error_after_commit,
    slow_response,
    truncated,
    wrong_total,
)

ON_A_CHARGE: dict[str, tuple[Callable[[], Fault], int]] = {
    "nothing": (connection_refused, 0),
    "connection refused once": (connection_refused, 1),
    "connection refused for good": (connection_refused, 9),
    "request lost on its way": (drop_before_commit, 1),
    "answer lost on its way": (drop_after_commit, 1),
    "silence, nothing done": (read_timeout, 1),
    "silence, charge made": (lambda: read_timeout(committed=True), 1),
    "answer cut in its middle": (truncated, 1),
    "answer damaged": (corrupt_gzip, 1),
    "answer too slow for deadline": (slow_response, 1),
    "page of a proxy": (proxy_page, 1),
    "server error, nothing done": (server_error, 1),
    "server error, charge made": (server_error_after_commit, 1),
    "too many requests": (rate_limited, 1),
}
ON_A_LIST: dict[str, tuple[Callable[[], Fault], int]] = {
    "nothing": (connection_refused, 0),
    "connection refused once": (connection_refused, 1),
    "answer lost once": (drop_after_commit, 1),
    "too many requests, twice": (lambda: rate_limited(retry_after=2), 2),
    "page of a proxy": (proxy_page, 1),
    "page cut in its middle": (truncated, 1),
    "page too slow for deadline": (slow_response, 1),
    "empty page in between": (empty_page_with_next, 1),
    "the same page again": (repeated_cursor, 1),
    "next page elsewhere": (foreign_next, 1),
    "wrong total": (wrong_total, 1),
}


def told(error: SubscribekitError) -> str:
    """Say in short what an error says."""
    likely = ", but likely done" if isinstance(error, OutcomeUnknownError) and error.likely_applied else ""
    return f"{type(error).__name__}: {error.outcome}{likely}"


def charge(trouble: Callable[[], Fault], times: int) -> tuple[str, int, int]:
    """Submit one charge; return the outcome, the requests that arrived and the charges that were made."""
    sandbox = Sandbox()
    if times:
        sandbox.faults.add("/v1/entitlement/{id}/charge", trouble(), times)
    order = EntitlementCharge(transaction_id=new_transaction_id(), amount=Decimal("4.90"), currency="USD")
    with sandbox.gateway() as gateway:
        try:
            result = f"receipt {gateway.entitlements.charge('psub-entitlement-0001', order).transaction_reference_id}"
        except SubscribekitError as error:
            result = told(error)
    return result, len(sandbox.requests), len(sandbox.entitlement_charges)


def create_account(trouble: Callable[[], Fault], times: int) -> tuple[str, str, bool]:
    """Create one account; return the outcome, the verdict, and whether the account is there."""
    sandbox = Sandbox()
    if times:
        sandbox.faults.add("POST /accounts", trouble(), times)
    verdict = ""
    with sandbox.billing() as billing:
        try:
            result = f"account {billing.accounts.create(Account(id='cust-7', name='Ann Example')).id}"
        except OutcomeUnknownError as error:
            result, verdict = told(error), billing.resolve(error).state
        except SubscribekitError as error:
            result = told(error)
        sandbox.faults.clear()
        made = any(account.id == "cust-7" for account in billing.accounts.list())
    return result, verdict, made


def list_accounts(trouble: Callable[[], Fault], times: int) -> tuple[str, int]:
    """Read a list of 25 accounts in pages of 10; return the outcome and the requests that arrived."""
    sandbox = Sandbox()
    if times:
        sandbox.faults.add("GET /accounts", trouble(), times)
    with sandbox.billing() as billing:
        try:
            result = f"{len(billing.accounts.list(limit=10).to_list())} accounts"
        except SubscribekitError as error:
            result = told(error)
    return result, len(sandbox.requests)


def main() -> int:
    """Run the drill."""
    logging.getLogger("subscribekit").setLevel(logging.CRITICAL)  # the table says it all
    most = 0
    print(f"{'A charge meets':<30} {'and the caller learns':<58} requests")
    for name, (trouble, times) in ON_A_CHARGE.items():
        result, requests, charges = charge(trouble, times)
        most = max(most, charges)
        print(f"{name:<30} {result:<58} {requests:>8}  charges made: {charges}")
    wrong = 0
    print(f"\n{'A new account meets':<30} {'and the caller learns':<58} verdict")
    for name, (trouble, times) in ON_A_CHARGE.items():
        result, verdict, made = create_account(trouble, times)
        wrong += verdict == ("not_applied" if made else "applied")
        print(f"{name:<30} {result:<58} {verdict or '-':<12} is there: {'yes' if made else 'no'}")
    print(f"\n{'A list meets':<30} {'and the caller learns':<58} requests")
    for name, (trouble, times) in ON_A_LIST.items():
        result, requests = list_accounts(trouble, times)
        print(f"{name:<30} {result:<58} {requests:>8}")
    print(f"\nMost charges made for one order: {most}")
    print(f"Verdicts that were wrong: {wrong}")
    return 0 if most == 1 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
