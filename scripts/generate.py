"""Generate the classes that users call, from the functions that describe their operations.

    python scripts/generate.py           write src/subscribekit/_generated, and the sync iterators
    python scripts/generate.py --check   list what differs, and fail if anything does

An operation is described once, by a function in `src/subscribekit/_operations`. This script writes a method for it in
five forms: sync, async, raw sync, raw async, and prepared. It also writes the constructors of the async clients, from
those of the sync clients, and the sync iterators over lists, from the async ones. It needs ruff and unasync, which
`pip install -e '.[dev]'` installs.
"""

import ast
import builtins
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent, indent

from client_options import differences as differences_of_options
from docstrings import documented, first_line

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "subscribekit"
OPERATIONS, GENERATED = SOURCE / "_operations", SOURCE / "_generated"
GROUPS = {
    "billing": ("Billing", "billing/client.py"),
    "gateway": ("Gateway", "gateway/client.py"),
    "user_mgmt": ("UserMgmt", "user_mgmt/client.py"),
    "storefront": ("Storefront", "storefront/client.py"),
}
"""The name of each group in its classes, and the file of its sync client."""
PUBLIC = tuple("." + path.removesuffix(".py").replace("/", ".") for _, path in GROUPS.values())
"""The modules of the clients, which import the generated ones."""
LAZY = "billing"
"""The group whose resources are imported when they are first used, because it has many resources."""
RESOURCES = "._core.client.resources"


@dataclass(frozen=True)
class Form:
    """A form of the generated classes.

    Attributes:
        folder: The folder below `_generated`.
        prefix: The beginning of the names of its classes.
        base: The base of its classes.
        result: What a call returns; `{}` is the result of the operation.
        listed: What a list returns; `{}` is the item.
        is_async: Whether calls are coroutine functions.
        is_whole: Whether methods have complete docstrings.
    """

    folder: str
    prefix: str
    base: str
    result: str
    listed: str
    is_async: bool = False
    is_whole: bool = False


FORMS = (
    Form("sync", "", "SyncResource", "{}", "Pager[{}]", is_whole=True),
    Form("aio", "Async", "AsyncResource", "{}", "AsyncPager[{}]", is_async=True, is_whole=True),
    Form("raw_sync", "Raw", "RawResource", "Response[{}]", "RawPager[{}]"),
    Form("raw_aio", "AsyncRaw", "AsyncRawResource", "Response[{}]", "AsyncRawPager[{}]", is_async=True),
    Form("prepared", "Prepared", "PreparedResource", "PreparedRequest[{}]", "PreparedRequest[Page[{}]]"),
)
DRIVERS = {"sync": "Driver", "raw_sync": "Driver", "prepared": "EitherDriver"}

KNOWN = {
    "Pager": "._core.lists.pager", "AsyncPager": "._core.lists.pager_async", "RawPager": "._core.lists.pager",
    "AsyncRawPager": "._core.lists.pager_async", "Response": "._core.calls.response",
    "PreparedRequest": "._core.calls.prepared.prepared_request", "Page": "._core.operations.readers",
    "EitherDriver": "._core.calls.driver", "Driver": "._core.calls.driver",
    "AsyncDriver": "._core.calls.driver_async", "Model": ".models._base", "keeping": RESOURCES,
    "AsyncHttpClient": "._core.http.given", "AsyncHttpTransport": "._core.http.given",
    "AsyncClient": "._core.client.async_client",
    "overload": "typing", "Generic": "typing", "TypeVar": "typing", "TYPE_CHECKING": "typing",
    "Awaitable": "collections.abc", "JSON": "._json",
    **{form.base: f"{RESOURCES}{'_async' * form.is_async}" for form in FORMS},
}  # fmt: skip
"""The modules of names that only the generated code uses. The names of the package's modules start with a dot."""


TYPE_VARIABLES = {"M": 'M = TypeVar("M", bound=Model)', "R": 'R = TypeVar("R")'}


@dataclass
class Source:
    """A handwritten module of the package, and the modules of the names that it imports."""

    path: Path
    tree: ast.Module = field(init=False)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.names = {}
        package = list(self.path.relative_to(SOURCE).parent.parts)
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom):
                above = package[: len(package) - node.level + 1] if node.level else []
                inside = "." if node.level else ""
                module = inside + ".".join([*above, *([node.module] if node.module else [])])
                self.names |= {alias.asname or alias.name: module for alias in node.names}
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.names |= {each.id: self.module for each in targets if isinstance(each, ast.Name)}
            elif isinstance(node, ast.ClassDef):
                self.names[node.name] = self.module

    @property
    def module(self) -> str:
        """The dotted path below the package, with a dot before it."""
        return "." + ".".join(self.path.relative_to(SOURCE).with_suffix("").parts)

    @property
    def functions(self) -> list[ast.FunctionDef]:
        """The public functions of the module."""
        return [each for each in self.tree.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]


