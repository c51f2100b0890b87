"""Finds the fenced blocks of the README and the documentation pages."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

_FENCE = re.compile(
    r"^(?P<indent> *)(?P<ticks>`{3,})(?P<info>[^`\n]*)\n(?P<code>.*?)^(?P=indent)(?P=ticks) *$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    title: str
    code: str
    line: int

    @property
    def runs(self) -> bool:
        return self.language == "python" and not self.title.startswith(("Real environment", "test_shop.py"))


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    for fence in _FENCE.finditer(text):
        info = fence["info"].strip()
        title = re.search(r'title="([^"]*)"', info)
        line = text.count("\n", 0, fence.start("code"))
        found.append(Block(info.split(" ")[0], title[1] if title else "", textwrap.dedent(fence["code"]), line))
    return found


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


WITH_CODE = [page for page in PAGES if any(block.language == "python" for block in blocks(page))]


def script(page: Path) -> str:
    """Return the runnable blocks of a page as one program that keeps the line numbers of the page."""
    lines: list[str] = []
    for block in blocks(page):
        if block.runs and not block.title.startswith("test_"):
            lines += [""] * (block.line - len(lines)) + block.code.splitlines()
    return "\n".join([*lines, ""])
