"""Export all accounts to Parquet files with a progress bar, and resume after an interruption.

    pip install '.[arrow]' tqdm
    python examples/export_parquet.py accounts

By default, the example uses the sandbox inside the package. To use a real environment, set `SUBSCRIBEKIT_ENVIRONMENT`.
The example sends only reads. The files in the folder are one table:

    polars.read_parquet("accounts/*.parquet")
    duckdb.sql("select default_currency, count(*) from 'accounts/*.parquet' group by all")

You can stop the export at any time, even with `kill -9`. A file appears only when it's complete, and contains the
checkpoint after its last account. The next run resumes from this checkpoint, so no account is lost or written twice. A
run in another environment is refused.

If you run the export again later, it adds new accounts. It doesn't read the existing accounts again, so their changes
are missing. To read all accounts, for example in a nightly job, pass a new folder:

    python examples/export_parquet.py "accounts-$(date +%F)"
"""

# pyarrow is only partly typed.
# pyright: basic

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

from subscribekit import BillingClient
from subscribekit.errors import InvalidArgumentError, SubscribekitError
from subscribekit.export import checkpoint_of, to_arrow

CHECKPOINT = b"checkpoint"


def files_of(folder: Path) -> list[Path]:
    """Return the files of the folder, in the order in which they were written."""
    return sorted(folder.glob("part-*.parquet"))


def write(table: pa.Table, file: Path) -> None:
    """Write a file that appears only when it's complete and stored on the disk."""
    unfinished = file.with_name(f".{file.name}.unfinished")
    with unfinished.open("wb") as opened:
        pq.write_table(table, opened)
        opened.flush()
        os.fsync(opened.fileno())
    unfinished.replace(file)


def in_groups(reader: pa.RecordBatchReader, size: int) -> Iterator[list[pa.RecordBatch]]:
    """Return the batches in groups of the given size."""
    while group := list(islice(reader, size)):
        yield group


def export(client: BillingClient, folder: Path, *, page_size: int, pages: int, include_personal: bool) -> int:
    """Write the new accounts, with the given number of pages in each file, and return the number of all accounts."""
    folder.mkdir(parents=True, exist_ok=True)
    written = files_of(folder)
    metadata = [pq.read_metadata(file) for file in written]
    rows = sum(each.num_rows for each in metadata)
    last = metadata[-1].metadata if metadata else None
    checkpoint = last[CHECKPOINT].decode() if last else None
    try:
        accounts = client.accounts.list(limit=page_size, checkpoint=checkpoint, prefetch=True)
    except InvalidArgumentError as error:  # for example, the checkpoint is from another environment
        sys.exit(f"Nothing was read: {error}." + (" To start over, pass a new folder." if checkpoint else ""))
    if written:
        print(
            f"Resuming after {rows} accounts. They aren't read again, so their changes are missing. To read all "
            f"accounts, pass a folder that doesn't exist yet."
        )
    reader = to_arrow(accounts, include_personal=include_personal)
    with tqdm(desc="Accounts", initial=rows, unit="", disable=None) as bar:  # shown only in a terminal
        for number, group in enumerate(in_groups(reader, pages), start=len(written)):
            table = pa.Table.from_batches(group, schema=reader.schema)
            if table.num_rows:  # the service ends a list with an empty page
                table = table.replace_schema_metadata({CHECKPOINT: checkpoint_of(group[-1]).encode()})
                write(table, folder / f"part-{number:05d}.parquet")
            rows += table.num_rows
            bar.total = accounts.total_count()  # known after the first page
            bar.update(table.num_rows)
    return rows


def main() -> None:
    """Export the accounts, and print how to resume after a failure."""
    parser = argparse.ArgumentParser(description="Export all accounts to Parquet files.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("accounts"), help="Folder for the files.")
    parser.add_argument("--page-size", type=int, default=10, help="Accounts in a page, from 1 to 100.")
    parser.add_argument("--pages", type=int, default=1, help="Pages in a file. For a real merchant, use 100.")
    parser.add_argument("--include-personal", action="store_true", help="Also export names, addresses, and metadata.")
    options = parser.parse_args()
    if options.pages < 1:
        parser.error("--pages must be at least 1")
    sandbox = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
    with BillingClient(environment="sandbox" if sandbox else None) as client:
        try:
            rows = export(
                client,
                options.folder,
                page_size=options.page_size,
                pages=options.pages,
                include_personal=options.include_personal,
            )
        except SubscribekitError as error:
            sys.exit(f"Stopped: {error}\nTo resume, run the same command again.")
    print(f"{options.folder} contains {rows} accounts in {len(files_of(options.folder))} files.")


if __name__ == "__main__":
    main()
