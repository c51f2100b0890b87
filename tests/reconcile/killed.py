"""A process that reads and compares, for tests that kill it: python killed.py URL FILE COUNT."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from subscribekit import BillingClient
from subscribekit.reconcile import Reconciliation


def main(url: str, file: str, count: int) -> None:
    """Read, compare with rows of which the first ten are missing, and print the differences."""
    billing = BillingClient(base_url=url, allow_insecure_loopback=True, api_user="u", api_key="k")
    rows = ({"id": f"a{n:07d}", "currency": "USD" if n % 100 == 99 else "EUR"} for n in range(10, count))
    fields = {"default_currency": "currency"}
    with billing, Reconciliation(file, billing.accounts.list(limit=20), key="id", fields=fields) as check:
        check.read()
        check.compare(rows)
        found = sorted((each.kind, each.key) for each in check.differences())
        print(len(found), check.counts())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
