"""Count the words that keep a text from being plain, for each folder.

    python scripts/words.py            print the counts
    python scripts/words.py --where    print each occurrence

It reads pages without their code blocks, and of Python the docstrings, comments and texts.
"""

import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("docs", "examples", "scripts", "src", "tests")
WORDS = {
    "what ... as a subject": r"(?:^|(?<=[.:;!] )|(?<=[\"'`|*(#-])|(?<=[#|*-] ))What\b(?! \||[^.!|]*\?)",
    "nobody": r"\b(?:nobody|no one)\b",
    "somebody": r"\b(?:somebody|someone|anybody|everybody|whoever)\b",
    "who": r"\b(?:who|whom)\b",
    "stands": r"\b(?:stands?|stood)\b(?!-| still| alone| for\b)",
    "is told": r"\b(?:is|are|was|were|be|been|being) told\b",
    "one's own": r"\bone's own\b|\bof (?:its|your|their|our|his) own(?= *(?:[.,;:)|]|$|(?:and|or|is|in|to|with) ))",
    "answer": r"\banswer(?:s|ed|ing)?\b",
}
"""What is counted, and the pattern that finds it."""
_PATTERNS = {
    word: re.compile(pattern, 0 if word[0] == "w" and " " in word else re.IGNORECASE) for word, pattern in WORDS.items()
}
_NOT_PROSE = re.compile(r"^ *(```|~~~)")


def pages() -> Iterator[Path]:
    """Return the files that are counted."""
    yield ROOT / "README.md"
    for folder in FOLDERS:
        found = (path for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".py"))
        yield from sorted(path for path in found if path.name not in ("words.py", "test_words.py"))


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Return the lines of a file that people read, with their numbers."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        is_code = False
        lines = text.splitlines()
        for number, (line, below) in enumerate(zip(lines, [*lines[1:], ""], strict=True), 1):
            is_code ^= bool(_NOT_PROSE.match(line))
            if not is_code and not line.startswith("#") and not below.startswith("|--"):
                yield number, re.sub(r"`[^`]*`", "`", line)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _TEXTS and " " in token.string:  # others are identifiers
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                yield number, re.sub(r"`[^`]*`|\{[^}]*\}", "`", line).strip()


_TEXTS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def occurrences(path: Path) -> Iterator[tuple[int, str, str]]:
    """Return where a word occurs: the number of the line, the word and the line."""
    for number, line in prose(path):
        for word, pattern in _PATTERNS.items():
            for _ in pattern.finditer(line):
                yield number, word, line


def folder_of(path: Path) -> str:
    """Return the folder that a file is counted in: of the package and its pages the second level."""
    parts = path.relative_to(ROOT).parts
    depth = {"src": 3, "docs": 2, "tests": 2}.get(parts[0], 1)
    return "/".join(parts[: min(depth, len(parts) - 1)]) or "README.md"


def counted() -> dict[str, Counter[str]]:
    """Count each word in each folder."""
    found: dict[str, Counter[str]] = {}
    for path in pages():
        found.setdefault(folder_of(path), Counter()).update(word for _, word, _ in occurrences(path))
    return found


def main() -> None:
    """Print the table, or each occurrence."""
    if "--where" in sys.argv[1:]:
        for path in pages():
            for number, word, line in occurrences(path):
                print(f"{path.relative_to(ROOT)}:{number}: {word}: {line}")
        return
    found = counted()
    print(f"{'folder':<34}" + "".join(f"{word.split(' ')[0]:>10}" for word in WORDS) + f"{'all':>10}")
    for folder, numbers in sorted(found.items()):
        print(f"{folder:<34}" + "".join(f"{numbers[word]:>10,}" for word in WORDS) + f"{numbers.total():>10,}")
    total = sum(found.values(), Counter[str]())
    print(f"{'all':<34}" + "".join(f"{total[word]:>10,}" for word in WORDS) + f"{total.total():>10,}")


if __name__ == "__main__":
    main()
