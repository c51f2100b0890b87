"""The gate checks the built site: its search, the size of its pages, and that nothing overflows on a phone.

The test in a browser needs the built site, in `SUBSCRIBEKIT_SITE`.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

import pytest

from sandbox_server import browser

DOCS = Path(__file__).parents[1] / "docs"
OPERATIONS = (DOCS / "reference" / "operations.md").read_text(encoding="utf-8")
CHECK = runpy.run_path(str(DOCS / "hooks" / "check_site.py"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a site whose search index contains every operation."""
    (tmp_path / "search").mkdir()
    names = CHECK["CALL"].findall(OPERATIONS)
    assert len(names) > 50
    write_index(tmp_path, [f"Do something ({name})" for name in names])
    return tmp_path


def write_index(site: Path, titles: list[str]) -> None:
    index = {"docs": [{"title": title} for title in titles]}
    (site / "search" / "search_index.json").write_text(json.dumps(index), encoding="utf-8")


def findings(site: Path) -> list[str]:
    return list(cast("Callable[[Path, str], Iterator[str]]", CHECK["findings"])(site, OPERATIONS))


def test_a_site_with_every_operation_passes(site: Path) -> None:
    assert findings(site) == []
    assert exit_code(site) == 0


def exit_code(site: Path) -> int:
    command = [sys.executable, str(DOCS / "hooks" / "check_site.py"), str(site)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_an_operation_without_a_title_is_found(site: Path) -> None:
    write_index(site, ["Subscriptions", "Sign up a customer (billing.subscriptions.create)"])
    found = findings(site)
    assert exit_code(site) == 1
    assert len(found) == len(CHECK["CALL"].findall(OPERATIONS)) - 1
    assert not any("billing.subscriptions.create " in line for line in found)
    assert any(line.startswith("billing.resource(name, model).create has no title") for line in found)


def test_a_large_page_is_found(site: Path) -> None:
    for name, size in (("small", 200_000), ("large", 200_001)):
        (site / "reference").mkdir(exist_ok=True)
        (site / "reference" / f"{name}.html").write_bytes(b"x" * size)
    assert findings(site) == ["reference/large.html is larger than 200,000 bytes"]


def test_the_pages_contain_a_title_for_each_operation() -> None:
    """The search index of the built site contains the headings of the pages."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").rglob("*.md"))
    for name in CHECK["CALL"].findall(OPERATIONS):
        assert f'({name})"\n' in pages


def test_the_gate_checks_the_site() -> None:
    gate = (DOCS.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert 'docs/hooks/check_site.py "$work/site"' in gate
    assert 'SUBSCRIBEKIT_SITE="$work/site" "$bin/python" -m pytest -q tests/test_site.py' in gate


BUILT = os.environ.get("SUBSCRIBEKIT_SITE", "")
TOO_WIDE = """
const page = document.createElement("iframe");
page.style.cssText = "width: 390px; height: 844px; border: 0";
document.body.replaceChildren(page);
return new Promise((resolve) => {
  page.onload = () => setTimeout(() => {
    const { documentElement: root, body } = page.contentDocument;
    const pictures = [...body.querySelectorAll(".md-content :is(img, .drawing > svg)")];
    const wide = pictures.filter((each) => each.getBoundingClientRect().right > root.clientWidth + 1);
    const cells = [...body.querySelectorAll(".md-content tbody td")];
    const found = wide.map((each) => each.src);
    if (root.scrollWidth > root.clientWidth) found.push("the page");
    if (cells.some((cell) => cell.dataset.heading === undefined)) found.push("a cell without its heading");
    resolve(found);
  }, 50);
  page.src = NAME;
});
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.mark.skipif(not BUILT or browser.DRIVER is None, reason="needs a built site and a browser")
def test_nothing_is_wider_than_a_phone() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=BUILT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = [page.relative_to(BUILT).as_posix() for page in Path(BUILT).rglob("*.html") if "assets" not in page.parts]
    assert len(pages) > 100
    with browser.driven() as window:
        window.open(f"http://127.0.0.1:{server.server_port}/404.html")
        found = {page: window.run(TOO_WIDE.replace("NAME", json.dumps(f"/{page}"))) for page in pages}
    server.shutdown()
    server.server_close()
    assert {page: wide for page, wide in found.items() if wide} == {}
