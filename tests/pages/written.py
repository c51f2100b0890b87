"""Everything that is made from the code: where it stands, and what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from billing import coverage_page

from . import models, operations
from .matrix import matrix
from .pictures import pictures

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def everything() -> Iterator[tuple[Path, str]]:
    """Give each file with its text."""
    yield coverage_page.PAGE, coverage_page.render()
    for name, text in (*operations.pages(), *models.pages()):
        yield DOCS / "reference" / name, text
    yield DOCS / "assets" / "retry-matrix.html", matrix()
    for picture in pictures():
        yield DOCS / "assets" / f"{picture.name}.svg", str(picture)
    yield DOCS / "assets" / "billing-states.txt", _cells(ROOT / "examples" / "billing_states.ipynb")


def _cells(notebook: Path) -> str:
    """Give the code of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"
