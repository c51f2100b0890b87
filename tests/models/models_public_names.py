"""Writes the lists of public names of `subscribekit.models` from the modules that define them.

python tests/models/models_public_names.py
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import subscribekit.models

MODELS = Path(subscribekit.models.__file__).parent
NAMES, PACKAGE = MODELS / "_names.py", MODELS / "__init__.py"

# The public names of modules with a leading underscore. In other modules, every name without a leading underscore is
# public.
OF_PRIVATE_MODULES = {
    "_base": ["CamelModel", "Model", "OpenModel"],
    "_entitlement_decision": ["EntitlementDecision"],
    "_fields": ["sensitive_fields"],
    "_lists": ["ModelList"],
    "_scalars": ["Sensitive"],
    "_stored": ["from_json", "to_json"],
}


def defined(path: Path) -> list[str]:
    """Return the public classes and type aliases of a module."""
    found: list[str] = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            found.append(ast.unparse(node.target))
    return [name for name in found if not name.startswith("_")]


def public_names() -> dict[str, list[str]]:
    """Return the public names by module."""
    modules = {path.stem: defined(path) for path in sorted(MODELS.glob("[a-z]*.py"))}
    return {module: sorted(names) for module, names in (OF_PRIVATE_MODULES | modules).items() if names}


def formatted(source: str, path: Path) -> str:
    """Return the source in the project's format, with sorted imports and names."""
    for arguments in (["check", "--fix", "--exit-zero", "--quiet", "--select", "I,RUF022"], ["format", "--quiet"]):
        config = str(Path(__file__).parents[2] / "pyproject.toml")  # the package may be installed elsewhere
        command = [sys.executable, "-m", "ruff", *arguments, "--config", config, "--stdin-filename", str(path), "-"]
        source = subprocess.run(command, input=source, capture_output=True, check=True, text=True).stdout
    return source


def names_module() -> str:
    """Return the generated text of `_names.py`."""
    source = NAMES.read_text()
    table = f"_MODULES = { ({module: tuple(names) for module, names in public_names().items()})!r}\n"
    return formatted(re.sub(r"(?ms)^_MODULES = \{.*?^\}\n", lambda _: table, source), NAMES)


def package() -> str:
    """Return the generated text of `__init__.py`."""
    names = public_names()
    public = {module: ", ".join(f"{name} as {name}" for name in names[module]) for module in names}
    imports = "".join(f"    from .{module} import {public[module]}\n" for module in names)
    source = re.sub(
        r"(?ms)(?<=^if TYPE_CHECKING:\n).*?(?=^\n    __all__)",
        lambda _: imports,
        PACKAGE.read_text(),
        flags=re.MULTILINE | re.DOTALL,
    )
    return formatted(source, PACKAGE)


if __name__ == "__main__":
    NAMES.write_text(names_module())
    PACKAGE.write_text(package())
