"""The gate checks the built site: the search finds each operation by its name, and no page is large."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

DOCS = Path(__file__).parents[1] / "docs"
OPERATIONS = (DOCS / "reference" / "operations.md").read_text(encoding="utf-8")
CHECK = runpy.run_path(str(DOCS / "hooks" / "check_site.py"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a site whose search knows every operation."""
    (tmp_path / "search").mkdir()
    names = CHECK["CALL"].findall(OPERATIONS)
    assert len(names) == 82
    write_index(tmp_path, [f"Do something ({name})" for name in names])
    return tmp_path


def write_index(site: Path, titles: list[str]) -> None:
    index = {"docs": [{"title": title} for title in titles]}
    (site / "search" / "search_index.json").write_text(json.dumps(index), encoding="utf-8")


def findings(site: Path) -> list[str]:
    return list(cast("Callable[[Path, str], Iterator[str]]", CHECK["findings"])(site, OPERATIONS))


def test_a_site_that_knows_every_operation_passes(site: Path) -> None:
    assert findings(site) == []


def test_an_operation_without_a_title_of_its_own_is_found(site: Path) -> None:
    write_index(site, ["Subscriptions", "Sign up a customer (billing.subscriptions.create)"])
    found = findings(site)
    assert len(found) == 81
    assert not any("billing.subscriptions.create " in line for line in found)
    assert any(line.startswith("billing.resource(name, model).create has no title") for line in found)


def test_a_large_page_is_found(site: Path) -> None:
    for name, size in (("small", 200_000), ("large", 200_001)):
        (site / "reference").mkdir(exist_ok=True)
        (site / "reference" / f"{name}.html").write_bytes(b"x" * size)
    assert findings(site) == ["reference/large.html is larger than 200,000 bytes"]


def test_the_pages_give_each_operation_its_title() -> None:
    """The built index repeats the headings of the pages."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").rglob("*.md"))
    for name in CHECK["CALL"].findall(OPERATIONS):
        assert f'({name})"\n' in pages


def test_the_gate_checks_the_site() -> None:
    assert 'docs/hooks/check_site.py "$work/site"' in (DOCS.parent / ".ci" / "run").read_text(encoding="utf-8")