@dataclass(frozen=True)
class Operation:
    """A function that describes an operation.

    Attributes:
        node: The function.
        method: The name of the method.
        source: The expression that states its source.
    """

    node: ast.FunctionDef
    method: str
    source: str


@dataclass
class Family:
    """A module of descriptions, and the class that is generated from it."""

    source: Source
    operations: list[Operation] = field(default_factory=list[Operation])
    maker: ast.FunctionDef | None = None
    """The function with the arguments of the client's method for the resource, if that method has arguments."""

    def __post_init__(self) -> None:
        for node in self.source.functions:
            stated = next((each for each in node.decorator_list if ast.unparse(each).startswith("describes(")), None)
            if isinstance(stated, ast.Call):
                name = ast.literal_eval(stated.args[1])
                source = next(ast.unparse(each.value) for each in stated.keywords if each.arg == "source")
                self.operations.append(Operation(node, name.rpartition(".")[2], source))
            else:
                self.maker = node

    @property
    def name(self) -> str:
        """The attribute of the client."""
        return self.source.path.stem

    @property
    def title(self) -> str:
        """The name of the sync class."""
        return self.name.title().replace("_", "")

    @property
    def is_generic(self) -> bool:
        """Whether the class has a type variable for the model."""
        return self.maker is not None

    @property
    def text(self) -> str:
        """The docstring of the class."""
        return ast.get_docstring(self.source.tree) or ""


def families(group: str) -> list[Family]:
    """Return the families of a group. Those that are attributes of the client come first."""
    found = [Family(Source(path)) for path in sorted((OPERATIONS / group).glob("[a-z]*.py"))]
    return sorted(found, key=lambda each: each.is_generic)


def taken(node: ast.FunctionDef) -> tuple[list[ast.arg], list[ast.arg]]:
    """Return the parameters that the resource provides, and the other positional ones."""
    positional, defaults = [*node.args.posonlyargs, *node.args.args], len(node.args.defaults)
    provided = [each for at, each in enumerate(node.args.posonlyargs) if at < len(positional) - defaults]
    return provided, [each for each in positional if each not in provided]


