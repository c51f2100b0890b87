"""Report long sentences and terms that the glossary avoids, in pages, docstrings, comments, and texts of the package.

    python scripts/prose.py [CHECKOUT]

The report is for a writer who decides about each place. The exit status is always 0.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LONGEST = 35
"""The largest number of words in a sentence. Longer sentences are reported."""
WRITTEN_ELSEWHERE = ("docs/reference/", "docs/coverage.md", "docs/changelog.md", "docs/skill.md")
"""Pages that are generated or included from another file."""

TERMS = {
    "autobill": "subscription",
    "cheque": "check",
    "cash in": "redeem",
    "voucher": "campaign",
    "external subscription": "partner subscription",
    "gateway charge": "entitlement charge",
    "set aside": "authorize",
    "pay back": "refund",
    "group [ABCD]": "the name of the service",
    "user management": "account-lifecycle API",
    "blocking client": "sync client",
    "under way": "in flight",
    "on its way": "in flight",
    "kept connection": "idle connection",
    "quiet connection": "idle connection",
    "HTTP carrier": "HTTP backend",
    "good status": "success status",
    "base address": "base URL",
    "what came of": "the outcome of",
    "what bec(?:ame|omes) of": "the outcome of",
    "limit in money": "amount limit",
    "spending limit": "amount limit",
    "stand-in": "sandbox",
    "foreign name": "wire name",
    "push notification": "webhook",
    "goes on": "continues, or resumes",
    "nothing but": "only",
    "e\\.g\\.": "for example",
    "i\\.e\\.": "that is",
}
"""Terms of the column "Don't write" that are wrong in every context, and the terms to write instead."""
AVOIDED = {re.compile(rf"\b{term}(?!\w)", re.IGNORECASE): better for term, better in TERMS.items()}

END_OF_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`\"(\[*])")
BLOCK = re.compile(r"^( *)(```|~~~).*?^\1\2[^\n]*$", re.MULTILINE | re.DOTALL)
NEW_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*|>#]|\d+\.)\s)|\n(?=\s+\*{0,2}\w+: )")

Text = tuple[int, str]
"""The line where a text starts, and the text."""


def sentences(text: str, start: int = 1) -> Iterator[Text]:
    """Return the sentences of a text, and the line where the paragraph of each starts."""
    place = 0
    for paragraph in NEW_PARAGRAPH.split(text):
        place = text.index(paragraph, place)
        line = start + text.count("\n", 0, place + len(paragraph) - len(paragraph.lstrip()))
        for cell in paragraph.split(" | ") if paragraph.lstrip().startswith("|") else [paragraph]:
            for sentence in END_OF_SENTENCE.split(" ".join(cell.split())):
                yield line, sentence


def findings(text: str, start: int = 1) -> Iterator[Text]:
    """Return the problems of a text, and the line of each."""
    for line, sentence in sentences(text, start):
        count = len(re.findall(r"[A-Za-z][\w'-]*", re.sub(r"`[^`]*`|\(\S+\)", "", sentence)))
        if count > LONGEST:
            yield line, f"{count} words: {sentence[:70]}..."
        for term, better in AVOIDED.items():
            for found in term.findall(re.sub(r"`[^`]*`", "", sentence)):
                yield line, f'"{found}": write "{better}"'


def page_text(text: str) -> str:
    """Return the text of a page with empty lines in place of its code."""
    return BLOCK.sub(lambda block: "\n" * block.group().count("\n"), text)


def module_texts(source: str) -> Iterator[Text]:
    """Return the comments of a module, and its strings of several words, such as docstrings and errors."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value
    comments: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if comments and token.start[0] != last + 1:
                yield last - len(comments) + 1, " ".join(comments)
                comments = []
            comments.append(token.string.lstrip("#: "))
            last = token.start[0]
    if comments:
        yield last - len(comments) + 1, " ".join(comments)


def report(root: Path) -> Iterator[str]:
    """Return the findings of a checkout, one line for each."""
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith(WRITTEN_ELSEWHERE):
            for line, problem in findings(page_text(path.read_text(encoding="utf-8"))):
                yield f"{name}:{line}: {problem}"
    for path in sorted((root / "src").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if "_generated" not in name:
            for start, text in module_texts(path.read_text(encoding="utf-8")):
                for line, problem in findings(text, start):
                    yield f"{name}:{line}: {problem}"


def main() -> None:
    """Print the report."""
    found = list(report(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    print("\n".join(found))
    print(f"{len(found)} places to read; this check never fails")


if __name__ == "__main__":
    main()
