"""Write what type checkers and editors follow: plain classes with plain methods, one for each style of each family.

    python scripts/faces.py           write src/subscribekit/_faces anew
    python scripts/faces.py --check   say what differs, and fail when something does

An operation is written once, as a method that describes its call (`_core/client/binding.py`). How that method is
called in a style is a matter of rule, and the rule is here: an engine that does not follow descriptors and overloads
(Jedi, PyCharm) sees the same as one that does. Nothing of it is imported when a program runs.
"""

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "subscribekit"
FACES = SOURCE / "_faces"
CORE = "_core/client"
GROUPS = {
    "billing/client.py": "Billing",
    "gateway.py": "Gateway",
    "user_mgmt.py": "UserMgmt",
    "storefront.py": "Storefront",
}

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Style:
    """A way to call operations: where its faces are, how they are named and what they return."""

    folder: str
    prefix: str
    operation: str
    listing: str
    is_async: bool = False
    client: str | None = None
    before: str = ""
    """The beginning of the first line of an operation's docstring."""


STYLES = (
    Style("blocking", "", "{}", "Pager[{}]", client="BlockingClient"),
    Style("asynchronous", "Async", "{}", "AsyncPager[{}]", is_async=True, client="AsyncClient"),
    Style("raw", "Raw", "Response[{}]", "RawPager[{}]"),
    Style("asynchronous_raw", "AsyncRaw", "Response[{}]", "AsyncRawPager[{}]", is_async=True),
    Style("prepared", "Prepared", "PreparedRequest[{}]", "PreparedRequest[Page[{}]]", before="The unsent request to "),
)

_LONGEST = 85

# Names that the rules above add to those of the source.
KNOWN = {
    "Pager": "_core.lists.pager", "AsyncPager": "_core.lists.pager", "RawPager": "_core.lists.pager",
    "AsyncRawPager": "_core.lists.pager", "Response": "_core.calls.response",
    "PreparedRequest": "_core.calls.prepared.prepared_request", "Page": "_core.operations.readers",
    "BlockingClient": "_core.client.base", "AsyncClient": "_core.client.base", "JSON": "_json",
    "overload": "typing", "Generic": "typing", "Awaitable": "collections.abc",
    "AsyncHttpClient": "_core.http.given", "AsyncHttpTransport": "_core.http.given",
}  # fmt: skip


@dataclass
class Source:
    """A module of the package, and where its names come from."""

    path: str
    tree: ast.Module = field(init=False)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.tree = ast.parse((SOURCE / self.path).read_text(encoding="utf-8"))
        package = Path(self.path).parent.parts
        self.names = {}
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom):
                above = package[: len(package) - node.level + 1] if node.level else ()
                module = ".".join(
                    [*(("subscribekit", *above) if node.level else ()), *([node.module] if node.module else [])]
                )
                self.names |= {alias.asname or alias.name: module for alias in node.names}
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                own = "subscribekit." + self.path.removesuffix(".py").replace("/", ".")
                self.names |= {each.id: own for each in targets if isinstance(each, ast.Name)}

    def classes(self, base: str) -> Iterator[ast.ClassDef]:
        """Give the classes with a base of that name."""
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef) and any(
                ast.unparse(each).partition("[")[0] == base for each in node.bases
            ):
                yield node

    def method(self, owner: str, name: str) -> Definition:
        """Give a method of a class."""
        kind = next(each for each in self.tree.body if isinstance(each, ast.ClassDef) and each.name == owner)
        return next(each for each in ast.walk(kind) if isinstance(each, Definition) and each.name == name)


def documentation(node: ast.ClassDef | Definition, style: Style) -> str:
    """Return the docstring of a source: whole for the two clients, one line for what derives from them."""
    text = ast.get_docstring(node) or ""
    if style.client is not None:
        return text
    first = text.partition("\n\n")[0].replace("\n", " ")
    before = style.before if isinstance(node, Definition) and is_operation(node) and len(first) < _LONGEST else ""
    return f"{before}{first[0].lower()}{first[1:]}" if before else first


