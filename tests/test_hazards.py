"""`docs/hazards.md` lists each hazard that the code, the tests, and the docs name, with a test that names it, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from looped import looped

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "hazards.md"
THIS = Path(__file__)
ROW = re.compile(r"^\| (H\d{2,3}) \| ([^|]+[.]) \| (`[^|]*`) \|$", re.MULTILINE)
HAZARD = re.compile(r"\bH\d{2,3}\b")
OPERATION = re.compile(r"\bE\d{1,2}\b")
ELSEWHERE = re.compile(r"\bdesign(?:'s)? section|\(design|\bissue \d|\bF\d{1,2}\b")
"""References to documents that readers don't have."""


def files() -> Iterator[Path]:
    for folder in ("src", "tests", "docs", "examples"):
        yield from (each for each in sorted((ROOT / folder).rglob("*")) if each.suffix in {".py", ".md"})
    yield from (ROOT / name for name in ("README.md", "pyproject.toml"))


TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files() if path != THIS}
ROWS = ROW.findall(TEXTS["docs/hazards.md"])


def test_each_hazard_has_one_row_and_each_row_is_used() -> None:
    used = {number for name, text in TEXTS.items() if name != "docs/hazards.md" for number in HAZARD.findall(text)}
    assert len(used) > 80
    assert sorted(number for number, _, _ in ROWS) == sorted(used)


def test_every_line_of_the_tables_is_a_row() -> None:
    assert len(re.findall(r"^\| *H\d", TEXTS["docs/hazards.md"], re.MULTILINE)) == len(ROWS)


@looped(("number", "held_by"), [(number, held_by) for number, _, held_by in ROWS])
def test_each_row_has_its_tests(number: str, held_by: str) -> None:
    names = re.findall(r"`([^`]*)`", held_by)
    assert held_by == ", ".join(f"`{name}`" for name in names)
    for name in names:
        assert re.fullmatch(r"tests/(?:\w+/)*test_\w+\.py", name)
        assert number in HAZARD.findall(TEXTS[name]), f"{name} does not name {number}"


def test_each_operation_that_a_text_names_is_on_the_coverage_page() -> None:
    known = set(re.findall(r"\| (E\d+) \|", TEXTS["docs/coverage.md"]))
    named = {number for text in TEXTS.values() for number in OPERATION.findall(text)}
    assert named == known == {f"E{number}" for number in range(1, 12)}


def test_no_reference_leads_out_of_the_repository() -> None:
    assert {name: found for name, text in TEXTS.items() if (found := ELSEWHERE.findall(text))} == {}