class Module:
    """One generated module: its text, and the names that it imports."""

    def __init__(self, form: Form, group: str, source: Source, title: str) -> None:
        self.form, self.group, self.source, self.title = form, group, source, title
        self.body: list[str] = []
        self.imported: dict[str, set[str]] = {}
        self.lazy: dict[str, set[str]] = {}
        self.type_variables: set[str] = set()

    def use(self, expression: str, source: Source | None = None) -> str:
        """Return an expression, and import its names in the module."""
        known = (source or self.source).names
        for name in re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*", re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)):
            if name in TYPE_VARIABLES:
                self.type_variables.add(name)
            elif name in KNOWN or known.get(name) not in (None, *PUBLIC):
                self.imported.setdefault(KNOWN.get(name) or known[name], set()).add(name)
            elif not hasattr(builtins, name):
                raise LookupError(f"{self.source.path}: {name} is neither imported nor defined")
        return expression

    def parameters(self, node: ast.FunctionDef, source: Source | None = None) -> str:
        """Return the parameters of a method, from those of the function that describes it."""
        _, positional = taken(node)
        texts = [f"{each.arg}: {self._annotation(each, source)}" for each in positional]
        for at, value in enumerate(node.args.defaults, len(texts) - len(node.args.defaults)):
            texts[at] += f" = {self.use(ast.unparse(value), source)}"
        if own := sum(each in positional for each in node.args.posonlyargs):
            texts.insert(own, "/")
        if node.args.kwonlyargs:
            texts.append("*")
        for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            end = "" if default is None else f" = {self.use(ast.unparse(default), source)}"
            texts.append(f"{each.arg}: {self._annotation(each, source)}{end}")
        return ", ".join(["self", *texts])

    def _annotation(self, argument: ast.arg, source: Source | None) -> str:
        if argument.annotation is None:
            raise TypeError(f"{argument.arg} needs a type")
        return self.use(ast.unparse(argument.annotation), source)

    def arguments(self, node: ast.FunctionDef) -> str:
        """Return the arguments with which a method calls the function that describes it."""
        provided, positional = taken(node)
        named = [f"{each.arg}={each.arg}" for each in node.args.kwonlyargs]
        return ", ".join([*(f"self._{each.arg}" for each in provided), *(each.arg for each in positional), *named])

    def operation(self, operation: Operation, source: Source, describe: str = "describe") -> Iterator[str]:
        """Write the method of an operation, and its overloads."""
        if "Operation[R]" in ast.unparse(operation.node.returns or operation.node):
            yield from self._overloads(operation, source)
        node = operation.node
        call = f"{describe}.{node.name}, {self.arguments(node)}".removesuffix(", ")
        whole = documented(ast.get_docstring(node) or "", operation.source)
        text = whole if self.form.is_whole else first_line(whole, is_prepared=self.form.folder == "prepared")
        returned = f"self._call({call})"
        if ast.unparse(node.returns or node).startswith("Listing["):
            kind = self.form.listed.partition("[")[0]
            is_prepared = self.form.folder == "prepared"
            returned = f"self._list({call})" if is_prepared else f"{kind}(self._driver, *self._described({call}))"
        elif self.form.is_async:
            returned = f"await {returned}"
        yield "\n".join([self._heading(operation, source), indent(quoted(text), "    "), f"    return {returned}"])

    def _overloads(self, operation: Operation, source: Source) -> Iterator[str]:
        """Write the overloads of the operation whose result the caller chooses."""
        for kind, default in RESULTS.items():
            self.use(kind)
            text = self._heading(operation, source).replace("result: type[R] = DICT", f"result: type[{kind}]{default}")
            text = re.sub(r"(?<=-> )R(?=:$)|R(?=\]:$)", kind, text)
            yield f"@{self.use('overload')}\n{text} ..."

    def _heading(self, operation: Operation, source: Source) -> str:
        written = ast.unparse(operation.node.returns or operation.node)
        kind, inner = written.partition("[")[0], written.partition("[")[2].removesuffix("]")
        is_coroutine = self.form.is_async and kind == "Operation"
        returned = (self.form.listed if kind == "Listing" else self.form.result).format(inner)
        head = f"{'async ' * is_coroutine}def {operation.method}({self.parameters(operation.node, source)})"
        return f"{head} -> {self.use(returned, source)}:"

    def define(self, heading: str, text: str, members: list[str]) -> None:
        """Add a class."""
        between = "\n\n"
        self.body.append(f"{heading}\n" + indent(between.join([quoted(text), *members]), "    "))

    def __str__(self) -> str:
        where = f"src/subscribekit/{self.source.path.relative_to(SOURCE).as_posix()}"
        lines = [f"# Generated by scripts/generate.py from {where}; edit that file.", quoted(self.title), ""]
        if self.type_variables:
            self.use("TypeVar")
        if "M" in self.type_variables:
            self.use("Model")
        if self.lazy:
            self.use("TYPE_CHECKING")
        lines += [self._import(module, names) for module, names in sorted(self.imported.items())]
        if self.lazy:
            lines += ["", "if TYPE_CHECKING:"]
            lines += [f"    {self._import(module, names)}" for module, names in sorted(self.lazy.items())]
        lines += ["", "__tracebackhide__ = True", ""]
        lines += [*(TYPE_VARIABLES[name] for name in sorted(self.type_variables)), ""]
        return "\n".join([*lines, "", "\n\n\n".join(self.body), ""])

    def _import(self, module: str, names: set[str]) -> str:
        return f"from {self.relative(module)} import {', '.join(sorted(names))}"

    def relative(self, module: str) -> str:
        """Return how this module imports another one of the package."""
        own = f"._generated.{self.form.folder}.{self.group}."
        if not module.startswith("."):
            return module
        if module.startswith(own):
            return f".{module.removeprefix(own)}"
        return f"...{module.removeprefix('._generated.')}" if module.startswith("._generated.") else f"...{module}"


def quoted(text: str) -> str:
    """Return a docstring."""
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


def family(form: Form, group: str, made: Family) -> Module:
    """Return the module of a family."""
    source = made.source
    module = Module(form, group, source, made.text.partition("\n")[0])
    package, _, stem = source.module.rpartition(".")
    module.imported.setdefault(package, set()).add(f"{stem} as describe")
    bases = module.use(form.base) + (", " + module.use("Generic[M]") if made.is_generic else "")
    members = [f'_name = "{made.name}"'] if made.maker is None else [constructor_of_family(module, made.maker)]
    for each in made.operations:
        members += module.operation(each, source)
    module.define(f"class {form.prefix}{made.title}({bases}):", made.text, members)
    return module


