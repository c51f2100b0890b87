"""Check a built site: the search finds each operation by its name, and no page is large.

python docs/hooks/check_site.py SITE
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LARGEST = 200_000
"""Bytes of a page."""
CALL = re.compile(r"`([^`]+)`<br>")
"""A call in the table of all operations."""


def without_title(site: Path, operations: str) -> list[str]:
    """List the operations whose name is in no title that the search knows."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = [entry["title"] for entry in index["docs"]]
    return [name for name in CALL.findall(operations) if not any(title.endswith(f"({name})") for title in titles)]


def too_large(site: Path) -> list[str]:
    """List the pages above the limit."""
    return [path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.stat().st_size > LARGEST]


def findings(site: Path, operations: str) -> Iterator[str]:
    """Give a line for each finding."""
    for name in without_title(site, operations):
        yield f"{name} has no title, so the search does not find it"
    for page in too_large(site):
        yield f"{page} is larger than {LARGEST:,} bytes"


if __name__ == "__main__":
    page = Path(__file__).parents[1] / "reference" / "operations.md"
    sys.exit("\n".join(findings(Path(sys.argv[1]), page.read_text(encoding="utf-8"))) or 0)
