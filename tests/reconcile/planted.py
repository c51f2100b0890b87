"""A sandbox with many subscriptions, a merchant's table with planted differences, and a program that compares them.

The benchmark `tests/benchmarks/differences.py` starts the program, and kills it. The program prints the differences as
JSON:

    python tests/reconcile/planted.py URL FILE ROWS
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from subscribekit import BillingClient
from subscribekit.reconcile import Reconciliation
from subscribekit.sandbox import Sandbox

FIELDS = {"status": "state", "currency": "currency", "next_billing.amount": "amount"}
KINDS = ("local_only", "remote_only", "differs", "changed")


class Planted:
    """The service's subscriptions and the merchant's rows.

    Args:
        count: The number of the service's subscriptions.
        differences: The number of keys that differ, a quarter of each kind. `change` removes the last kind.
    """

    def __init__(self, count: int, differences: int) -> None:
        self.sandbox = Sandbox()
        store = self.sandbox.service.store
        for old in list(store["subscriptions"]):
            store["subscriptions"].remove(str(old["vid"]))
        for n in range(count):
            store.add(
                "subscriptions",
                {
                    "id": f"s-{n:07d}",
                    "status": "Active",
                    "currency": "USD",
                    "starts": "2025-02-10T09:00:00Z",
                    "items": [],
                    "next_billing": {"object": "Transaction", "amount": "9.99"},
                },
            )
        self._chance = random.Random(7)
        keys = self._chance.sample(range(count), differences)
        quarter = differences // len(KINDS)
        self.keys = {kind: keys[i * quarter : (i + 1) * quarter] for i, kind in enumerate(KINDS)}
        self._left = [f"s-{n:07d}" for n in self.keys["changed"]]
        self.count = count

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the merchant's rows."""
        kinds = {n: kind for kind, numbers in self.keys.items() for n in numbers}
        for n in range(self.count):
            row = {"id": f"s-{n:07d}", "state": "Active", "currency": "USD", "amount": "9.99"}
            kind = kinds.get(n)
            if kind == "remote_only":
                continue
            if kind == "differs":
                row |= {"amount": "9.90"} if n % 2 else {"state": "Cancelled"}
            if kind == "changed":
                row["state"] = "Processing"
            yield row
        for n in self.keys["local_only"]:
            yield {"id": f"x-{n:07d}", "state": "Active", "currency": "USD", "amount": "9.99"}

    def write(self, file: Path) -> None:
        """Write the rows to a file."""
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in self.rows())

    def change(self, at_most: int) -> None:
        """Change up to `at_most` subscriptions to the values that the merchant's rows already have."""
        store = self.sandbox.service.store["subscriptions"]
        for _ in range(min(at_most, len(self._left))):
            found = store.find(self._left.pop())
            assert found is not None
            found["status"] = "Processing"

    def expected(self) -> list[list[str]]:
        """Return the expected differences, sorted."""
        found = [["local_only", f"x-{n:07d}"] for n in self.keys["local_only"]]
        found += [["remote_only", f"s-{n:07d}"] for n in self.keys["remote_only"]]
        found += [["differs", f"s-{n:07d}"] for n in self.keys["differs"]]
        return sorted(found)


def compare(url: str, file: str, rows: str) -> None:
    """Read and compare, and print the differences as JSON."""
    billing = BillingClient(
        base_url=url,
        api_user="sandbox-merchant",
        api_key="sandbox-key",
        allow_insecure_loopback=True,
        read_only=True,
    )
    with billing, Reconciliation(file, billing.subscriptions.list(limit=100), key="id", fields=FIELDS) as check:
        check.read()
        with Path(rows).open(encoding="utf-8") as lines:
            check.compare(map(json.loads, lines))
        found = sorted([each.kind, each.key] for each in check.differences())
        counts = check.counts()
    print(json.dumps([found, counts.equal, counts.changed_meanwhile]))


if __name__ == "__main__":
    compare(*sys.argv[1:])
