"""Writes the second half of the page of examples: the code of each file that its table names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
BEGIN = "## The code\n"
ROW = r"^\| `([\w.]+)` \|"
SECTION = """
### `{name}`
{before}
??? example "Show the code"

    ```python title="Real environment or sandbox: examples/{name}"
    --8<-- "{file}"
    ```
"""
BEFORE = {
    "billing_states.ipynb": """
The notebook lets five weeks pass in the sandbox, reads all subscriptions every third day, and counts them by billing
state:

![Subscriptions by billing state, every third day](assets/billing-states.svg)
"""
}
"""The text before the code of some."""


def page(path: Path) -> str:
    """Keep what was written by hand, and write the rest anew, in the order of the table."""
    head = path.read_text(encoding="utf-8").partition(BEGIN)[0]
    head = re.sub(ROW, lambda row: f"| [`{row[1]}`](#{row[1].replace('.', '')}) |", head, flags=re.MULTILINE)
    names = re.findall(r"^\| \[`([\w.]+)`\]", head, re.MULTILINE)
    return (
        head
        + BEGIN
        + "".join(SECTION.format(name=name, before=BEFORE.get(name, ""), file=_file(EXAMPLES / name)) for name in names)
    )


def notebooks(folder: Path) -> Iterator[tuple[Path, str]]:
    """Give the code of each notebook as its own file."""
    for notebook in sorted(EXAMPLES.glob("*.ipynb")):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield folder / f"{notebook.stem}.txt", "\n\n".join(code) + "\n"


def _file(example: Path) -> str:
    return f"docs/assets/{example.stem}.txt" if example.suffix == ".ipynb" else f"examples/{example.name}"
