"""Every Python block of the README and the documentation runs, and prints the output that the page shows.

The blocks of one page run in order, in one namespace, with a new sandbox, and in an empty directory. If a `text`
block with the title "Output" follows, the block must print exactly that; `...` stands for any text. A block whose title
starts with "Real environment" is only compiled. pytest runs a block whose title is `test_*.py` if output follows.
"""

import ast
import asyncio
import contextlib
import inspect
import io
import itertools
import logging
import os
import re
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import CodeType

import pytest

from code_blocks import DOCS, PAGES, ROOT, WITH_CODE, Block, blocks, name
from descriptions import families
from looped import looped
from pages.models import IN_BILLING
from subscribekit import sandbox
from subscribekit.models._names import MODULE_OF

LANGUAGES = {"python", "text", "bash", "json", "toml", "yaml", "ini"}
WIDEST = 110
"""The number of columns of code that a page shows without scrolling."""
OPTIONAL = {
    "aiohttp", "duckdb", "fastapi", "httpx_aiohttp", "matplotlib", "opentelemetry", "polars", "pyarrow", "respx",
    "uvicorn",
    "pyrate_limiter", "sqlalchemy",
    "tqdm",
}  # fmt: skip
"""Optional libraries that a block may import. If one of them isn't installed, the test is skipped."""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Reset the variables, the sandbox, the directory, and the logger, as for a reader who starts with this page."""
    for variable in os.environ:
        if variable.startswith("SUBSCRIBEKIT_"):
            monkeypatch.delenv(variable)
    monkeypatch.setattr(sandbox.platform._Default, "platform", None)
    monkeypatch.chdir(tmp_path)
    logger = logging.getLogger("subscribekit")
    before, level = (list(logger.handlers), logger.propagate), logger.level
    yield
    logger.handlers, logger.propagate = before
    logger.setLevel(level)  # an assignment would keep the cache of enabled levels


@pytest.mark.parametrize("page", WITH_CODE, ids=name)
@pytest.mark.usefixtures("fresh")
def test_blocks_run(page: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__page__"}
    sequence = blocks(page)
    for block, following in zip(sequence, [*sequence[1:], None], strict=True):
        if block.language != "python":
            continue
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if page.name == "try-it.md" else 0  # as in a browser
        code = compile("\n" * block.line + block.code, name(page), "exec", flags)
        if not block.runs:
            continue
        shows_output = following is not None and following.title == "Output"
        printed = run_by_pytest(block) if block.title.startswith("test_") and shows_output else run(code, namespace)
        if following is not None and shows_output:
            expected = following.code.strip()
            assert matches(expected, printed.strip()), f"{name(page)}:{block.line}\n{printed}"
    for value in namespace.values():  # closed with the process of a reader; here, Python 3.13 would warn
        if isinstance(database := getattr(value, "_database", None), sqlite3.Connection):
            database.close()


def run(code: CodeType, namespace: dict[str, object]) -> str:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(eval(code, namespace))
            else:
                exec(code, namespace)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in OPTIONAL:
            pytest.skip(f"{error.name} is not installed")
        raise
    return printed.getvalue()


def run_by_pytest(block: Block) -> str:
    """Run a block as a test file of its own, and return the last line of pytest's output."""
    Path(block.title).write_text(block.code, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", block.title]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip().rpartition("\n")[2]


def matches(expected: str, printed: str) -> bool:
    """Return whether the output is the expected one, in which `...` stands for any text."""
    pattern = ".*?".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


README = blocks(ROOT / "README.md")


@pytest.mark.parametrize(
    ("block", "expected"),
    [(block, after) for block, after in itertools.pairwise(README) if block.language == "python"],
    ids=lambda block: f"line {block.line}",
)
@pytest.mark.usefixtures("fresh")
def test_each_block_of_readme_is_a_whole_script(block: Block, expected: Block) -> None:
    assert expected.title == "Output"
    if block.title.startswith("test_"):
        printed = run_by_pytest(block)
    else:
        printed = run(compile(block.code, "README.md", "exec"), {"__name__": "__main__"})
    assert matches(expected.code.strip(), printed.strip()), printed


@looped("page", PAGES)
def test_fences_are_closed_and_known(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    ticks = re.findall(r"^ *`{3,}", text, re.MULTILINE)
    assert len(ticks) == 2 * len(blocks(page))
    assert {block.language for block in blocks(page)} <= LANGUAGES


@looped("page", PAGES)
def test_included_code_is_found(page: Path) -> None:
    """The formatter would change the line of an include, which looks like code, so pages turn it off there."""
    text = page.read_text(encoding="utf-8")
    assert "--8 <" not in text
    for file, _, section in re.findall(r'^ *--8<-- "([^":]+)(:?)(\w*)"$', text, re.MULTILINE):
        assert section in (ROOT / file).read_text(encoding="utf-8")


@looped("page", WITH_CODE)
def test_code_fits_a_wide_page(page: Path) -> None:
    """Longer lines scroll in their box."""
    code = [line for block in blocks(page) if block.language == "python" for line in block.code.splitlines()]
    assert [line for line in code if len(line) > WIDEST] == []


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        assert re.search(rf"[ :]{re.escape(page.relative_to(DOCS).as_posix())}$", navigation, re.MULTILINE), page


PROJECT_PAGES = {
    "architecture.md", "bulk-measured.md", "contributing.md", "coverage.md", "hazards.md", "performance.md",
    "sandbox-assumptions.md", "thirty-tasks.md",
}  # fmt: skip


def test_pages_for_maintainers_are_apart() -> None:
    """The section "Project" contains only these pages and the decisions."""
    decisions = {page.relative_to(DOCS).as_posix() for page in DOCS.glob("decisions/*.md")}
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2].partition("\n\n")[0]
    assert (
        set(re.findall(r"(\S+\.md)$", navigation.partition("\n  - Project:\n")[2], re.MULTILINE))
        == PROJECT_PAGES | decisions
    )


def referenced() -> set[str]:
    """Return the names that the reference pages are generated from."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").rglob("*.md"))
    return set(re.findall(r"^::: (\S+)", pages, re.MULTILINE))


def modules(package: str) -> set[str]:
    """Return the full names of the public modules of a package."""
    folder = ROOT.joinpath("src", *package.split("."))
    return {f"{package}.{path.stem}" for path in folder.glob("[a-z]*.py")}


def test_every_model_is_in_the_reference() -> None:
    names = {
        f"subscribekit.models.{module}.{name}"
        for name, module in MODULE_OF.items()
        if not module.startswith("_") and module != "enumerations"
    }
    assert len(names) > 90
    apart = {f"subscribekit.models.{module}" for module in IN_BILLING}
    assert names | (modules("subscribekit.models") - apart) <= referenced()


def test_every_resource_is_in_the_reference() -> None:
    names = {f"subscribekit.{group}.{kind.__name__}" for group, _, kind in families()}
    assert len(names) >= 15
    assert names <= referenced()


@pytest.mark.parametrize(
    "module",
    ["subscribekit", "subscribekit.errors", "subscribekit.filters", "subscribekit.hooks", "subscribekit.webhooks"],
)
def test_every_public_name_is_in_the_reference(module: str) -> None:
    public: list[str] = import_module(module).__all__
    names = {f"{module}.{name}" for name in public if name != "__version__"}
    assert module in referenced() or names <= referenced()


def test_files_that_the_architecture_page_names_exist() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    core = "src/subscribekit/_core/"
    folders = ("", "src/subscribekit/", core, f"{core}http/", f"{core}calls/")
    named = set(re.findall(r"`([\w/]+(?:/|\.py|\.md))`", page))
    assert len(named) > 40
    assert {name for name in named if not any((ROOT / folder / name).exists() for folder in folders)} == set()


def test_methods_that_pages_for_maintainers_name_exist() -> None:
    sources = [file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py")]
    pages = [DOCS / "architecture.md", DOCS / "contributing.md", *(DOCS / "decisions").glob("*.md")]
    named = {
        found for page in pages for found in re.findall(r"`(_?[A-Z][a-z]\w+)\.(\w+)`", page.read_text(encoding="utf-8"))
    }
    assert ("Call", "run") in named
    assert {(owner, name) for owner, name in named if not is_defined(owner, name, sources)} == set()


def is_defined(owner: str, name: str, sources: list[str]) -> bool:
    """Return whether a file defines the class and the name."""
    return any(
        re.search(rf"^class {owner}\b", text, re.MULTILINE)
        and re.search(rf"^    (?:async )?(?:def )?{name}\b", text, re.MULTILINE)
        for text in sources
    )


def test_examples_page_names_every_example() -> None:
    page = (DOCS / "examples.md").read_text(encoding="utf-8")
    for example in sorted((ROOT / "examples").iterdir()):
        if example.suffix in (".py", ".ipynb"):
            assert f"`{example.name}`" in page


def test_pages_load_nothing_from_elsewhere() -> None:
    for page in PAGES:
        assert not re.search(r"<(script|link|img|iframe)\b[^>]*https?://", page.read_text(encoding="utf-8")), page


def test_no_heading_of_the_reference_is_private() -> None:
    for page in (DOCS / "reference").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for heading, options in re.findall(r"^::: (\S+)\n((?: +.*\n)*)", text, re.MULTILINE):
            assert "._" not in heading or re.search(r"^ +heading: ", options, re.MULTILINE), (page, heading)
        assert not re.search(r"^\|---.*\n(?!\|)", text, re.MULTILINE), f"{page} has a table without rows"


def test_all_pages_install_alike() -> None:
    """Pages install from a checkout. Only the page about the installation shows the command for a registry."""
    for page in [*PAGES, *(ROOT / "examples").glob("*.py")]:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"pip install[^\n]*\bsubscribekit\b", text), page
        commands = re.findall(r"pip install ([^\n`]*)", text)
        extras = re.findall(r"\.\[(\w+)\]", " ".join(commands))
        assert set(extras) <= EXTRAS, page
    assert "subscribekit[server]" in (DOCS / "start.md").read_text(encoding="utf-8")


EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])

WARNING = "Do not send it again, even with another transaction ID, until the operator confirms that it was not made."


@pytest.mark.parametrize(
    "name",
    [
        "docs/guides/errors.md", "docs/guides/gateway.md", "docs/guides/retries.md",
        "docs/guides/unknown-outcomes.md", "src/subscribekit/errors.py",
        "src/subscribekit/_operations/gateway/entitlements.py",
        "src/subscribekit/_core/calls/outcomes/unknown_outcome.py",
        "examples/entitlement_charge.py",
    ],
)  # fmt: skip
def test_an_unknown_charge_has_one_piece_of_advice(name: str) -> None:
    text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    assert WARNING in text
    assert "under a new one" not in text


OTHER_ADVICE = re.compile(
    r"(?:not|never|instead) (?:with|under) (?:a|another) (?:new |other )?`?transaction[ _]id"
    r"|(?:again|repeat\w*|retry) (?:it )?(?:with|under) the same `?transaction[ _]id"
)
"""Advice about an unknown charge that contradicts the warning."""


def test_no_text_contradicts_the_warning_about_an_unknown_charge() -> None:
    assert OTHER_ADVICE.search("not with a new `transaction_id`")
    assert OTHER_ADVICE.search("send it again with the same transaction_id")
    folders = (DOCS.rglob("*.md"), (ROOT / "src").rglob("*.py"), (ROOT / "examples").iterdir())
    for page in [ROOT / "README.md", *(each for folder in folders for each in folder if each.is_file())]:
        text = " ".join(page.read_text(encoding="utf-8").split())
        assert [found[0] for found in OTHER_ADVICE.finditer(text)] == [], page


def test_first_pages_link_to_the_glossary() -> None:
    for page in ("start.md", "index.md", "tasks/index.md", "tasks/sign-up.md", "tasks/cancel.md", "tasks/refund.md"):
        assert "glossary.md)" in (DOCS / page).read_text(encoding="utf-8"), page


@pytest.mark.parametrize("word", ["undo", "reactivate", "resume"])
def test_a_search_finds_how_to_undo_a_cancellation(word: str) -> None:
    """Words in headings count most in the search of the site."""
    headings = re.findall(r"^#+ .*", (DOCS / "tasks" / "cancel.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert any(word in heading.lower() for heading in headings)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("tasks/bill-failed.md", "dunning"),
        ("tasks/change-plan.md", "proration"),
        ("tasks/charge.md", "void"),
        ("tasks/discount.md", "discount"),
        ("guides/retries.md", "idempotent"),
        ("guides/retries.md", "rate limit"),
    ],
)
def test_headings_contain_the_terms_of_other_platforms(page: str, words: str) -> None:
    headings = re.findall(r"^#+ .*", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert any(words in heading.lower() for heading in headings)


@pytest.mark.parametrize(
    "page", ["guides/money-and-time.md", "guides/gateway.md", "tasks/sign-up.md", "tasks/refund.md"]
)
def test_pages_state_the_unit_of_amounts(page: str) -> None:
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    assert re.search(r"units of the currency[^.]*, (?:and )?not in cents|Units, not cents", text)
