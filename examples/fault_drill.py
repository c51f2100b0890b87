"""Simulate every fault of the sandbox, and print the SDK's report and the actual effect of each fault.

    python examples/fault_drill.py

The first table shows one charge of 4.90 USD for each fault: the result for the caller, the number of requests that
reached the platform, and the number of charges, which is never more than one. The second table shows one new account
for each fault and, if the outcome is unknown, the verdict of `billing.resolve(error)`. The third table shows one list
of 25 accounts for each fault of a list. Either all 25 accounts arrive, or the SDK raises an error with the reason.
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

WRITE_FAULTS: dict[str, tuple[Callable[[], Fault], int]] = {
    "no fault": (connection_refused, 0),
    "connection refused once": (connection_refused, 1),
    "connection always refused": (connection_refused, 9),
    "request lost": (drop_before_commit, 1),
    "response lost": (drop_after_commit, 1),
    "read timeout, not carried out": (read_timeout, 1),
    "read timeout, carried out": (lambda: read_timeout(committed=True), 1),
    "response truncated": (truncated, 1),
    "response damaged": (corrupt_gzip, 1),
    "response slower than deadline": (slow_response, 1),
    "HTML page of a proxy": (proxy_page, 1),
    "server error, not carried out": (server_error, 1),
    "server error, carried out": (server_error_after_commit, 1),
    "too many requests": (rate_limited, 1),
}
LIST_FAULTS: dict[str, tuple[Callable[[], Fault], int]] = {
    "no fault": (connection_refused, 0),
    "connection refused once": (connection_refused, 1),
    "response lost once": (drop_after_commit, 1),
    "too many requests, twice": (lambda: rate_limited(retry_after=2), 2),
    "HTML page of a proxy": (proxy_page, 1),
    "page truncated": (truncated, 1),
    "page slower than deadline": (slow_response, 1),
    "empty page with a next link": (empty_page_with_next, 1),
    "next page is the same page": (repeated_cursor, 1),
    "next page on another host": (foreign_next, 1),
    "wrong total": (wrong_total, 1),
}


def summary(error: SubscribekitError) -> str:
    """Return the class and the outcome of an error."""
    likely = ", likely applied" if isinstance(error, OutcomeUnknownError) and error.likely_applied else ""
    return f"{type(error).__name__}: {error.outcome}{likely}"


def charge(fault: Callable[[], Fault], times: int) -> tuple[str, int, int]:
    """Send one charge, and return the result, the number of requests that arrived, and the number of charges."""
    sandbox = Sandbox()
    if times:
        sandbox.faults.add("/v1/entitlement/{id}/charge", fault(), times)
    order = EntitlementCharge(transaction_id=new_transaction_id(), amount=Decimal("4.90"), currency="USD")
    with sandbox.gateway() as gateway:
        try:
            result = f"receipt {gateway.entitlements.charge('psub-entitlement-0001', order).transaction_reference_id}"
        except SubscribekitError as error:
            result = summary(error)
    return result, len(sandbox.requests), len(sandbox.entitlement_charges)


def create_account(fault: Callable[[], Fault], times: int) -> tuple[str, str, bool]:
    """Create one account, and return the result, the verdict, and whether the account exists."""
    sandbox = Sandbox()
    if times:
        sandbox.faults.add("POST /accounts", fault(), times)
    verdict = ""
    with sandbox.billing() as billing:
        try:
            result = f"account {billing.accounts.create(Account(id='cust-7', name='Ann Example')).id}"
        except OutcomeUnknownError as error:
            result, verdict = summary(error), billing.resolve(error).state
        except SubscribekitError as error:
            result = summary(error)
        sandbox.faults.clear()
        made = any(account.id == "cust-7" for account in billing.accounts.list())
    return result, verdict, made


def list_accounts(fault: Callable[[], Fault], times: int) -> tuple[str, int]:
    """Read a list of 25 accounts in pages of 10, and return the result and the number of requests that arrived."""
    sandbox = Sandbox()
    if times:
        sandbox.faults.add("GET /accounts", fault(), times)
    with sandbox.billing() as billing:
        try:
            result = f"{len(billing.accounts.list(limit=10).to_list())} accounts"
        except SubscribekitError as error:
            result = summary(error)
    return result, len(sandbox.requests)


def main() -> int:
    """Print the tables. Fail if a fault caused a second charge or a wrong verdict."""
    logging.getLogger("subscribekit").setLevel(logging.CRITICAL)  # the tables contain the same facts
    most = 0
    print(f"{'Fault when charging':<30} {'Result for the caller':<52} Requests  Charges")
    for name, (fault, times) in WRITE_FAULTS.items():
        result, requests, charges = charge(fault, times)
        most = max(most, charges)
        print(f"{name:<30} {result:<52} {requests:>8} {charges:>8}")
    wrong = 0
    print(f"\n{'Fault when creating an account':<30} {'Result for the caller':<52} Verdict      Account exists")
    for name, (fault, times) in WRITE_FAULTS.items():
        result, verdict, made = create_account(fault, times)
        wrong += verdict == ("not_applied" if made else "applied")
        print(f"{name:<30} {result:<52} {verdict or '-':<12} {'yes' if made else 'no'}")
    print(f"\n{'Fault when reading a list':<30} {'Result for the caller':<52} Requests")
    for name, (fault, times) in LIST_FAULTS.items():
        result, requests = list_accounts(fault, times)
        print(f"{name:<30} {result:<52} {requests:>8}")
    print(f"\nLargest number of charges for one order: {most}")
    print(f"Wrong verdicts: {wrong}")
    return 0 if most == 1 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
