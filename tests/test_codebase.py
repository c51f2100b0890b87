"""Rules for the code: which modules a module may import, which modules use the network, and how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Literal

import pytest

import subscribekit
from descriptions import FORMS
from looped import looped

ROOT = Path(subscribekit.__file__).parent
MAX_LINES = 450
LONGER = {"models.billing": 800}
"""Longer files. A record in `docs/decisions` gives the reason for each one."""

# A module may import only modules of earlier lines. The pattern `models.*` doesn't include the package `models` itself.
ORDER: tuple[tuple[str, ...], ...] = (
    ("_articles", "_datetimes", "_lazy", "_public", "_sealed", "_shown", "_interrupts"),
    ("_version", "_core", "_private_files", "_sqlite_files", "_decimals", "_json_type", "_sandbox_value"),
    ("_csv", "_json", "_hints", "_hints.*"),
    ("errors",),
    ("models", "models.*"),
    ("_core.config", "_core.config.*", "filters"),
    ("_core.operations", "_core.operations.*"),
    ("_core.http", "_core.http.*"),
    ("_core.calls", "_core.calls.*"),
    ("_core.lists", "_core.lists.*"),
    ("_core.resolving", "_core.resolving.*"),
    ("_core.client", "_core.client.*"),
    ("hooks", "otel", "transports"),
    ("webhooks", "webhooks.*"),
    ("drift", "drift.*", "export", "export.*"),
    ("_operations", "_operations.*"),
    ("_generated", "_generated.*"),
    ("billing.*", "gateway.*", "storefront.*", "user_mgmt.*"),
    ("billing", "gateway", "storefront", "user_mgmt"),
    ("bulk", "bulk.*"),
    ("reconcile", "reconcile.*"),
    ("sandbox.values", "sandbox.settings", "sandbox.clock"),
    ("sandbox.store",),
    ("sandbox.http", "sandbox.http.*"),
    ("sandbox.billing.rules", "sandbox.billing.rules.*"),
    ("sandbox.billing.shapes.sets",),
    ("sandbox.billing.presenters", "sandbox.billing.shapes"),
    (
        "sandbox.billing",
        "sandbox.billing.*",
        "sandbox.gateway",
        "sandbox.storefront",
        "sandbox.user_mgmt",
        "sandbox.user_mgmt.*",
        "sandbox.seed",
        "sandbox.seed.*",
    ),
    ("sandbox.routes",),
    ("sandbox.service",),
    ("sandbox.faults", "sandbox.faults.*"),
    ("sandbox.webhooks", "sandbox.webhooks.*"),
    ("sandbox.transport",),
    ("sandbox.platform",),
    ("sandbox.facade",),
    ("sandbox",),
    ("sandbox.server", "sandbox.server.*"),
    ("sandbox.__main__",),
    ("testing", "testing.*"),
    ("cli", "cli.*"),
    ("__main__",),
    ("subscribekit",),
)

# The modules of one line may import each other if they belong to the same one of these packages.
PACKAGES = (
    "models", "bulk", "testing", "webhooks", "drift", "export", "cli", "reconcile",
    "_hints", "_core.config", "_core.operations", "_core.http", "_core.calls", "_core.lists",
    "_core.resolving", "_core.client", "_operations", "_generated",
    "sandbox.http", "sandbox.billing.rules", "sandbox.billing", "sandbox.user_mgmt",
    "sandbox.seed", "sandbox.faults", "sandbox.webhooks", "sandbox.server",
)  # fmt: skip

# A stricter rule than the order: the sandbox acts as the service, so it imports only what defines the wire format.
SANDBOX_MAY_IMPORT = (
    "sandbox",
    "sandbox.*",
    "_json",
    "_datetimes",
    "_decimals",
    "_public",
    "_hints.names",
    "_core.config.*",
    "_core.calls.telemetry.log",  # and the modules that it imports
    "_core.http.reasons",
    "_interrupts",
    "_private_files",
    "_sandbox_value",
    "_sealed",
    "_version",
)

# Imports against the order. They run only inside a function.
EXCEPTIONS = {
    ("_core.client.async_client", "sandbox.platform", "lazy"),
    ("_core.client.sync_client", "sandbox.platform", "lazy"),
}

# The modules that may use a library. The sandbox's server isn't part of a client.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "httpcore": (
        "_core.http.backends.pooled",
        "_core.http.backends.pooled_async",
        "_core.http.backends.intercepted",
    ),
    "httpx": (
        "_core.client.deferred",
        "_core.http.backends.*",
        "sandbox.transport",
        "testing.*",
    ),
    "tenacity": ("_core.calls.call", "_core.client.deferred"),
    "jiter": ("_json",),
    "pydantic": (
        "models",
        "models.*",
        "_core.operations.readers",
        "_core.operations.bodies",
        "_core.calls.prepared.pickled",
        "_core.calls.prepared.stored_parts",
        "testing.*",
        "cli.calls.bodies",
    ),
    "pydantic_core": ("models.*",),
    "opentelemetry": ("_core.calls.telemetry.trace", "otel"),
    "pyarrow": ("export", "export.*", "cli.exports.parquet"),
    "respx": ("testing", "testing.*"),
    "pytest": ("testing.*",),
    "sqlalchemy": (
        "bulk",
        "bulk._ledger.database",
        "bulk._sending.claiming",
        "bulk._sending.engine",
        "bulk._ledger.entries",
        "bulk._ledger.identity",
        "bulk._ledger.ledger",
        "bulk._ledger.schema",
        "bulk._ledger.money",
        "bulk._ledger.statements",
    ),
    "pyrate_limiter": ("bulk", "bulk._sending.pace"),
    "tqdm": ("bulk._sending.progress",),
    "certifi": ("_core.client.deferred", "_core.http.wire.tls"),
    "socket": (
        "_core.http.wire.dial",
        "_core.http.wire.sockets",
        "_core.http.wire.sockets_async",
        "_core.http.backends.intercepted",
        "sandbox.server.connection",
        "sandbox.server.server",
        "testing.*",
        "cli.checkup.probe",
    ),
    "h11": ("_core.http.reuse", "_core.http.connections.http11", "_core.http.wire.tunnel"),
    "httptools": ("_core.http.connections.plain",),
    "socketserver": ("sandbox.server.connection", "sandbox.server.server"),
    "http.server": ("sandbox.server.connection", "sandbox.server.server"),
    "typer": ("cli.*",),
    "rich": ("cli.*",),
    "trustme": ("sandbox.server.certificate",),
    "http.client": ("sandbox.webhooks.dispatch", "sandbox.webhooks.post"),
    "urllib.request": (),
    "requests": (),
    "pickle": (),
    "anyio": ("bulk._run_async",),
    "typing_extensions": ("_json_type", "_sandbox_value"),
}

Kind = Literal["runtime", "typing", "lazy"]


@dataclass(frozen=True)
class Import:
    """One import statement of one module."""

    importer: str
    target: str
    kind: Kind
    line: int


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts) or "subscribekit"


@cache
def modules() -> dict[str, Path]:
    return {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text())


def statements(node: ast.AST, kind: Kind = "runtime") -> Iterator[tuple[ast.Import | ast.ImportFrom, Kind]]:
    """Yield the imports below a node with their kind: at import time, for type checkers only, or inside a function."""
    for_checkers = node.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) else []
    here: Kind = "lazy" if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else kind
    for child in ast.iter_child_nodes(node):
        child_kind: Kind = "typing" if child in for_checkers else here
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, child_kind
        else:
            yield from statements(child, child_kind)


def targets(module: str, statement: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the modules that a statement imports, those of the SDK as `subscribekit:` and the rest of the name."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    base = statement.module or ""
    if statement.level:
        package = module.split(".") if modules()[module].name == "__init__.py" else module.split(".")[:-1]
        package = [] if package == ["subscribekit"] else package
        package = package[: len(package) - statement.level + 1]
        base = ".".join(["subscribekit", *package, *([base] if base else [])])
    inside = base.removeprefix("subscribekit").removeprefix(".") if base.split(".")[0] == "subscribekit" else None
    if inside is None:
        return [base]
    found = [f"{inside}.{alias.name}".removeprefix(".") for alias in statement.names]
    return [f"subscribekit:{name if name in modules() else inside or 'subscribekit'}" for name in found]


@cache
def imports() -> tuple[Import, ...]:
    return tuple(
        Import(module, target, kind, statement.lineno)
        for module in modules()
        for statement, kind in statements(tree(module))
        for target in targets(module, statement)
    )


def inside() -> list[Import]:
    return [
        Import(each.importer, each.target.removeprefix("subscribekit:"), each.kind, each.line)
        for each in imports()
        if each.target.startswith("subscribekit:")
    ]


def layer(module: str) -> int:
    exact = [number for number, names in enumerate(ORDER) if module in names]
    by_pattern = [n for n, names in enumerate(ORDER) if any(fnmatchcase(module, name) for name in names)]
    assert exact or by_pattern, f"{module} is missing in ORDER; add it"
    return (exact or by_pattern)[0]


def package_of(module: str) -> str | None:
    return next((each for each in PACKAGES if module == each or module.startswith(f"{each}.")), None)


def matches(module: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(module, pattern) for pattern in patterns)


def test_the_search_for_imports_sees_them() -> None:
    seen = {(each.importer, each.target, each.kind) for each in inside()}
    assert ("_core.calls.call", "_core.calls.outcomes.retry_table", "runtime") in seen
    assert ("_core.client.sync_client", "sandbox.platform", "lazy") in seen
    assert ("subscribekit", "gateway", "typing") in seen
    assert ("_generated.sync.billing.resources", "_generated.sync.billing.accounts", "lazy") in seen
    assert ("billing", "billing.client", "runtime") in seen
    assert ("_core.calls.driver", "errors", "runtime") in seen
    assert {each.target for each in imports() if each.importer == "_json"} >= {"jiter", "decimal"}


def test_imports_run_one_way() -> None:
    wrong: list[str] = []
    for each in inside():
        above, below = layer(each.importer), layer(each.target)
        if (
            above == below
            and package_of(each.importer) is not None
            and package_of(each.importer) == package_of(each.target)
        ):
            continue  # a test below finds circles
        if below < above or (each.importer, each.target, each.kind) in EXCEPTIONS:
            continue
        wrong.append(f"{each.importer}:{each.line} imports {each.target} ({each.kind})")
    assert wrong == []


def test_models_and_errors_import_nothing_else_of_the_package_but_small_modules() -> None:
    for each in inside():
        if each.importer.split(".")[0] == "models":
            apart = (each.importer, each.target) in {("models._stored", "_json"), ("models._refusals", "_hints.names")}
            small = ("_datetimes", "_decimals", "_interrupts", "_lazy", "_shown")
            assert apart or matches(each.target, ("models", "models.*", *small)), each
        if each.importer == "errors":
            assert each.target == "_json_type", each


def test_the_sandbox_imports_only_modules_of_the_wire_format() -> None:
    wrong = [
        each
        for each in inside()
        if each.importer.split(".")[0] == "sandbox"
        and each.importer != "sandbox.facade"
        and each.kind == "runtime"
        and not matches(each.target, SANDBOX_MAY_IMPORT)
    ]
    assert wrong == []


def test_sandbox_modules_that_clients_import_do_not_import_a_client() -> None:
    """Late imports and imports for type checkers count, too: no chain of them leads from the platform to a client."""
    reached, waiting = set[str](), {"sandbox.platform"}
    while waiting:
        module = waiting.pop()
        reached.add(module)
        waiting |= {each.target for each in inside() if each.importer == module} - reached
    assert "sandbox.service" in reached
    assert "sandbox.facade" not in reached
    assert {
        name for name in reached if not matches(name, (*SANDBOX_MAY_IMPORT, "errors", "_core", "_json_type"))
    } == set()
    clients = {name for name in modules() if layer(name) >= layer("_operations") and not name.startswith("sandbox")}
    importers = {each.importer for each in inside() if each.target in clients and each.importer.startswith("sandbox")}
    assert importers == {"sandbox.facade"}


# Folders with one module for each resource, and folders with the modules that users import.
ONE_FILE_A_RESOURCE = ("", "models", "_operations/billing", *(f"_generated/{form}/billing" for form in FORMS))


def test_a_folder_holds_at_most_a_dozen_modules() -> None:
    numbers = {
        path.parent.relative_to(ROOT).as_posix().removeprefix("."): len(list(path.parent.glob("*.py"))) - 1
        for path in ROOT.rglob("__init__.py")
    }
    assert {
        folder: number for folder, number in numbers.items() if folder not in ONE_FILE_A_RESOURCE and number > 12
    } == {}


def test_no_module_imports_the_sandbox_or_the_testing_kit_at_once() -> None:
    for each in inside():
        if each.target.split(".")[0] in ("sandbox", "testing") and each.importer.split(".")[0] not in (
            "sandbox",
            "testing",
        ):
            assert each.kind == "lazy", each


def imported_by_each() -> dict[str, set[str]]:
    """Return the modules that each module imports: at import time, inside functions, and for type checkers."""
    graph: dict[str, set[str]] = {module: set() for module in modules()}
    for each in inside():
        if each.importer != each.target:
            graph[each.importer].add(each.target)
    return graph


@pytest.mark.hazard("H461")
def test_no_imports_form_a_circle() -> None:
    """Late imports and imports for type checkers count, too, because a reader of one module needs the other one."""
    TopologicalSorter(imported_by_each()).prepare()  # raises an error that names a circle


def test_a_circle_of_late_imports_and_of_those_for_checkers_is_found() -> None:
    for kind in ("runtime", "lazy", "typing"):
        graph = imported_by_each()
        importer, target = next((each.importer, each.target) for each in inside() if each.kind == kind)
        graph[target].add(importer)
        with pytest.raises(CycleError) as found:
            TopologicalSorter(graph).prepare()
        assert {importer, target} <= set(found.value.args[1])


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_used_by_few_named_modules(library: str) -> None:
    users = {each.importer for each in imports() if each.target == library or each.target.startswith(f"{library}.")}
    assert {user for user in users if not matches(user, LIBRARIES[library])} == set()


def test_only_known_libraries_are_used() -> None:
    outside = {each.target.split(".")[0] for each in imports() if not each.target.startswith("subscribekit:")}
    known = {library.split(".")[0] for library in LIBRARIES} | set(sys.stdlib_module_names)
    assert outside - known == set()


SOCKET_CALLS = re.compile(
    r"\bsocket\.(socket|create_connection)\(|asyncio\.open_connection|\burlopen\(|create_datagram_endpoint"
)


def test_no_other_module_opens_a_socket() -> None:
    for module, path in modules().items():
        if not module.startswith(("sandbox", "testing", "_core.http.wire.sockets", "_core.http.wire.dial")):
            assert not SOCKET_CALLS.search(path.read_text()), module


@looped("module", sorted(modules()))
def test_a_file_is_short_and_starts_with_a_docstring(module: str) -> None:
    text = modules()[module].read_text()
    assert text.count("\n") <= LONGER.get(module, MAX_LINES)
    assert ast.get_docstring(tree(module)), "a module starts with a docstring"


def test_no_module_has_a_catch_all_name() -> None:
    for module in modules():
        assert module.split(".")[-1] not in ("utils", "util", "helpers", "helper", "misc", "common")


def test_nothing_is_left_for_later() -> None:
    for module, path in modules().items():
        text = path.read_text()
        assert not re.search(r"\b(TODO|FIXME|XXX|HACK)\b", text), module
        assert "NotImplementedError" not in text, module


def test_an_ignored_finding_of_a_checker_has_its_code_and_a_reason() -> None:
    for module, path in modules().items():
        before = ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if found := re.search(r"(?:type|pyright): ignore(\[[\w, -]+\])?(.*)", line):
                assert found[1], f"{module}:{number} has no code"
                reason = re.sub(r"#|noqa: *\w+|pyright: ignore\[\w+\]", "", found[2]).strip()
                assert reason or before.strip().startswith("#"), f"{module}:{number} has no reason"
            before = line


def test_no_error_is_swallowed() -> None:
    """An `except` block names its exceptions and does something. To ignore one, the code uses `contextlib.suppress`."""
    for module in modules():
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.ExceptHandler):
                nothing = all(isinstance(each, ast.Pass) for each in node.body)
                assert not nothing, f"{module}:{node.lineno}"
                assert node.type is not None, f"{module}:{node.lineno}"


def test_a_bare_import_loads_no_library() -> None:
    code = (
        "import sys, subscribekit; "
        "loaded = {name.split('.')[0] for name in sys.modules}; "
        "heavy = {'httpx', 'httpcore', 'pydantic', 'pydantic_core', 'tenacity', 'jiter', 'ssl', 'asyncio', 'h11'}; "
        "print(sorted(heavy & loaded), sorted(n for n in sys.modules if n.startswith('subscribekit.')))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] ['subscribekit._lazy', 'subscribekit._version']"


@pytest.mark.parametrize("name", ["errors", "models", "filters"])
def test_a_light_module_loads_no_client(name: str) -> None:
    heavy = "{'httpx', 'httpcore', 'tenacity', 'jiter'}"
    code = f"import sys, subscribekit.{name}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_dependency_group_repeats_the_extra() -> None:
    """The pip of Python 3.11 supports only extras, and other tools prefer dependency groups (PEP 735)."""
    project = tomllib.loads((ROOT.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["dependency-groups"]["dev"] == project["project"]["optional-dependencies"]["dev"]


def test_files_are_opened_alike_on_every_system() -> None:
    """By default, Windows translates line ends, and reads and writes text in an encoding of its own (H381)."""
    opened = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {missing}"
        for module, path in modules().items()
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call) and (missing := _missing_arguments(node))
    ]
    assert not opened, opened


def _missing_arguments(call: ast.Call) -> str | None:
    """Return the arguments that a call to open a file lacks. Constants of `_private_files` contain `O_BINARY`."""
    name, written = ast.unparse(call.func), ast.unparse(call)
    if name == "os.open":
        return None if re.search(r"O_BINARY|O_DIRECTORY|_BINARY|_NONBLOCKING", written) else "O_BINARY"
    keywords = {keyword.arg for keyword in call.keywords}
    if name.endswith((".write_text", ".read_text")):
        is_named = "encoding" in keywords or len(call.args) > int(name.endswith("write_text"))
        needed = set() if is_named else {"encoding"}
    elif name == "open" or name.endswith((".open", ".fdopen")):
        mode = next((each.value for each in call.args if isinstance(each, ast.Constant)), "r")
        if not re.fullmatch(r"[rwax+]+", str(mode)) or "restart" in keywords:
            return None
        needed = {"encoding"} | ({"newline"} if mode != "r" else set())
    elif name.endswith(("TemporaryFile", "mkstemp", "TextIOWrapper")):
        needed = {"encoding", "newline"}
    else:
        return None
    return ", ".join(sorted(needed - keywords)) or None
