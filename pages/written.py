"""Lists every generated file of the documentation, with its content."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pages import coverage as coverage_page

from . import assistants, examples_page, models, openapi, operations, responses
from .matrix import matrix
from .pictures import pictures

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def everything() -> Iterator[tuple[Path, str]]:
    """Yield the path and the content of each file."""
    yield coverage_page.PAGE, coverage_page.render()
    for name, text in (*operations.pages(), *models.pages()):
        yield DOCS / "reference" / name, text
    document = openapi.document()
    yield ROOT / "src" / "subscribekit" / "_docs" / "openapi.json", document
    yield DOCS / "openapi.json", document
    yield DOCS / "skill.md", assistants.skill()
    yield DOCS / "thirty-tasks.md", assistants.thirty()
    for folder in (ROOT / "src" / "subscribekit" / "_docs", DOCS):
        yield folder / "llms.txt", assistants.llms()
    yield DOCS / "assets" / "retry-matrix.html", matrix()
    for picture in pictures():
        yield DOCS / "assets" / f"{picture.name}.svg", str(picture)
    yield DOCS / "sandbox-assumptions.md", responses.page(DOCS / "sandbox-assumptions.md")
    for name, text in examples_page.pages(DOCS / "examples.md"):
        yield DOCS / "examples" / name, text
    yield from examples_page.notebooks(DOCS / "assets")
