"""Export all accounts to a CSV file, with a bar of progress, and go on where an earlier run stopped.

    pip install tqdm
    python examples/export_accounts.py accounts.csv

runs against the sandbox inside the package, and against a real environment with `SUBSCRIBEKIT_ENVIRONMENT` set. It only
reads. Stop it at any time, or let the network do it: the next run goes on after the last whole page, and no row is lost
or written twice.
"""

import argparse
import csv
import json
import os
import sys
from pathlib import Path

from tqdm import tqdm

from subscribekit import BillingClient
from subscribekit.errors import SubscribekitError
from subscribekit.models import Account

COLUMNS = ("id", "vid", "created", "email", "name", "default_currency", "country", "payment_methods")


def row(account: Account) -> list[object]:
    """Give the columns of an account."""
    address, methods = account.shipping_address, account.payment_methods
    return [
        account.id,
        account.vid,
        account.created.isoformat() if account.created else None,
        account.email,
        account.name,
        account.default_currency,
        address.country if address else None,
        len(methods) if methods is not None else 0,
    ]


class Progress:
    """Where the export stands: kept beside the output until it is complete."""

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(output.name + ".progress")
        self.checkpoint: str | None = None
        self.rows = self.size = 0
        if self.path.exists() and output.exists():
            kept = json.loads(self.path.read_text())
            self.checkpoint, self.rows, self.size = kept["checkpoint"], kept["rows"], kept["size"]

    def keep(self, checkpoint: str, rows: int, size: int) -> None:
        """Keep the state, replacing the earlier one in a single step."""
        self.checkpoint, self.rows, self.size = checkpoint, self.rows + rows, size
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.write_text(json.dumps({"checkpoint": checkpoint, "rows": self.rows, "size": size}))
        fresh.replace(self.path)


def export(client: BillingClient, output: Path, page_size: int) -> int:
    """Write the accounts page by page; the rows reach the file before the checkpoint says so."""
    progress = Progress(output)
    if progress.checkpoint is not None:
        print(f"Going on after {progress.rows} accounts.")
    accounts = client.accounts.list(limit=page_size, checkpoint=progress.checkpoint, prefetch=True)
    with (
        output.open("r+" if progress.checkpoint is not None else "w", newline="", encoding="utf-8") as file,
        tqdm(desc="Accounts", initial=progress.rows, unit="", disable=None) as bar,  # shown on a terminal only
    ):
        file.truncate(progress.size)  # rows that were written after the checkpoint come again
        file.seek(progress.size)
        writer = csv.writer(file)
        if progress.checkpoint is None:
            writer.writerow(COLUMNS)
        for page in accounts.pages():
            if not page.data:
                continue  # the service ends a list with an empty page
            writer.writerows(row(account) for account in page.data)
            file.flush()
            os.fsync(file.fileno())
            progress.keep(accounts.checkpoint, len(page.data), output.stat().st_size)
            bar.total = page.total_count
            bar.update(len(page.data))
    progress.path.unlink(missing_ok=True)
    return progress.rows


def main() -> None:
    """Export, and say how to go on when it fails."""
    parser = argparse.ArgumentParser(description="Export all accounts to a CSV file.")
    parser.add_argument("output", type=Path, nargs="?", default=Path("accounts.csv"))
    parser.add_argument("--page-size", type=int, default=10, help="1 to 100")
    options = parser.parse_args()
    sandbox = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
    with BillingClient(environment="sandbox" if sandbox else None) as client:
        try:
            rows = export(client, options.output, options.page_size)
        except SubscribekitError as error:
            sys.exit(f"Stopped: {error}\nRun it again to go on.")
    print(f"{options.output} holds {rows} accounts.")


if __name__ == "__main__":
    main()