def constructor_of_family(module: Module, maker: ast.FunctionDef) -> str:
    """Return the constructor of a class whose resource takes arguments."""
    kind = module.use(ast.unparse(maker.returns or maker))
    name = kind.partition("[")[0].lower()
    driver = module.use(DRIVERS.get(module.form.folder, "AsyncDriver"))
    return (
        f"def __init__(self, driver: {driver}, {name}: {kind}) -> None:\n"
        f"    super().__init__(driver)\n    self._{name} = {name}\n"
        f"    self._name, self._provided = {name}.name, ({name},)"
    )


def resources(form: Form, group: str) -> Module:
    """Return the module with the resources of a group."""
    found, name = families(group), GROUPS[group][0]
    free = Family(Source(OPERATIONS / "request.py"))
    package = Source(OPERATIONS / group / "__init__.py")
    module = Module(form, group, package, f"The resources of {package_title(package)}")
    module.imported.setdefault("._operations", set()).add("request as free")
    members: list[str] = []
    for each in found:
        where, kind = f"._generated.{form.folder}.{group}.{each.name}", form.prefix + each.title
        is_lazy = group == LAZY and each.maker is None
        (module.lazy if is_lazy else module.imported).setdefault(where, set()).add(kind)
        if each.maker is not None:
            members.append(made_with_arguments(module, each, kind))
            continue
        late = f"    from .{each.name} import {kind}\n\n" if is_lazy else ""
        annotation = f'"{kind}"' if is_lazy else kind
        text = quoted(each.text.partition("\n")[0])
        members.append(
            f"@property\ndef {each.name}(self) -> {annotation}:\n    {text}\n{late}    return {kind}(self._driver)"
        )
    for operation in free.operations:
        members += module.operation(operation, free.source, "free")
    if form.is_whole:
        members += other_forms(module, form, group)
    heading = f"@{module.use('keeping')}\nclass {form.prefix}{name}Resources({module.use(form.base)}):"
    module.define(heading, module.title, members)
    return module


def package_title(package: Source) -> str:
    """Return the title of a group, from the docstring of its package."""
    return (ast.get_docstring(package.tree) or "").removeprefix("The operations of ")


def made_with_arguments(module: Module, made: Family, kind: str) -> str:
    """Return the method of a client that creates a resource from arguments."""
    maker = made.maker
    if maker is None:
        raise TypeError(f"{made.name} takes no arguments")
    package, _, stem = made.source.module.rpartition(".")
    module.imported.setdefault(package, set()).add(f"{stem} as of_{stem}")
    head = f"def {maker.name}({module.parameters(maker, made.source)}) -> {kind}[M]:"
    text = ast.get_docstring(maker) or ""
    text = text if module.form.is_whole else text.partition("\n")[0]
    made_from = f"of_{stem}.{maker.name}({module.arguments(maker)})"
    return "\n".join([head, indent(quoted(text), "    "), f"    return {kind}(self._driver, {made_from})"])


RESULTS = {"M": "", "dict[str, JSON]": " = ...", "list[JSON]": ""}
"""The results of the operation whose result the caller chooses, each with the default of its parameter."""
OTHER_FORMS = {
    "with_raw_response": "The same methods, returning `Response` with status, headers, ids, attempts and time.",
    "prepare": "The same methods, returning the exact request and sending nothing.",
}


def other_forms(module: Module, form: Form, group: str) -> Iterator[str]:
    """Write the attributes of a client that lead to the other forms of its methods."""
    raw = next(each for each in FORMS if each.folder == ("raw_aio" if form.is_async else "raw_sync"))
    for (name, text), other in zip(OTHER_FORMS.items(), (raw, FORMS[-1]), strict=True):
        kind, where = f"{other.prefix}{GROUPS[group][0]}Resources", f"._generated.{other.folder}.{group}.resources"
        module.lazy.setdefault(where, set()).add(kind)
        late = f"from {module.relative(where)} import {kind}"
        head = f'@property\ndef {name}(self) -> "{kind}":\n    """{text}"""'
        yield f"{head}\n    {late}\n\n    return {kind}(self._driver)"


