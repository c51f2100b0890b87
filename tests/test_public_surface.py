"""The public names: complete, documented, typed without holes, and the same in both styles."""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import pyarrow as pa
import pytest

import subscribekit
from looped import looped
from subscribekit import models
from subscribekit._core.calls.drivers import AsyncDriver, Driver
from subscribekit._core.client.binding import Resource, listing, operation
from subscribekit._core.lists.pager import AsyncPager, AsyncRawPager, Pager, RawPager
from subscribekit.billing.client import BillingResources
from subscribekit.export import AsyncRecordBatches
from subscribekit.gateway import GatewayResources
from subscribekit.models._names import MODULE_OF as MODEL_MODULES
from subscribekit.storefront import StorefrontResources
from subscribekit.user_mgmt import UserMgmtResources

ROOT = Path(subscribekit.__file__).parent
OPTIONAL = ("subscribekit.otel", "subscribekit.testing", "subscribekit.transports", "subscribekit.sandbox.")

# The names that users import; none of them may go.
PROMISED = {
    "BillingClient", "AsyncBillingClient", "GatewayClient", "AsyncGatewayClient", "UserMgmtClient",
    "AsyncUserMgmtClient", "StorefrontClient", "AsyncStorefrontClient", "Environment", "WireNames", "RetryPolicy",
    "Timeouts", "Limits", "TraceContext", "Response", "ME", "new_transaction_id", "trace",
}  # fmt: skip

RESOURCES: dict[str, tuple[type[Any], type[Any], type[Any]]] = {
    "billing": (BillingResources, subscribekit.BillingClient, subscribekit.AsyncBillingClient),
    "gateway": (GatewayResources, subscribekit.GatewayClient, subscribekit.AsyncGatewayClient),
    "user_mgmt": (UserMgmtResources, subscribekit.UserMgmtClient, subscribekit.AsyncUserMgmtClient),
    "storefront": (StorefrontResources, subscribekit.StorefrontClient, subscribekit.AsyncStorefrontClient),
}


def walk_modules() -> list[str]:
    names = [info.name for info in pkgutil.walk_packages([str(ROOT)], "subscribekit.")]
    return ["subscribekit", *(name for name in names if not name.split(".")[-1].startswith("__"))]


MODULES = [name for name in walk_modules() if not name.startswith(OPTIONAL)]
PUBLIC_MODULES = [name for name in MODULES if "._" not in name and not name.startswith("subscribekit.sandbox.")]


def load(name: str) -> ModuleType:
    return importlib.import_module(name)


