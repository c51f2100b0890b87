"""The public names are complete, documented, fully typed, and the same in sync and async."""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import pyarrow as pa
import pytest

import subscribekit
from descriptions import FORMS, GROUPS, OPERATIONS, families, family_class, family_names, methods
from kit.calls import Group
from looped import looped
from subscribekit import models
from subscribekit._core.calls.driver import Driver
from subscribekit._core.calls.driver_async import AsyncDriver
from subscribekit._core.client.described import NAMES, operations
from subscribekit._core.lists.listing import Listing
from subscribekit._core.lists.pager import Pager, RawPager
from subscribekit._core.lists.pager_async import AsyncPager, AsyncRawPager
from subscribekit._core.operations.operation import Operation
from subscribekit._generated.sync.billing.resources import BillingResources
from subscribekit._generated.sync.gateway.resources import GatewayResources
from subscribekit._generated.sync.storefront.resources import StorefrontResources
from subscribekit._generated.sync.user_mgmt.resources import UserMgmtResources
from subscribekit.export import AsyncRecordBatches
from subscribekit.models._names import MODULE_OF as MODEL_MODULES

ROOT = Path(subscribekit.__file__).parent
OPTIONAL = ("subscribekit.otel", "subscribekit.testing", "subscribekit.transports", "subscribekit.sandbox.")

# Names that users import, and that must not be removed.
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
    """Return the names that a lazy package imports for type checkers."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            found |= {alias.name for each in node.body if isinstance(each, ast.ImportFrom) for alias in each.names}
    return found


# __all__


@looped("name", [name for name in PUBLIC_MODULES if hasattr(load(name), "__all__")])
def test_all_is_unique_importable_and_complete(name: str) -> None:
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
    assert own - set(exported) == set()


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


def test_the_top_level_names_are_complete() -> None:
    exported = set(subscribekit.__all__)
    assert exported >= PROMISED
    assert exported == names_for_checkers(ROOT / "__init__.py") | {"__version__"}
    assert exported == set(dir(subscribekit))
    for name in exported:
        assert getattr(subscribekit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = subscribekit.Nonsense  # type: ignore[attr-defined]  # the mistake is the subject
    assert not hasattr(subscribekit, "Sandbox")


def test_the_names_of_the_models_are_complete() -> None:
    exported = set(models.__all__)
    assert exported == set(MODEL_MODULES) == names_for_checkers(ROOT / "models" / "__init__.py")
    for name in exported:
        assert getattr(models, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = models.Nonsense  # type: ignore[attr-defined]  # the mistake is the subject


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert subscribekit.__version__ == version("subscribekit")


def test_the_package_is_marked_as_typed() -> None:
    assert (ROOT / "py.typed").exists()


# Documentation


def public_members(kind: type) -> Iterator[tuple[str, object]]:
    """Yield the public members that a class defines itself."""
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        described = isinstance(value, property | cached_property | staticmethod | classmethod)
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
    """Yield each annotated field of each public class, and whether a docstring follows it."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for each, following in zip(node.body, [*node.body[1:], ast.Pass()], strict=True):
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                    yield node.name, each.target.id, text and isinstance(following.value.value, str)


@looped("path", sorted((ROOT / "models").glob("[a-z]*.py")))
def test_every_field_of_a_model_has_a_docstring(path: Path) -> None:
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


ALL_OPERATIONS = [
    (group, family, name, method) for group, family, kind in families() for name, method in methods(kind).items()
]
OPERATION = ("group", "family", "name", "method")


def descriptions() -> Iterator[tuple[Group, str, FunctionType]]:
    """Yield every public function that describes an operation, with its group and resource."""
    for group in GROUPS:
        for family in family_names(group):
            module = load(f"{OPERATIONS}.{group}.{family}")
            for name, value in vars(module).items():
                if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name[0] != "_":
                    yield group, family, value


@pytest.mark.parametrize("group", RESOURCES)
def test_every_resource_is_an_attribute_of_its_client(group: str) -> None:
    resources = RESOURCES[group][0]
    attached = {name for name, value in vars(resources).items() if isinstance(value, cached_property)}
    assert attached - {"with_raw_response", "prepare"} == {
        family for of, family, _ in families() if of == group and family != "generic_resource"
    }