@dataclass
class Face:
    """One module of faces: a source in a style."""

    source: Source
    style: Style
    body: list[str] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)
    type_variables: set[str] = field(default_factory=set)

    def use(self, expression: str) -> str:
        """Take an expression of the source; its names will be imported."""
        for name in re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*", re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)):
            if name in ("M", "R", "T"):
                self.type_variables.add(name)
            elif name in KNOWN:
                module = KNOWN[name]
                self.used[name] = module if module in ("typing", "collections.abc") else f"subscribekit.{module}"
            elif name in self.source.names:
                self.used[name] = self.source.names[name]
        return expression

    def parameters(self, node: Definition, **changed: str) -> str:
        """Write the parameters, with their names imported; `changed` are other texts for some of them."""
        found = node.args
        texts = [
            each.arg if each.annotation is None else f"{each.arg}: {ast.unparse(each.annotation)}"
            for each in (*found.posonlyargs, *found.args)
        ]
        for at, value in enumerate(found.defaults, len(texts) - len(found.defaults)):
            # A text stands for a name of the module.
            texts[at] += f" = {ast.unparse(value)}" if isinstance(value, ast.Constant) else ' = "..."'
        if found.posonlyargs:
            texts.insert(len(found.posonlyargs), "/")
        if found.kwonlyargs:
            texts.append("*")
        for each, default in zip(found.kwonlyargs, found.kw_defaults, strict=True):
            text = f"{each.arg}: {ast.unparse(each.annotation) if each.annotation else ''}"
            text += "" if default is None else f" = {ast.unparse(default)}"
            texts.append(changed.get(each.arg, text))
        return ", ".join(self.use(each) for each in texts)

    def write(self, node: Definition, returned: str, *decorators: str, is_async: bool = False, **changed: str) -> str:
        """Write a method that returns something."""
        lines = [f"@{self.use(each)}" for each in decorators]
        keyword = "async def" if is_async else "def"
        lines.append(f"{keyword} {node.name}({self.parameters(node, **changed)}) -> {self.use(returned)}:")
        lines.append(indent(f'"""{documentation(node, self.style)}\n"""', "    "))
        text = "\n".join(lines)
        return text.replace('\n    """', '"""') if "\n\n" not in text else text

    def operation(self, node: Definition) -> list[str]:
        """Write an operation or a list as it is called."""
        described = node.returns
        if not isinstance(described, ast.Subscript):
            raise TypeError(f"{node.name} must say what it describes")
        inner = ast.unparse(described.slice)
        if ast.unparse(described.value) == "Listing":
            return [self.write(node, self.style.listing.format(inner))]
        if inner != "R":
            return [self.write(node, self.style.operation.format(inner), is_async=self.style.is_async)]
        results = {
            "M": "result: type[M]",
            "dict[str, JSON]": "result: type[dict[str, JSON]] = ...",
            "list[JSON]": "result: type[list[JSON]]",
        }
        return [
            self.write(node, self.style.operation.format(kind), "overload", is_async=self.style.is_async, result=result)
            for kind, result in results.items()
        ]

    def define(self, node: ast.ClassDef, name: str, bases: str, methods: list[str]) -> None:
        """Add a class."""
        heading = f"class {name}({self.use(bases)}):" if bases else f"class {name}:"
        own = (
            f'"""{documentation(node, Style("", "", "", "", client=""))}\n"""'
            if "\n" in (ast.get_docstring(node) or "")
            else f'"""{ast.get_docstring(node)}"""'
        )
        between = "\n" if self.style.client is None else "\n\n"
        self.body.append("\n".join([heading, indent(between.join([own, *methods]), "    ")]))

    def family(self, node: ast.ClassDef) -> None:
        """Add the face of a family."""
        generic = "Generic[M]" if any("Generic[" in ast.unparse(each) for each in node.bases) else ""
        methods = [text for each in operations(node) for text in self.operation(each)]
        self.define(node, self.style.prefix + node.name, generic, methods)

    def group(self, node: ast.ClassDef, name: str) -> None:
        """Add the face of a group: its families, and the calls that have no method."""
        methods: list[str] = []
        for each in node.body:
            if not isinstance(each, ast.FunctionDef) or each.returns is None:
                continue
            written = each.returns.value if isinstance(each.returns, ast.Constant) else ast.unparse(each.returns)
            kind, _, parameters = str(written).partition("[")
            mine = self.style.prefix + kind
            is_family = parameters == "D]"
            methods.append(self.write(each, mine if is_family else f"{mine}[M]", *(["property"] if is_family else [])))
            if kind not in {own.name for own in self.source.classes("Resource")}:
                self.used[mine] = face_module(self.style, kind)
        shared = Face(Source(f"{CORE}/resources.py"), self.style, used=self.used, type_variables=self.type_variables)
        methods += shared.operation(shared.source.method("Resources", "request"))
        if self.style.client is not None:
            methods += self.client(name)
        self.define(node, resources(self.style, name), self.style.client or "", methods)

    def client(self, name: str) -> list[str]:
        """Write what a client has beside its operations."""
        module = "subscribekit." + self.source.path.removesuffix(".py").replace("/", ".")
        client = f"{self.style.prefix}{name}Client"
        self.used[client] = module
        base = Face(Source(f"{CORE}/base.py"), self.style, used=self.used)
        folder = module.removeprefix("subscribekit.")
        raw = next(each for each in STYLES if each.folder == ("asynchronous_raw" if self.style.is_async else "raw"))
        for other in (raw, STYLES[-1]):
            self.used[resources(other, name)] = f"subscribekit._faces.{other.folder}.{folder}"
        return [
            *(self.constructor(f"{name}Client") if self.style.is_async else []),
            base.write(base.source.method("Base", "with_raw_response"), resources(raw, name), "property"),
            base.write(base.source.method("Base", "prepare"), resources(STYLES[-1], name), "property"),
            base.write(base.source.method("Base", "with_options"), client),
            base.write(base.source.method("Base", "preload"), "None"),
        ]

    def constructor(self, blocking: str) -> list[str]:
        """Write the constructor of an async client: that of the blocking one, with the async kinds in its types."""
        node = self.source.method(blocking, "__init__")
        changed: dict[str, str] = {}
        for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            kind = re.sub(r"\b(HttpTransport|HttpClient)\b", r"Async\1", ast.unparse(each.annotation or each))
            kind = kind.replace("Callable[[], str]", "Callable[[], str] | Callable[[], Awaitable[str]]")
            changed[each.arg] = f"{each.arg}: {kind}" + ("" if default is None else f" = {ast.unparse(default)}")
        first, _, rest = (ast.get_docstring(node) or "").partition("\n\n")
        told = f"The arguments are those of `{blocking}`; a callable may also be a coroutine function."
        node.body[0] = ast.Expr(ast.Constant(f"{first}\n\n{told}\n\nRaises:{rest.rpartition('Raises:')[2]}"))
        return [self.write(node, "None", is_async=False, **changed)]

    def __str__(self) -> str:
        by_module: dict[str, set[str]] = {}
        for name, module in self.used.items():
            by_module.setdefault(module, set()).add(name)
        if self.type_variables:
            by_module.setdefault("typing", set()).add("TypeVar")
            by_module.setdefault("subscribekit.models._base", set()).add("Model")
        imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_module.items())]
        variables = [f'{name} = TypeVar("{name}", bound=Model)' for name in sorted(self.type_variables)]
        style = self.style.folder.replace("_", " ")
        title = f'"""The operations of `{self.source.path}`, {style}; written by scripts/faces.py."""'
        return "\n".join([title, "", *imports, "", *variables, "", "\n\n".join(self.body), ""])