def names_for_checkers(path: Path) -> set[str]:
    """The names that a package on demand shows to type checkers."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            found |= {alias.name for each in node.body if isinstance(each, ast.ImportFrom) for alias in each.names}
    return found


# __all__


@looped("name", [name for name in PUBLIC_MODULES if hasattr(load(name), "__all__")])
def test_all_is_true_sorted_and_importable(name: str) -> None:
    module = load(name)
    exported = list(module.__all__)
    assert len(set(exported)) == len(exported)
    for each in exported:
        assert getattr(module, each) is not None
    assert set(exported) <= set(dir(module))
    own = {
        each
        for each, value in vars(module).items()
        if not each.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == name
    }
    resources = {each for each in own if issubclass_of(getattr(module, each), Resource) or each.endswith("Resources")}
    assert own - set(exported) - resources == set()


PUBLISHED = (
    "subscribekit",
    "subscribekit.bulk",
    "subscribekit.hooks",
    "subscribekit.reconcile",
    "subscribekit.transports",
    "subscribekit.webhooks",
)


@pytest.mark.parametrize("name", PUBLISHED)
def test_help_and_reprs_show_public_names_only(name: str) -> None:
    module = load(name)
    shown = {
        each: value.__module__
        for each in module.__all__
        if inspect.isclass(value := getattr(module, each)) or inspect.isfunction(value)
    }
    assert {each: home for each, home in shown.items() if "._" in home} == {}
    for each, home in shown.items():
        value = getattr(module, each)
        assert getattr(importlib.import_module(home), each) is value
        assert pickle.loads(pickle.dumps(value)) is value


def issubclass_of(value: object, kind: type) -> bool:
    return isinstance(value, type) and issubclass(value, kind)


def test_the_top_level_names() -> None:
    exported = set(subscribekit.__all__)
    assert exported >= PROMISED
    assert exported == names_for_checkers(ROOT / "__init__.py") | {"__version__"}
    assert exported == set(dir(subscribekit))
    for name in exported:
        assert getattr(subscribekit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = subscribekit.Nonsense  # type: ignore[attr-defined]  # the mistake is the subject
    assert not hasattr(subscribekit, "Sandbox")


def test_the_names_of_the_models() -> None:
    exported = set(models.__all__)
    assert exported == set(MODEL_MODULES) == names_for_checkers(ROOT / "models" / "__init__.py")
    for name in exported:
        assert getattr(models, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = models.Nonsense  # type: ignore[attr-defined]  # the mistake is the subject


def test_the_version_is_the_distribution_s() -> None:
    from importlib.metadata import version

    assert subscribekit.__version__ == version("subscribekit")


def test_the_package_is_marked_as_typed() -> None:
    assert (ROOT / "py.typed").exists()


# Documentation


def public_members(kind: type) -> Iterator[tuple[str, object]]:
    """The public names that a class itself adds."""
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        described = isinstance(value, operation | listing | property | cached_property | staticmethod | classmethod)
        if described or inspect.isfunction(value):
            yield name, value


def documented(value: object) -> str:
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    return (getattr(value, "__doc__", None) or "").strip()


def public_classes() -> Iterator[tuple[str, type]]:
    for name in MODULES:
        for each, value in vars(load(name)).items():
            if inspect.isclass(value) and value.__module__ == name and not each.startswith("_"):
                yield f"{name}.{each}", value


@looped(("name", "kind"), list(public_classes()))
def test_every_public_class_and_its_members_have_a_docstring(name: str, kind: type) -> None:
    own = vars(kind).get("__doc__") or ""
    assert own.strip(), name
    assert not own.startswith(f"{kind.__name__}("), f"{name} has only the docstring that dataclass makes"
    assert [member for member, value in public_members(kind) if not documented(value)] == []


@looped("name", PUBLIC_MODULES)
def test_every_public_function_has_a_docstring(name: str) -> None:
    module = load(name)
    bare = [
        each
        for each, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == name and not each.startswith("_") and not documented(value)
    ]
    assert bare == []


def field_statements(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Each public field of each public class with a body of annotations, and whether a text follows it."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for each, following in zip(node.body, [*node.body[1:], ast.Pass()], strict=True):
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                    yield node.name, each.target.id, text and isinstance(following.value.value, str)


@looped("path", sorted((ROOT / "models").glob("[a-z]*.py")))
def test_every_field_of_a_model_has_a_text(path: Path) -> None:
    models_of = {name for name in models.__all__ if issubclass_of(getattr(models, name), models.Model)}
    bare = [
        f"{model}.{name}"
        for model, name, text in field_statements(path)
        if model in models_of and not name.startswith("_") and name != "model_config" and not text
    ]
    assert bare == []


def values_with_fields() -> list[type]:
    return [
        kind
        for name, kind in public_classes()
        if hasattr(kind, "__dataclass_fields__")
        and ("._core.config." in name or name.endswith((".Response", ".Page", ".PreparedRequest", ".TraceContext")))
        and not name.endswith(".Address")
    ]


@pytest.mark.parametrize("kind", values_with_fields(), ids=lambda kind: kind.__name__)
def test_every_field_of_a_setting_is_described(kind: Any) -> None:
    text = inspect.getdoc(kind) or ""
    assert [name for name in kind.__dataclass_fields__ if name[0] != "_" and f"{name}:" not in text] == []


def test_every_attribute_of_an_error_is_described() -> None:
    from subscribekit import errors

    for name in errors.__all__:
        kind = getattr(errors, name)
        if issubclass_of(kind, errors.SubscribekitError):
            text = inspect.getdoc(kind) or ""
            fields = [each for each in vars(kind).get("__annotations__", {}) if each != "outcome"]
            assert [each for each in fields if f"{each}:" not in text] == [], name


# Operations


def families(group: str) -> dict[str, type]:
    resources = RESOURCES[group][0]
    found: dict[str, type] = {}
    for name, value in vars(resources).items():
        if isinstance(value, cached_property):
            sample = value.func(resources(driver=None))
            assert isinstance(sample, Resource), name
            found[name] = type(sample)
    return found


def resource_classes(group: str) -> set[type]:
    package = f"subscribekit.{group}"
    found: set[type] = set()
    for name in MODULES:
        if name == package or name.startswith(f"{package}."):
            for value in vars(load(name)).values():
                if issubclass_of(value, Resource) and value.__module__ == name:
                    found.add(value)
    return found


SOURCE = re.compile(r"\(E\d{1,2}\)|specification, Limits, rule 6|\bPublished\b|not published")


def operations(group: str) -> Iterator[tuple[str, type, str, Any]]:
    for family, kind in families(group).items():
        for name, value in vars(kind).items():
            if not name.startswith("_"):
                yield family, kind, name, value


ALL_OPERATIONS = [(group, *each) for group in RESOURCES for each in operations(group)]


@pytest.mark.parametrize("group", RESOURCES)
def test_every_family_hangs_on_its_client(group: str) -> None:
    attached = families(group)
    unattached = resource_classes(group) - set(attached.values())
    assert {kind.__name__ for kind in unattached} <= {"GenericResource"}, "reached by client.resource(...)"
    for name, kind in attached.items():
        assert kind.__name__.lower() == name.replace("_", ""), "a family is called as its class"


@looped(
    ("group", "family", "kind", "name", "value"),
    ALL_OPERATIONS,
)
def test_an_operation_is_a_documented_descriptor(group: str, family: str, kind: type, name: str, value: Any) -> None:
    assert isinstance(value, operation | listing), f"{kind.__name__}.{name} is neither an operation nor a listing"
    assert value.name == f"{family}.{name}"
    text = inspect.getdoc(value) or ""
    assert SOURCE.search(text), "the text says whether the specification or who else shows the operation"
    assert "Raises:" in text
    signature = inspect.signature(value.__wrapped__)
    arguments = [each for each in signature.parameters if each != "self"]
    assert not arguments or "Args:" in text
    for argument in arguments:
        assert f"{argument}: " in text, f"{argument} is not described"
    for parameter in signature.parameters.values():
        assert parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.name != "body":
            assert parameter.default is parameter.empty, f"{parameter.name} has a default and must be keyword-only"
    assert ("Returns:" in text) == ("None" not in str(signature.return_annotation))


@looped(("group", "family", "kind", "name", "value"), ALL_OPERATIONS)
def test_the_signature_and_text_are_the_same_in_every_form(
    group: str, family: str, kind: type, name: str, value: Any
) -> None:
    _, blocking, asynchronous = RESOURCES[group]
    described = inspect.signature(value.__wrapped__)
    expected = list(described.parameters)[1:]
    for client_kind in (blocking, asynchronous):
        client = client_kind(environment="sandbox")
        for holder in (client, client.with_raw_response, client.prepare):
            method = getattr(getattr(holder, family), name)
            assert list(inspect.signature(method).parameters) == expected
            assert inspect.getdoc(method) == inspect.getdoc(value)


def test_the_eleven_operations_have_their_names() -> None:
    names = {(group, f"{family}.{name}") for group, family, _, name, _ in ALL_OPERATIONS}
    assert names >= {
        ("billing", "payments.reverse"),
        ("billing", "campaigns.update"),
        ("billing", "accounts.list"),
        ("billing", "event_summaries.list"),
        ("gateway", "campaigns.activate"),
        ("gateway", "subscriptions.retrieve"),
        ("gateway", "partner_subscriptions.cancel"),
        ("gateway", "entitlements.charge"),
        ("user_mgmt", "custom_data.delete"),
        ("user_mgmt", "accounts.list"),
        ("user_mgmt", "entities.list"),
        ("storefront", "payment_methods.update"),
    }


# Both styles alike


def public_names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


PAIRS: list[tuple[type, type, dict[str, str]]] = [
    *((blocking, asynchronous, {"close": "aclose"}) for _, blocking, asynchronous in RESOURCES.values()),
    (Pager, AsyncPager, {}),
    (RawPager, AsyncRawPager, {}),
    (Driver, AsyncDriver, {"close": "aclose"}),
]


@pytest.mark.parametrize(
    ("blocking", "asynchronous", "renamed"), PAIRS, ids=lambda value: getattr(value, "__name__", "")
)
def test_both_styles_have_the_same_methods(blocking: type, asynchronous: type, renamed: dict[str, str]) -> None:
    assert {renamed.get(name, name) for name in public_names(blocking)} == public_names(asynchronous)
    for name in public_names(blocking):
        mine, other = getattr(blocking, name), getattr(asynchronous, renamed.get(name, name))
        if inspect.isfunction(mine):
            assert list(inspect.signature(mine).parameters) == list(inspect.signature(other).parameters), name


# No hole in the types


def annotations_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    arguments = node.args
    for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        if each.annotation is not None:
            yield ast.unparse(each.annotation)
    if node.returns is not None:
        yield ast.unparse(node.returns)


def public_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for each in node.body:
                if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and (
                    not each.name.startswith("_") or each.name in ("__init__", "__get__", "__call__")
                ):
                    yield each


SIGNATURES = [
    name
    for name in MODULES
    # The descriptors are looked at below; the machinery of the models stands for types that checkers see elsewhere.
    if name != "subscribekit._core.client.binding" and not name.startswith("subscribekit.models._")
]


PASSES_FILTERS_ON = {("subscribekit.export._partition", "partition")}
"""Functions that hand their further arguments to a list, which refuses what it does not take."""


@looped("name", SIGNATURES)
def test_no_public_signature_has_any_or_kwargs(name: str) -> None:
    path = Path(load(name).__file__ or "")
    for node in public_functions(path):
        if (name, node.name) in PASSES_FILTERS_ON:
            continue
        assert node.args.kwarg is None, f"{node.name} takes **{node.args.kwarg.arg if node.args.kwarg else ''}"
        assert not [each for each in annotations_of(node) if "Any" in each.replace("AnyOf", "")], node.name


def test_the_descriptors_use_any_only_inside() -> None:
    """The overloads that users meet name their types; only the implementation behind them says Any."""
    (kind,) = {next(each for each in kind.__mro__ if "__get__" in vars(each)) for kind in (operation, listing)}
    overloads = [
        each
        for each in ast.walk(ast.parse(inspect.getsource(kind)))
        if isinstance(each, ast.FunctionDef) and each.name == "__get__" and each.decorator_list
    ]
    assert len(overloads) == 2
    for overload in overloads:
        returned = ast.unparse(overload.returns) if overload.returns else ""
        assert "Any" not in returned.replace("Concatenate[Any, P]", "")


@looped(("group", "family", "kind", "name", "value"), ALL_OPERATIONS)
def test_an_operation_s_result_has_a_type(group: str, family: str, kind: type, name: str, value: Any) -> None:
    module = load(kind.__module__)
    hints = get_type_hints(value.__wrapped__, vars(module) | {"list": list})
    result = hints["return"]
    assert get_origin(result) is not None
    assert Any not in get_args(result)


WITH_HINTS = (
    "subscribekit", "subscribekit.billing", "subscribekit.bulk", "subscribekit.drift", "subscribekit.errors",
    "subscribekit.export", "subscribekit.filters", "subscribekit.gateway", "subscribekit.hooks", "subscribekit.models",
    "subscribekit.otel", "subscribekit.reconcile", "subscribekit.sandbox", "subscribekit.sandbox.faults",
    "subscribekit.storefront", "subscribekit.testing", "subscribekit.transports", "subscribekit.user_mgmt",
    "subscribekit.webhooks",
)  # fmt: skip
IMPORTED_LATE = {"pa": pa, "AsyncRecordBatches": AsyncRecordBatches}
"""Names of the extra `arrow` in annotations of `to_arrow` and `checkpoint_of`, which import it when they're called."""


def annotated(thing: object) -> Iterator[object]:
    """Return a public function, or a class with its own public methods and those of its bases in the package."""
    yield thing
    for base in thing.__mro__ if isinstance(thing, type) else ():
        if base.__module__.startswith("subscribekit"):
            for name, member in vars(base).items():
                if name == "__init__" or not name.startswith("_"):
                    yield getattr(member, "__func__", getattr(member, "fget", member))


@looped("home", WITH_HINTS)
def test_the_annotations_of_what_is_public_can_be_resolved(home: str) -> None:
    module = load(home)
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    found = [each for name in names for each in annotated(getattr(module, name))]
    for each in found:
        if isinstance(each, type | FunctionType) and each.__module__.startswith("subscribekit"):
            get_type_hints(each, localns=IMPORTED_LATE)
    assert found
