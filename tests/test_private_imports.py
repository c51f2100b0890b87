"""Tests import private modules only of the package that they test, so that the rest can change without them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

FOR_ALL: dict[str, str] = {
    "_json": "writes and reads the JSON of responses",
    "_sealed": "hides contents; tests of any layer reveal them",
    "_core.config.clock": "the protocol that the clocks of the kit implement",
    "_core.config.environments": "the names of the four APIs and of the environments",
    "_core.operations.operation": "the description of an operation, as a value",
    "models._base": "reads a response and writes a body as a call does",
}
"""Private modules that any test may import, each with its purpose."""

TESTED: dict[str, tuple[str, ...]] = {
    "billing": ("_core.client.described", "_core.calls", "_core.resolving.rules", "_hints.names"),
    "bulk": (
        "bulk",
        "_hints.python_advice",
        "_sqlite_files",
        "_core.resolving",
        "_core.http.transport",
        "_core.http.failure",
    ),
    "cli": (
        "cli",
        "export",
        "_private_files",
        "_generated",
        "bulk._ledger.database",
        "_core.calls",
        "_core.http.failure",
    ),
    "contract": ("_core.operations",),
    "core": ("_core", "_operations"),
    "export": ("export", "models._scalars"),
    "generated": ("_operations", "_core.client", "_core.lists.pager", "_core.lists.pager_async"),
    "models": ("models", "_core.operations", "_core.resolving.verdict"),
    "real_servers": ("bulk._ledger.database",),
    "reconcile": ("reconcile", "_csv", "_core.calls.telemetry"),
    "reliability": ("_core",),
    "resolve": ("_core.resolving", "_core.calls", "_core.operations.sent_values"),
    "sandbox_server": ("sandbox.__main__",),
    "testing_kit": ("models", "_shown"),
    "webhooks": ("webhooks",),
    "descriptions.py": ("_core.client",),
    "test_costs.py": ("_core.http.wire.tls",),
    "test_docs.py": ("models._names",),
    "test_hints.py": ("_hints.names",),
    "test_mistakes_more.py": ("_articles",),
    "test_names.py": ("reconcile",),
    "test_openapi.py": ("_core.config.wire_names",),
    "test_pages.py": ("models._names",),
    "test_public_surface.py": (
        "_core.calls.driver",
        "_core.calls.driver_async",
        "_core.client",
        "_core.lists",
        "_generated",
        "models._names",
    ),
    "test_swallowed_interrupts.py": ("bulk._ledger.records", "models"),
}
"""The packages that a folder or a file of tests covers."""

NAMES = sorted({path.relative_to(TESTS).parts[0] for path in TESTS.rglob("*.py")})


@cache
def imports(path: Path) -> list[ast.Import | ast.ImportFrom]:
    tree = ast.parse(path.read_text("utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def private_imports(path: Path) -> Iterator[str]:
    for node in imports(path):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "subscribekit" and any(each.startswith("_") and each != "__version__" for each in parts):
                yield ".".join(parts[1:])


@pytest.mark.parametrize("name", NAMES)
def test_private_modules_are_imported_only_by_tests_of_their_package(name: str) -> None:
    allowed = (*FOR_ALL, *TESTED.get(name, ()))
    place = TESTS / name
    files = place.rglob("*.py") if place.is_dir() else [place]
    found = {(path.name, each) for path in files for each in private_imports(path)}
    assert {
        (file, each) for file, each in found if not f"{each}.".startswith(tuple(f"{it}." for it in allowed))
    } == set()


def test_each_row_of_the_tables_is_used() -> None:
    found = {name: [*_imports_of(name)] for name in NAMES}
    everywhere = [each for imports in found.values() for each in imports]
    assert [each for each in FOR_ALL if not any(f"{it}.".startswith(f"{each}.") for it in everywhere)] == []
    unused = {
        (name, package)
        for name, packages in TESTED.items()
        for package in packages
        if not any(f"{each}.".startswith(f"{package}.") for each in found.get(name, []))
    }
    assert unused == set()


@pytest.mark.parametrize("path", sorted(TESTS.rglob("kit.py")) + sorted((TESTS / "kit").rglob("*.py")), ids=str)
def test_tests_import_no_private_name_through_a_kit(path: Path) -> None:
    private = {
        alias.asname or alias.name
        for node in imports(path)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("subscribekit")
        for alias in node.names
        if any(part.startswith("_") for part in f"{node.module}.{alias.name}".split("."))
    }
    module = ".".join(path.relative_to(TESTS).with_suffix("").parts)
    assert private & set(_imported_from(module)) == set()


def _imports_of(name: str) -> Iterator[str]:
    place = TESTS / name
    for path in place.rglob("*.py") if place.is_dir() else [place]:
        yield from private_imports(path)


def _imported_from(module: str) -> Iterator[str]:
    """Yield the names that tests import from a kit."""
    for path in TESTS.rglob("*.py"):
        folder = ".".join(path.relative_to(TESTS).parent.parts)
        for node in imports(path):
            if isinstance(node, ast.ImportFrom) and node.module:
                absolute = f"{folder}.{node.module}" if node.level == 1 else node.module
                if absolute == module:
                    yield from (alias.name for alias in node.names)