def is_operation(node: Definition) -> bool:
    """Tell whether a method is an operation or a list."""
    return not {ast.unparse(mark) for mark in node.decorator_list}.isdisjoint(("operation", "listing"))


def operations(node: ast.ClassDef) -> Iterator[Definition]:
    """Return the operations and lists of a class."""
    return (each for each in node.body if isinstance(each, Definition) and is_operation(each))


def resources(style: Style, group: str) -> str:
    """Name the face of a group: not as the class that runs."""
    return f"{style.prefix or 'Blocking'}{group}Resources"


def face_module(style: Style, kind: str) -> str:
    """Find the module of faces that has the face of a family."""
    for path in sources():
        if any(each.name == kind for each in Source(path).classes("Resource")):
            if path in GROUPS:
                continue
            return f"subscribekit._faces.{style.folder}." + path.removeprefix(f"{CORE}/").removesuffix(".py").replace(
                "/", "."
            )
    raise LookupError(kind)


def sources() -> list[str]:
    """Give the modules that have operations."""
    paths = [
        f"{CORE}/collections.py",
        *GROUPS,
        *(f"billing/{each.name}" for each in sorted(SOURCE.glob("billing/[a-z]*.py"))),
    ]
    return list(dict.fromkeys(paths))


def faces() -> dict[str, str]:
    """Give every module of faces by its path below `_faces`, not formatted yet."""
    clients = [
        f"from subscribekit._faces.{style.folder}.{path.removesuffix('.py').replace('/', '.')} import {name} as {name}"
        for path, group in GROUPS.items()
        for style in STYLES
        if style.client is not None and (name := resources(style, group))
    ]
    title = '"""What type checkers and editors follow; written by scripts/faces.py."""'
    written: dict[str, str] = {"__init__.pyi": "\n".join([title, "", *clients, ""])}
    for style in STYLES:
        written[f"{style.folder}/__init__.pyi"] = (
            f'"""The operations of all groups, {style.folder.replace("_", " ")}."""\n'
        )
        written[f"{style.folder}/billing/__init__.pyi"] = '"""The billing API (group A)."""\n'
        for path in sources():
            face = Face(Source(path), style)
            for node in face.source.classes("Resource"):
                face.family(node)
            for node in face.source.classes("Resources"):
                face.group(node, GROUPS[path])
            if face.body:
                written[f"{style.folder}/{path.removeprefix(f'{CORE}/').removesuffix('.py')}.pyi"] = str(face)
    return written


def write(folder: Path) -> None:
    """Write all faces, formatted by the project's rules."""
    for path, text in faces().items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    ruff, settings = (sys.executable, "-m", "ruff"), ("--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml"))
    subprocess.run([*ruff, "check", *settings, "--select", "I,D200,D209", "--fix", str(folder)], check=True)
    subprocess.run([*ruff, "format", *settings, str(folder)], check=True)


def differences() -> list[str]:
    """Name the files that are not as they would be written now."""
    with tempfile.TemporaryDirectory() as name:
        write(Path(name))
        wanted, present = (
            {str(path.relative_to(at)): path.read_bytes() for path in at.rglob("*.pyi")} for at in (Path(name), FACES)
        )
    return sorted(path for path in wanted.keys() | present.keys() if wanted.get(path) != present.get(path))


def main() -> None:
    """Write or check."""
    if "--check" in sys.argv[1:]:
        sys.exit("\n".join(["not as scripts/faces.py writes them:", *found]) if (found := differences()) else 0)
    for path in FACES.rglob("*.pyi"):
        path.unlink()
    write(FACES)


if __name__ == "__main__":
    main()
