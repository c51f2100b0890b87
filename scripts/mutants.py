"""Change lines of the package on purpose, and report the changes that no test detects.

    python scripts/mutants.py collect             record which test runs which line (five minutes; Python 3.12 or later)
    python scripts/mutants.py run --count 250     draw mutants evenly over the folders, and test each of them
    python scripts/mutants.py run --only 17 31    test these again

A mutant changes one operator, condition, constant, returned value, or statement. The script runs the tests that run the
changed line, until the first failure. It shows a mutant that survives as a diff. A person must decide whether the
change has an effect.
"""

import argparse
import ast
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from typing import cast

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "subscribekit"
FOLDERS = ("_core/calls", "_core/http", "_core/resolving", "_core/lists", "bulk", "webhooks", "cli", "export")
RECORDS = ROOT / ".cache" / "mutants"
FIRST, MOST = 200, 2_000
"""The numbers of tests in the first and the second run of a mutant, drawn evenly from the test files."""
SECONDS = 300

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    file: str
    line: int
    start: int
    end: int
    new: str

    def apply(self, text: str) -> str:
        """Return the text of the file with this change."""
        data = text.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def mutants_of(path: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    text = path.read_text(encoding="utf-8")
    starts = [0]
    for row in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    found: list[Mutant] = []
    for node, new in _changes(ast.parse(text)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        if text.encode()[start:end].decode() != new:
            found.append(Mutant(path.relative_to(ROOT).as_posix(), node.lineno, start, end, new))
    return found


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in _code(tree):
        if isinstance(node, ast.expr):
            yield from ((node, f"({new})") for new in _expressions(node))
        elif isinstance(node, ast.stmt):
            yield from ((node, new) for new in _statements(node))


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run, without annotations, texts, defaults of types, and code for type checkers."""
    if isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "not TYPE_CHECKING"}:
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"} or isinstance(value, ast.JoinedStr):
            continue
        for child in cast("list[object]", value) if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _code(child)


def _expressions(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED:
        other: ast.expr = ast.Compare(node.left, [_SWAPPED[type(node.ops[0])](), *node.ops[1:]], node.comparators)  # type: ignore[list-item]  # ast has a type for each operator
        yield ast.unparse(other)
    elif isinstance(node, ast.BoolOp):
        yield ast.unparse(ast.BoolOp(_SWAPPED[type(node.op)](), node.values))  # type: ignore[arg-type]  # as above
    elif isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        yield ast.unparse(ast.BinOp(node.left, _SWAPPED[type(node.op)](), node.right))  # type: ignore[arg-type]  # as above
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield ast.unparse(node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield repr(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield f"{ast.unparse(node.orelse)} if {ast.unparse(node.test)} else {ast.unparse(node.body)}"


def _statements(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield "return None"
    elif (
        isinstance(node, ast.Raise | ast.AugAssign | ast.Delete | ast.Break | ast.Continue)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await))
        or (isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple))
    ):
        yield "pass"


def draw(count: int, seed: int) -> list[Mutant]:
    """Draw mutants evenly over the folders. The same seed and package return the same mutants."""
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    heaps: list[list[Mutant]] = []
    for folder in FOLDERS:
        heap = [mutant for path in sorted((PACKAGE / folder).rglob("*.py")) for mutant in mutants_of(path)]
        chance.shuffle(heap)
        heaps.append(heap)
    found: list[Mutant] = []
    for heap in cycle(heaps):
        if len(found) == count or not any(heaps):
            return found
        if heap:
            found.append(heap.pop())
    return found


class Tests:
    """The tests that run each line, as `collect` recorded them."""

    def __init__(self) -> None:
        paths = sorted(RECORDS.glob("*.sqlite"))
        self._data = [sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False) for path in paths]

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run a line. If it runs at import, return the tests that run its file or its folder."""
        file = mutant.file.removeprefix("src/subscribekit/")
        rows = self._rows("file = ?", file)
        exact = [name for name, bits in rows if _has(bits, mutant.line)]
        names = exact or [name for name, _ in rows or self._rows("file glob ?", f"{file.rpartition('/')[0]}/*")]
        return _spread(sorted(set(names)))

    def _rows(self, which: str, value: str) -> list[tuple[str, bytes]]:
        query = f"select test, bits from ran where {which}"  # noqa: S608  the callers pass constants
        return [row for data in self._data for row in data.execute(query, (value,))]


def _has(bits: bytes, line: int) -> bool:
    byte, bit = divmod(line, 8)
    return byte < len(bits) and bool(bits[byte] & (1 << bit))


def _spread(names: list[str]) -> list[str]:
    """Return the tests in random order, with the next test of each file in turn."""
    chance = random.Random(1)  # noqa: S311  an order, not a secret
    chance.shuffle(names)
    files: dict[str, list[str]] = {}
    for name in names:
        files.setdefault(name.partition("::")[0], []).append(name)
    found: list[str] = []
    while files:
        for file in list(files):
            found.append(files[file].pop())
            if not files[file]:
                del files[file]
    return found


def collect() -> None:
    """Record which test runs which line of the package, in the same kind of copy of the checkout as `run` uses."""
    shutil.rmtree(RECORDS, ignore_errors=True)
    RECORDS.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = _copy(Path(folder) / "copy")
        environment = dict(
            os.environ,
            PYTHONPATH=os.pathsep.join([str(copy / "src"), str(ROOT / "scripts")]),
            LINES_OF_PACKAGE=f"{copy}/src/subscribekit/",
            LINES_OF_TESTS=str(RECORDS),
        )
        command = [sys.executable, "-m", "pytest", "-q", "-p", "lines_of_tests", "-p", "no:cacheprovider"]
        subprocess.run([*command, "--numprocesses", "2"], cwd=copy, env=environment, check=False)
    for record in RECORDS.glob("*.sqlite"):
        with sqlite3.connect(record) as data:
            data.execute("create index files on ran (file)")


def fate(mutant: Mutant, tests: list[str], copy: Path) -> str:
    """Test one mutant in a copy of the checkout, and return `killed`, `hung`, `survived`, or `untested`."""
    if not tests:
        return "untested"
    target = copy / mutant.file
    original = target.read_text(encoding="utf-8")
    target.write_text(mutant.apply(original), encoding="utf-8")
    try:
        for part in (tests[:FIRST], tests[FIRST:MOST]):
            if part and (code := _run(part, copy)):
                return code
        return "survived"
    finally:
        target.write_text(original, encoding="utf-8")


def _run(tests: list[str], copy: Path) -> str:
    chosen = copy / "chosen.txt"
    chosen.write_text("\n".join(tests), encoding="utf-8")
    command = [
        sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--numprocesses", "0", "--timeout", "60",
        f"@{chosen}",
    ]  # fmt: skip
    environment = dict(os.environ, PYTHONPATH=str(copy / "src"), PYTHONDONTWRITEBYTECODE="1")
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "hung"
    return "killed" if done.returncode else ""


def run(count: int, seed: int, jobs: int, only: list[int], report: Path) -> None:
    """Test the mutants, and print those that survive."""
    drawn = list(enumerate(draw(count, seed)))
    chosen = [pair for pair in drawn if not only or pair[0] in only]
    tests = Tests()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as threads:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(_copy(Path(folder) / str(number)))

        def one(pair: tuple[int, Mutant]) -> dict[str, object]:
            number, mutant = pair
            copy = copies.get()
            try:
                became = fate(mutant, tests.of(mutant), copy)
            finally:
                copies.put(copy)
            print(f"{number:4} {became:9} {mutant.file}:{mutant.line}", flush=True)
            return {"number": number, "fate": became, "file": mutant.file, "line": mutant.line, "new": mutant.new}

        fates = list(threads.map(one, chosen))
    report.write_text(json.dumps(fates, indent=1), encoding="utf-8")
    left = [each for each in fates if each["fate"] in {"survived", "untested"}]
    print(f"{len(fates)} mutants, {len(left)} survived or untested")
    for number, mutant in chosen:
        if any(each["number"] == number for each in left):
            old = (ROOT / mutant.file).read_bytes()[mutant.start : mutant.end].decode()
            print(f"\n{number}: {mutant.file}:{mutant.line}\n- {old}\n+ {mutant.new}")


def _copy(to: Path) -> Path:
    for name in ("src", "tests", "docs", "examples", "scripts", ".ci"):
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "mkdocs.yml"):
        shutil.copy(ROOT / name, to / name)
    return to


def main() -> None:
    """Run the command `collect` or `run`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("collect", "run"))
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, nargs="*", default=[])
    parser.add_argument("--report", type=Path, default=ROOT / ".cache" / "mutants.json")
    told = parser.parse_args()
    if told.command == "collect":
        collect()
    else:
        run(told.count, told.seed, told.jobs, told.only, told.report)


if __name__ == "__main__":
    main()
