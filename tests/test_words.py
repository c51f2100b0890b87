"""Texts stay plain: the words that were edited out do not come back."""

from __future__ import annotations

import runpy
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

ROOT = Path(__file__).parent.parent
WORDS = runpy.run_path(str(ROOT / "scripts" / "words.py"))
OCCURRENCES = 260
"""The most that all pages, docstrings, comments and texts may hold; 1,719 before they were edited."""


def test_the_words_that_were_edited_out_stay_out() -> None:
    """`python scripts/words.py --where` prints each occurrence."""
    counted = cast("Callable[[], dict[str, Counter[str]]]", WORDS["counted"])()
    assert sum(counted.values(), Counter[str]()).total() <= OCCURRENCES


def test_the_count_finds_words_in_prose_and_leaves_code_alone(tmp_path: Path) -> None:
    occurrences = cast("Callable[[Path], Iterator[tuple[int, str, str]]]", WORDS["occurrences"])
    page, module = tmp_path / "page.md", tmp_path / "module.py"
    page.write_text("What it returns is nobody's.\n\n```python\nanswer = 1  # nobody\n```\nThe `answer` is told.\n")
    module.write_text('"""The answer stands here."""\n\nanswer = "who"  # somebody\n')
    assert [word for _, word, _ in occurrences(page)] == ["what ... as a subject", "nobody", "is told"]
    assert [word for _, word, _ in occurrences(module)] == ["stands", "answer", "somebody"]
