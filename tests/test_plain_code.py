"""No code creates classes, functions, or modules at run time, and imports are at the top of files.

The table lists each late import with its reason: the cost of the import for programs that don't need it.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest

from test_codebase import imports, modules, tree

DEFERRED: dict[str, str] = {
    "__main__": "the clients, so that each can be preloaded alone",
    "_core.calls.call": "tenacity, at the first retry, and observers, if a client has any",
    "_core.calls.driving": "asyncio, which a blocking client does without",
    "_core.calls.prepared.prepared_request": "HTML for notebooks, and the stored form of a pickle",
    "_core.calls.response": "HTML for notebooks",
    "_core.calls.settings": "the table of minor units, for clients with check_minor_units",
    "_core.calls.telemetry.observers": "inspect, for an observer that raised",
    "_core.calls.telemetry.trace": "opentelemetry, which is optional",
    "_core.client.async_client": "the sandbox and resolve: few clients use them",
    "_core.client.base": "resolve, proxies, and preloading: few clients use them",
    "_core.client.sync_client": "the sandbox and resolve: few clients use them",
    "_core.config.clock": "asyncio, which a blocking client does without",
    "_core.http.backends.choice": "backends: a client uses one of them",
    "_core.http.backends.direct": "the connections of one style: a client uses one",
    "_core.http.backends.httpx_transport": "httpx, at the first request",
    "_core.http.backends.intercepted": "httpcore, with httpx",
    "_core.http.connections.event_loop": "asyncio, which a sync client does without",
    "_core.http.connections.route": "proxies: few clients use one",
    "_core.http.wire.streams": "tunnels through proxies: few clients use one",
    "_core.http.wire.tls": "certifi, at the first connection with TLS",
    "_core.lists.pager": "lists, at the first one, and HTML for notebooks",
    "_core.lists.pager_async": "lists, at the first one",
    "_core.operations.readers": "HTML for notebooks",
    "_datetimes": "email.utils, for a date of HTTP",
    "_generated.*.resources": "a resource of a client, and another form of its methods: a program uses few of them",
    "_hints.missing": "the table of names, for a name that doesn't exist",
    "_hints.names": "difflib, for a name that doesn't exist",
    "bulk._sending.progress": "tqdm, which is optional",
    "cli": "the commands, which need optional libraries",
    "cli.application": "commands that need optional libraries",
    "cli.exports.export": "parquet files, which need pyarrow",
    "cli.exports.tables": "parquet files, which need pyarrow",
    "export": "pyarrow, which is optional",
    "export._spool": "locks of files, which differ by system",
    "models._base": "dumps and HTML: few programs use them",
    "models._lists": "HTML for notebooks",
    "models._refusals": "the table of names, for a field that doesn't exist",
    "reconcile._report": "HTML for notebooks",
    "sandbox.server.server": "certificates, which need trustme",
    "testing.plugin": "the sandbox and the guard, for the tests that use their fixtures",
    "testing.routes": "the models, so that pytest starts without them",
    "webhooks._record_if_new": "sqlite3, for receivers that store deliveries in it",
}
"""Modules with imports inside functions, and the imported modules."""

BY_NAME: dict[str, str] = {
    "_lazy": "the top level of a package imports the module of a name when the name is used",
    "export": "an import of pyarrow that says which extra is missing",
    "_core.http.backends.library": "httpx and httpx2 have the same interface under two names",
}
"""Modules that call `importlib.import_module`."""

FORBIDDEN_NAMES = {"FunctionType", "ModuleType", "new_class", "exec", "__code__"}


def forbidden(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the lines of a module that create code, and the names that they use."""
    for node in ast.walk(module):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if isinstance(node, ast.ImportFrom):
            name = next((each.name for each in node.names if each.name in FORBIDDEN_NAMES), "")
        if name in FORBIDDEN_NAMES:
            yield node.lineno, name
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "type" and len(node.args) == 3:
            yield node.lineno, "type(name, bases, members)"
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        if any(ast.unparse(each).startswith("sys.modules") for each in targets):
            yield node.lineno, "sys.modules"


def imports_by_name(module: ast.Module) -> bool:
    """Return whether a module imports modules whose names it computes."""
    called = {ast.unparse(node.func) for node in ast.walk(module) if isinstance(node, ast.Call)}
    return bool(called & {"import_module", "importlib.import_module", "__import__"})


def test_no_code_creates_code() -> None:
    found = [f"{name}:{line} uses {used}" for name in modules() for line, used in forbidden(tree(name))]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "type('A', (), {})", "from types import FunctionType", "types.ModuleType('m')", "types.new_class('A')",
        "exec('1')", "sys.modules['m'] = m", "f.__code__ = g",
    ],
)  # fmt: skip
def test_a_line_that_creates_code_is_found(line: str) -> None:
    assert list(forbidden(ast.parse(line)))


def test_imports_are_at_the_top_of_a_file() -> None:
    deferring = {each.importer for each in imports() if each.kind == "lazy"}
    unlisted = {name for name in deferring if not any(fnmatchcase(name, each) for each in DEFERRED)}
    assert unlisted == set(), "import at the top, or add the module and the reason to DEFERRED"
    unused = {each for each in DEFERRED if not any(fnmatchcase(name, each) for name in deferring)}
    assert unused == set(), "remove the module from DEFERRED"


def test_few_modules_import_by_name() -> None:
    assert {name for name in modules() if imports_by_name(tree(name))} == set(BY_NAME)


def test_the_async_client_and_the_resources_are_imported_when_they_are_used() -> None:
    code = (
        "import subscribekit.billing, sys; print(*(name for name in sys.modules if '._generated.' in name), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert {name.removeprefix("subscribekit._generated.sync") for name in done.stdout.split()} == {
        "", ".billing", ".billing.resources", ".billing.cursor_collection", ".billing.generic_resource",
    }  # fmt: skip
