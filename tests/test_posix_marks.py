"""A test that forks has the mark `posix`, so that it's skipped on Windows and in the step `windows`.

That step hides `os.register_at_fork` from the package. Without it, the package can't protect a forked child, and a test
that forks fails now and then.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def forks(node: ast.AST, helpers: frozenset[str] = frozenset()) -> bool:
    """Return whether the code calls `os.fork`, also as the text of a program, or calls one of the helpers."""
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and ast.unparse(each) == "os.fork":
            return True
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and "os.fork()" in each.value:
            return True
        if isinstance(each, ast.Name) and each.id in helpers:
            return True
    return False


def unmarked(text: str) -> list[str]:
    """Return the names of the tests of a module that fork and don't have the mark `posix`."""
    module = ast.parse(text)
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    helpers = frozenset(each.name for each in functions if forks(each) and not each.name.startswith("test_"))
    marks_module = any(
        isinstance(each, ast.Assign) and ast.unparse(each).startswith("pytestmark = pytest.mark.posix(")
        for each in module.body
    )
    return [
        each.name
        for each in functions
        if each.name.startswith("test_")
        and forks(each, helpers)
        and not marks_module
        and not any(ast.unparse(mark).startswith("pytest.mark.posix(") for mark in each.decorator_list)
    ]


def test_each_test_that_forks_has_the_mark() -> None:
    files = [path for path in sorted(TESTS.rglob("test_*.py")) if path != Path(__file__)]
    texts = {str(path.relative_to(TESTS)): path.read_text(encoding="utf-8") for path in files}
    found = {name: unmarked(text) for name, text in texts.items() if "os.fork" in text}
    assert found
    assert {name: tests for name, tests in found.items() if tests} == {}


@pytest.mark.parametrize(
    "body",
    ["child = os.fork()", "run('import os; os.fork()')", "forked(print)"],
    ids=["directly", "in a program", "through a helper"],
)
def test_a_fork_without_the_mark_is_found(body: str) -> None:
    helper = "def forked(work):\n    return os.fork()\n"
    test = f"def test_it():\n    {body}\n"
    assert unmarked(helper + test) == ["test_it"]
    assert unmarked(f"{helper}@pytest.mark.posix('there is no fork')\n{test}") == []
    assert unmarked(f"pytestmark = pytest.mark.posix('there is no fork')\n{helper}{test}") == []