@pytest.mark.parametrize("group", RESOURCES)
def test_the_classes_of_resources_can_be_imported_for_annotations(group: str) -> None:
    module = load(f"subscribekit.{group}")
    for family in family_names(group):  # type: ignore[arg-type]  # a key of the table
        for form in ("sync", "aio"):
            kind = family_class(group, family, form)  # type: ignore[arg-type]  # a key of the table
            assert getattr(module, kind.__name__) is kind
            assert kind.__name__ in module.__all__


def test_every_description_has_a_method_and_every_method_a_description() -> None:
    stated = {(each.group, each.name) for each in operations()}
    made = {(group, f"{family}.{name}") for group, family, name, _ in ALL_OPERATIONS}
    assert stated - made == {
        (None, "request"),
        ("billing", "cursor_collection.list"),
        ("user_mgmt", "offset_collection.list"),
    }
    assert made <= stated


def test_a_description_is_a_plain_function() -> None:
    """The decorator returns the function itself, and a call of the function only returns a value."""
    for group, family, function in descriptions():
        assert not hasattr(function, "__wrapped__"), function
        returned = get_origin(get_type_hints(function)["return"])
        if returned in (Operation, Listing):
            assert NAMES[function].startswith(f"{family}."), function
        else:
            assert function.__name__ in ("resource", "collection"), (group, function)


@looped(OPERATION, ALL_OPERATIONS)
def test_an_operation_is_documented(group: str, family: str, name: str, method: Any) -> None:
    text = inspect.getdoc(method) or ""
    assert "Raises:" in text
    signature = inspect.signature(method)
    arguments = [each for each in signature.parameters if each != "self"]
    assert not arguments or "Args:" in text
    for argument in arguments:
        assert f"{argument}: " in text, f"{argument} is not described"
    for parameter in signature.parameters.values():
        assert parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.name != "body":
            assert parameter.default is parameter.empty, f"{parameter.name} has a default and must be keyword-only"
    assert ("Returns:" in text) == (signature.return_annotation is not None)


@looped(OPERATION, ALL_OPERATIONS)
def test_the_signature_and_text_are_the_same_in_every_form(group: Any, family: str, name: str, method: Any) -> None:
    expected, text = list(inspect.signature(method).parameters), inspect.getdoc(method) or ""
    first = text.partition("\n")[0]
    for form in FORMS:
        other = getattr(family_class(group, family, form), name)
        assert list(inspect.signature(other).parameters) == expected
        if form in ("sync", "aio"):
            assert inspect.getdoc(other) == text
        else:
            assert (inspect.getdoc(other) or "").lower().removeprefix("the unsent request to ") == first.lower()


def test_the_eleven_operations_have_their_names() -> None:
    names = {(group, f"{family}.{name}") for group, family, name, _ in ALL_OPERATIONS}
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


# Sync and async


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


# Types


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
    # The private modules of the models define types that checkers see elsewhere.
    if not name.startswith("subscribekit.models._")
]


PASSES_KEYWORD_ARGUMENTS = {("subscribekit.export._partition", "partition")}
"""Functions that pass their other keyword arguments to a list, which refuses unknown ones."""


@looped("name", SIGNATURES)
def test_no_public_signature_has_any_or_kwargs(name: str) -> None:
    path = Path(load(name).__file__ or "")
    for node in public_functions(path):
        if (name, node.name) in PASSES_KEYWORD_ARGUMENTS:
            continue
        assert node.args.kwarg is None, f"{node.name} takes **{node.args.kwarg.arg if node.args.kwarg else ''}"
        assert not [each for each in annotations_of(node) if "Any" in each.replace("AnyOf", "")], node.name


@looped(OPERATION, ALL_OPERATIONS)
def test_an_operation_s_result_has_a_type(group: str, family: str, name: str, method: Any) -> None:
    result = get_type_hints(method)["return"]
    assert result is not Any
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
    """Yield a public function, or a class with its own public methods and those of its bases in the SDK."""
    yield thing
    for base in thing.__mro__ if isinstance(thing, type) else ():
        if base.__module__.startswith("subscribekit"):
            for name, member in vars(base).items():
                if name == "__init__" or not name.startswith("_"):
                    yield getattr(member, "__func__", getattr(member, "fget", member))


@looped("home", WITH_HINTS)
def test_the_annotations_of_public_names_can_be_resolved(home: str) -> None:
    module = load(home)
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    found = [each for name in names for each in annotated(getattr(module, name))]
    for each in found:
        if isinstance(each, type | FunctionType) and each.__module__.startswith("subscribekit"):
            get_type_hints(each, localns=IMPORTED_LATE)
    assert found
