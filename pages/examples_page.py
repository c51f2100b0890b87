"""Writes a page for each example that the table of examples names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
ROW = re.compile(r"^\| \[`([\w.]+)`\]\(examples/\w+\.md\) \| (.*) \| (.*) \|$", re.MULTILINE)
PAGE = """\
# {name}

{shows}

{real}

For more programs, see [Examples](../examples.md).
{before}
<!-- fmt: off -->

```python title="Real environment or sandbox: examples/{name}"
--8<-- "{file}"
```
"""
BEFORE = {
    "billing_states.ipynb": """
The notebook advances the sandbox by five weeks, reads all subscriptions every third day, and counts them by billing
state:

![Subscriptions by billing state, every third day](../assets/billing-states.svg)
"""
}
"""The text before the code of some examples."""


def pages(index: Path) -> Iterator[tuple[str, str]]:
    """Return the page of each example with its name, in the order of the table."""
    for name, shows, real in ROW.findall(index.read_text(encoding="utf-8")):
        text = PAGE.format(
            name=name,
            shows=_sentence(shows),
            real=_effect(_sentence(real)),
            before=BEFORE.get(name, ""),
            file=_file(EXAMPLES / name),
        )
        yield f"{Path(name).stem}.md", text


def notebooks(folder: Path) -> Iterator[tuple[Path, str]]:
    """Return the code of each notebook as its own file."""
    for notebook in sorted(EXAMPLES.glob("*.ipynb")):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield folder / f"{notebook.stem}.txt", "\n\n".join(code) + "\n"


def _sentence(cell: str) -> str:
    return cell if cell.endswith(".") else f"{cell}."


def _effect(cell: str) -> str:
    """Return a cell about real environments with its subject, because a page has no table."""
    if cell.startswith("To "):
        return cell
    if cell == "Uses only the sandbox.":
        return "This program uses only the sandbox, and never connects to a real environment."
    return f"In a real environment, this program {cell[0].lower()}{cell[1:]}"


def _file(example: Path) -> str:
    return f"docs/assets/{example.stem}.txt" if example.suffix == ".ipynb" else f"examples/{example.name}"
