"""The page "Try it" has its files or isn't offered, and its code runs without threads and sockets, as in a browser."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

from subscribekit import sandbox

DOCS = Path(__file__).parents[1] / "docs"
CELLS = re.findall(
    r"```python\n(.*?)```\s+</div>\s+```text title=\"Output\"\n(.*?)```",
    (DOCS / "try-it.md").read_text(encoding="utf-8"),
    re.DOTALL,
)
AS_IN_A_BROWSER = """
import ast, asyncio, inspect, socket, threading

def refuse(*arguments, **more):
    raise RuntimeError("a browser has none of these")

threading.Thread.start = socket.socket.connect = refuse
code = compile({cell!r}, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
if code.co_flags & inspect.CO_COROUTINE:
    asyncio.run(eval(code))
else:
    exec(code)
"""


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("try_it", DOCS / "hooks" / "try_it.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("cell", "printed"), CELLS, ids=["blocking", "async"])
def test_a_cell_needs_neither_threads_nor_sockets(cell: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", AS_IN_A_BROWSER.format(cell=cell)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == printed


def test_a_second_run_sees_the_effects_of_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.platform._Default, "platform", None)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for _ in range(2):
            exec(CELLS[0][0], {})
    assert printed.getvalue() == CELLS[0][1] + CELLS[0][1].replace("19.99 Success", "19.99 Failure")


def test_the_requirements_are_those_of_the_package_without_extras(script: ModuleType) -> None:
    names = {each.partition("==")[0] for each in script.pinned()}
    assert {"httpx", "pydantic", "tenacity", "jiter", "httpcore", "h11", "certifi", "anyio", "idna"} <= names
    assert not names & {"aiohttp", "pyarrow", "sqlalchemy", "typer", "mkdocs"}
    assert "httptools" not in names  # it isn't available in a browser
    compiled = f"pydantic=={version('pydantic')}"
    assert compiled in script.pinned()


def test_a_site_stays_unchanged_if_a_requirement_is_missing(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert script.main(tmp_path) is False
    assert list(tmp_path.iterdir()) == []
    assert 'The page "Try it" will not run in this site. It needs Pyodide: there is no npm' in capsys.readouterr().out


def test_the_exit_code_distinguishes_a_missing_requirement_from_a_failure(script: ModuleType, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(DOCS / "hooks" / "try_it.py"), str(tmp_path)],
        env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == script.NOT_HERE == 3
    gate = (DOCS.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert "docs/hooks/try_it.py" in gate
    assert "docs/hooks/check_try_it.mjs" in gate
    assert 'skipped+=("the page Try it' in gate


def test_the_page_is_offered_only_if_its_files_exist(script: ModuleType, tmp_path: Path) -> None:
    """The navigation and the footer hide the page unless the site has its files. The search never finds it."""
    (tmp_path / "javascripts").mkdir()
    built = tmp_path / "javascripts" / "try-it.js"
    built.write_text((DOCS / "javascripts" / "try-it.js").read_text(encoding="utf-8"), encoding="utf-8")
    assert "const hasFiles = false;" in built.read_text(encoding="utf-8")
    script.offer(tmp_path)
    assert "const hasFiles = true;" in built.read_text(encoding="utf-8")
    style = (DOCS / "stylesheets" / "extra.css").read_text(encoding="utf-8")
    hidden = re.search(r"^:root:not\(\.tries\) :is\((.*)\) \{ display: none; \}$", style, re.MULTILINE)
    assert hidden is not None
    assert hidden[1].count('[href$="try-it.html"]') == 2
    assert (DOCS / "try-it.md").read_text(encoding="utf-8").startswith("---\nsearch:\n  exclude: true\n---\n")


def test_the_page_explains_missing_files() -> None:
    code = (DOCS / "javascripts" / "try-it.js").read_text(encoding="utf-8")
    assert "was built without the files that run Python in a browser" in code
    assert not re.search(r"https?://", code)
