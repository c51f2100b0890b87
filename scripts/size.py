"""Count the lines of the package, for each folder: code, all lines, modules.

    python scripts/size.py

A line of code is no docstring of a module, class or function, no comment, import or blank line. Generated modules are
counted apart.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "subscribekit"
GENERATED = PACKAGE / "_generated"


def lines_of_code(text: str) -> int:
    """Count the lines of a module that are code."""
    others: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        for each in _no_code(node):
            others.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    rows = enumerate(text.splitlines(), 1)
    return sum(1 for number, row in rows if number not in others and row.strip() and not row.lstrip().startswith("#"))


def _no_code(node: ast.AST) -> Iterator[ast.stmt]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    first = next(iter(getattr(node, "body", None) or [None])) if not isinstance(node, ast.Lambda | ast.IfExp) else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        yield first


def main() -> None:
    """Print the table."""
    print(f"{'folder':<40}{'modules':>8}{'code':>8}{'lines':>8}")
    by_hand, generated = [0, 0, 0], [0, 0, 0]
    for folder in sorted({path.parent for path in PACKAGE.rglob("*.py")}):
        texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
        row = [len(texts), sum(map(lines_of_code, texts)), sum(len(text.splitlines()) for text in texts)]
        total = generated if GENERATED in (folder, *folder.parents) else by_hand
        total[:] = [was + more for was, more in zip(total, row, strict=True)]
        if total is by_hand:
            _print(folder.relative_to(PACKAGE.parent).as_posix(), row)
    _print("src, written by hand", by_hand)
    _print("src, generated", generated)


def _print(name: str, row: list[int]) -> None:
    print(f"{name:<40}{row[0]:>8,}{row[1]:>8,}{row[2]:>8,}")


if __name__ == "__main__":
    main()
