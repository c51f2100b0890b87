"""A nightly job that fails when the service sends something that the SDK does not know yet.

    python examples/nightly_drift.py

reads the lists of a merchant once, from the sandbox inside the package, or from a real environment with
`SUBSCRIBEKIT_ENVIRONMENT` set (a staging one is a good place). It only reads. When it fails, look at the table, update
the SDK or tell its authors, and accept what you have looked at:

    python examples/nightly_drift.py --accept

writes the findings to `drift.json`; keep that file beside the job, under version control. From then on only what is
not in it makes the job fail. The report holds names and counts, no customer's data.
"""

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from subscribekit import BillingClient, UserMgmtClient
from subscribekit.drift import DriftDetector, DriftError
from subscribekit.errors import SubscribekitError


def lists(billing: BillingClient) -> list[Iterable[object]]:
    """The lists that the job looks at: those that the merchant's own programs use."""
    pages = 10  # enough to see what the service sends now
    return [
        billing.accounts.list(limit=100, max_pages=pages),
        billing.subscriptions.list(limit=100, max_pages=pages),
        billing.transactions.list(limit=100, max_pages=pages),
        billing.campaigns.list(limit=100, max_pages=pages),
        billing.products.list(limit=100, max_pages=pages),
        billing.billing_plans.list(limit=100, max_pages=pages),
        billing.event_summaries.list(limit=100, max_pages=pages),
    ]


def look(drift: DriftDetector) -> None:
    """Read everything; the observer looks at it."""
    sandbox = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
    with BillingClient(environment="sandbox" if sandbox else None, observers=[drift]) as billing:
        for pager in lists(billing):
            for _ in pager:
                pass
    with UserMgmtClient(environment="sandbox" if sandbox else None, observers=[drift]) as user_mgmt:
        for _ in user_mgmt.accounts.list(max_pages=10):
            pass


def main() -> None:
    """Look, report, and fail when there is something new."""
    parser = argparse.ArgumentParser(description="Fail when the service sends something new.")
    parser.add_argument("--baseline", type=Path, default=Path("drift.json"), help="what was accepted")
    parser.add_argument("--accept", action="store_true", help="accept what is found now")
    options = parser.parse_args()
    baseline: Path = options.baseline
    drift = DriftDetector()
    try:
        look(drift)
    except SubscribekitError as error:
        sys.exit(f"The job could not read everything: {error}")
    if drift.results == 0:
        sys.exit("The job read nothing, so it says nothing.")
    print(drift)
    if options.accept:
        baseline.write_text(drift.to_json(), encoding="utf-8")
        print(f"Accepted in {baseline}.")
        return
    try:
        drift.check(baseline.read_text(encoding="utf-8") if baseline.exists() else None)
    except DriftError as error:
        sys.exit(f"New: {error}")
    print("Nothing new.")


if __name__ == "__main__":
    main()
