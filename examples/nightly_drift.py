"""Run a nightly job that fails if the service sends fields or values that the SDK doesn't know.

    python examples/nightly_drift.py

The job reads the lists of a merchant once, and sends only reads. By default, it uses the sandbox inside the package. To
use a real environment, such as staging, set `SUBSCRIBEKIT_ENVIRONMENT`. If the job fails, check the table of findings,
and update the SDK or report the findings to its authors. Then accept the findings that you checked:

    python examples/nightly_drift.py --accept

This command writes the findings to `drift.json`. Keep that file next to the job, under version control. After that, the
job fails only if there are findings that aren't in the file. The report contains names and counts, and no data of
customers.
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
    """Return the lists to read, which should be the lists that the merchant's own programs use."""
    pages = 10  # enough to see which fields the service sends
    return [
        billing.accounts.list(limit=100, max_pages=pages),
        billing.subscriptions.list(limit=100, max_pages=pages),
        billing.transactions.list(limit=100, max_pages=pages),
        billing.campaigns.list(limit=100, max_pages=pages),
        billing.products.list(limit=100, max_pages=pages),
        billing.billing_plans.list(limit=100, max_pages=pages),
        billing.event_summaries.list(limit=100, max_pages=pages),
    ]


def read_all(drift: DriftDetector) -> None:
    """Read all lists. The observer checks each result."""
    sandbox = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
    with BillingClient(environment="sandbox" if sandbox else None, observers=[drift]) as billing:
        for pager in lists(billing):
            for _ in pager:
                pass
    with UserMgmtClient(environment="sandbox" if sandbox else None, observers=[drift]) as user_mgmt:
        for _ in user_mgmt.accounts.list(max_pages=10):
            pass


def main() -> None:
    """Read the lists, print the findings, and fail if there are new ones."""
    parser = argparse.ArgumentParser(description="Fail if the service sends fields or values that are new to the SDK.")
    parser.add_argument("--baseline", type=Path, default=Path("drift.json"), help="File of accepted findings.")
    parser.add_argument("--accept", action="store_true", help="Write the findings to the file, which accepts them.")
    options = parser.parse_args()
    baseline: Path = options.baseline
    drift = DriftDetector()
    try:
        read_all(drift)
    except SubscribekitError as error:
        sys.exit(f"The job couldn't read all lists: {error}")
    if drift.results == 0:
        sys.exit("All lists are empty, so the job checked nothing.")
    print(drift)
    if options.accept:
        baseline.write_text(drift.to_json(), encoding="utf-8")
        print(f"Wrote the accepted findings to {baseline}.")
        return
    try:
        drift.check(baseline.read_text(encoding="utf-8") if baseline.exists() else None)
    except DriftError as error:
        sys.exit(f"New findings: {error}")
    print("No new findings.")


if __name__ == "__main__":
    main()