def async_client(form: Form, group: str) -> Module:
    """Return the module with the constructor of an async client, which is generated from that of the sync client."""
    name, path = GROUPS[group]
    source = Source(SOURCE / path)
    node = constructor(source, f"{name}Client")
    module = Module(form, group, source, f"The constructor of `Async{name}Client`.")
    text = source.path.read_text(encoding="utf-8").splitlines()
    written = dedent("\n".join(text[node.lineno - 1 : node.end_lineno]))
    first = node.body[0]
    head_of = first.lineno - node.lineno
    head, rest = "\n".join(written.splitlines()[:head_of]), "\n".join(written.splitlines()[head_of:])
    head = re.sub(r"\b(HttpTransport|HttpClient)\b", r"Async\1", head)
    head = head.replace("Callable[[], str]", "Callable[[], str] | Callable[[], Awaitable[str]]")
    rest = rest.replace("\n\n    Args:", "\n\n    A callable may also be a coroutine function.\n\n    Args:", 1)
    for each in ast.walk(ast.parse(f"{head}\n{rest}")):
        if isinstance(each, ast.Name) and not hasattr(builtins, each.id) and each.id in {*source.names, *KNOWN}:
            module.use(each.id)
    kind = f"Async{name}Resources"
    module.imported[f"._generated.aio.{group}.resources"] = {kind}
    module.define(f"class Async{name}Base({module.use('AsyncClient')}, {kind}):", module.title, [f"{head}\n{rest}"])
    return module


def constructor(source: Source, owner: str) -> ast.FunctionDef:
    """Return the constructor of a class."""
    kind = next(each for each in source.tree.body if isinstance(each, ast.ClassDef) and each.name == owner)
    return next(each for each in kind.body if isinstance(each, ast.FunctionDef) and each.name == "__init__")


def modules() -> dict[str, str]:
    """Return every generated module by its path below `_generated`, not formatted yet."""
    title = "# Generated by scripts/generate.py from src/subscribekit/_operations.\n"
    written = {"__init__.py": f'{title}"""The classes that users call; scripts/generate.py writes them."""\n'}
    for form in FORMS:
        written[f"{form.folder}/__init__.py"] = f'{title}"""The operations of all groups, {form.folder}."""\n'
        for group in GROUPS:
            place = f"{form.folder}/{group}"
            package = Source(OPERATIONS / group / "__init__.py")
            written[f"{place}/__init__.py"] = title + quoted(ast.get_docstring(package.tree) or "") + "\n"
            for each in families(group):
                written[f"{place}/{each.name}.py"] = str(family(form, group, each))
            written[f"{place}/resources.py"] = str(resources(form, group))
            if form.folder == "aio":
                written[f"{place}/client.py"] = str(async_client(form, group))
    return written


def write(package: Path) -> list[Path]:
    """Write all generated modules below a folder, formatted by the project's rules, and return their paths."""
    from unasynced import sync_modules  # imports unasync, and `main` says if that is missing

    texts = {f"{GENERATED.name}/{path}": text for path, text in modules().items()} | sync_modules(SOURCE)
    for old in (package / GENERATED.name).rglob("*.py"):
        old.unlink()
    paths = [package / each for each in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ruff, settings = (sys.executable, "-m", "ruff"), ("--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml"))
    subprocess.run([*ruff, "check", *settings, "--select", "I,D200,D209", "--fix", *map(str, paths)], check=True)
    subprocess.run([*ruff, "format", *settings, *map(str, paths)], check=True)
    return paths


def differences() -> list[str]:
    """Return the files whose content differs from the generated content."""
    with tempfile.TemporaryDirectory() as name:
        wanted = {path.relative_to(name).as_posix(): path.read_bytes() for path in write(Path(name))}
    present = {path.relative_to(SOURCE).as_posix() for path in GENERATED.rglob("*.py")} | wanted.keys()
    return sorted(path for path in present if wanted.get(path) != _content(SOURCE / path))


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def main() -> None:
    """Write the files, or check them."""
    missing = [name for name in ("ruff", "subscribekit", "unasync") if find_spec(name) is None]
    if missing:
        sys.exit(f"scripts/generate.py needs {', '.join(missing)}: run python -m pip install -e '.[dev]'")
    clients = {name: SOURCE / path for name, path in GROUPS.values()}
    texts = {
        name: ast.get_docstring(constructor(Source(path), f"{name}Client")) or "" for name, path in clients.items()
    }
    wrong = differences_of_options(texts)
    if "--check" in sys.argv[1:]:
        if found := differences():
            wrong += ["Run python scripts/generate.py and commit the result; these files differ:", *found]
        sys.exit("\n".join(wrong) if wrong else 0)
    write(SOURCE)
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
