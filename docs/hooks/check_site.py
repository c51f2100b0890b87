"""Check that the search of a built site finds each operation by its name, and that no page is too large.

python docs/hooks/check_site.py SITE
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LARGEST = 200_000
"""The largest size of a page in bytes."""
CALL = re.compile(r"`([^`]+)`<br>")
"""A call in the table of all operations."""


def without_title(site: Path, operations: str) -> list[str]:
    """Return the operations whose name isn't in any title of the search index."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = [entry["title"] for entry in index["docs"]]
    return [name for name in CALL.findall(operations) if not any(title.endswith(f"({name})") for title in titles)]


def too_large(site: Path) -> list[str]:
    """Return the pages that are larger than the limit."""
    return [path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.stat().st_size > LARGEST]


def findings(site: Path, operations: str) -> Iterator[str]:
    """Yield a line for each problem."""
    for name in without_title(site, operations):
        yield f"{name} has no title, so the search does not find it"
    for page in too_large(site):
        yield f"{page} is larger than {LARGEST:,} bytes"


if __name__ == "__main__":
    page = Path(__file__).parents[1] / "reference" / "operations.md"
    sys.exit("\n".join(findings(Path(sys.argv[1]), page.read_text(encoding="utf-8"))) or 0)
