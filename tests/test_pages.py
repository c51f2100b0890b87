"""The generated pages match the code, and every operation has an example."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

from descriptions import described, families, methods
from kit.calls import Group
from looped import looped
from pages import written
from pages.coverage import rows
from pages.examples import FAMILIES, Example, Family
from pages.models import BILLING, IN_BILLING, PAGES
from pages.operations import file_of
from subscribekit.models._names import MODULE_OF


@cache
def files() -> dict[Path, str]:
    """Return the text of every generated page. The first test generates them, which takes a second or two."""
    return dict(written.everything())


EXAMPLES = [(family, example) for family in FAMILIES for example in family.examples]


def test_each_generated_page_is_up_to_date() -> None:
    outdated = [path.name for path, text in files().items() if path.read_text(encoding="utf-8") != text]
    assert not outdated, "outdated pages; generate them with: PYTHONPATH=tests:. python -m pages"


def test_every_operation_has_an_example_and_every_example_an_operation() -> None:
    known = {(row.group, row.family, row.name.rpartition(".")[2]) for row in rows()}
    assert {(family.group, family.name, example.method) for family, example in EXAMPLES} == known
    assert len(EXAMPLES) == len(known)


@looped(("family", "example"), EXAMPLES)
def test_an_example_is_short_and_makes_its_call(family: Family, example: Example) -> None:
    ast.parse(example.code)
    lines = example.code.splitlines()
    assert len(lines) <= 3
    assert max(map(len, lines)) <= 110
    assert f".{example.method}(" in example.code


METHODS = [
    (group, f"{family}.{name}", method) for group, family, kind in families() for name, method in methods(kind).items()
]


@looped(("group", "name", "method"), METHODS)
def test_a_docstring_has_everything_that_a_reader_needs(group: Group, name: str, method: Any) -> None:
    """Checks for the arguments, the errors, the source of the operation, and the advice about an unknown outcome."""
    text = inspect.cleandoc(method.__doc__)
    for argument in list(inspect.signature(method).parameters)[1:]:
        assert re.search(rf"^    {argument}: \S", text, re.MULTILINE), argument
    assert "Raises:\n" in text
    source = described(group, name).source
    assert f"({source.mark})" in text.partition("\n")[0] if source.mark else source.sentence in " ".join(text.split())
    unknown = text.partition("OutcomeUnknownError: ")[2]
    assert not unknown or described(group, name).rule is None or "client.resolve(error)" in unknown


@looped("family", FAMILIES)
def test_the_response_of_a_list_shows_an_item(family: Family) -> None:
    """The empty page after the last one isn't a useful example."""
    page = files()[written.DOCS / "reference" / file_of(family)]
    assert '"data": [],\n      "total_count"' not in page
    assert not re.search(r"GET /\S+starting_after=", page)


def test_headings_are_in_words_and_unique() -> None:
    for family in FAMILIES:
        titles = [example.title for example in family.examples]
        assert len(set(titles)) == len(titles)
        for example in family.examples:
            assert len(example.title.split()) >= 2
            assert not re.search(r"[._`]", example.title)


def test_every_model_is_on_one_page() -> None:
    shown = [module for _, modules in PAGES.values() for module in modules]
    assert len(set(shown)) == len(shown)
    public = {module for module in MODULE_OF.values() if not module.startswith("_")} - {"enumerations", *IN_BILLING}
    assert public | set(BILLING) <= set(shown)
    named = {name for name, module in MODULE_OF.items() if module in IN_BILLING}
    assert named == {name for names in BILLING.values() for name in names}


def test_the_main_model_of_a_page_comes_first() -> None:
    for name, (_, modules) in PAGES.items():
        page = files()[written.DOCS / "reference" / "models" / f"{name}.md"]
        first = re.search(r"^      heading: (\w+)$", page, re.MULTILINE)
        assert first is not None
        if modules[0] in BILLING:
            assert first[1] == BILLING[modules[0]][0], name
        else:
            assert MODULE_OF[first[1]] == modules[0], name


def test_every_example_has_its_page() -> None:
    pages = written.DOCS / "examples"
    for example in (written.ROOT / "examples").glob("*.py"):
        assert f'--8<-- "examples/{example.name}"' in (pages / f"{example.stem}.md").read_text(encoding="utf-8")
    for notebook in (written.ROOT / "examples").glob("*.ipynb"):
        page = (pages / f"{notebook.stem}.md").read_text(encoding="utf-8")
        assert f'--8<-- "docs/assets/{notebook.stem}.txt"' in page


def test_the_filter_finds_words_in_any_order() -> None:
    """The rows of the index contain the words that readers search for."""
    index = files()[written.DOCS / "reference" / "operations.md"].lower()
    for words in (("cancel", "subscription"), ("refund",), ("email", "account"), ("card", "payment")):
        assert any(all(word in line for word in words) for line in index.splitlines() if line.startswith("| ["))
