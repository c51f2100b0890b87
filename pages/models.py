"""Writes the pages of the models, each with a table of its fields, their types, limits, and meanings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import griffe
from pydantic import BaseModel

from subscribekit.models._base import Model
from subscribekit.models._fields import wire_names
from subscribekit.models._names import MODULE_OF
from subscribekit.models._scalars import TextLimit

SOURCE = Path(__file__).parents[1] / "src"
PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "customers": ("Customers", ("account", "address", "credit", "entitlement")),
    "payment-methods": (
        "Payment methods",
        ("payment_method", "credit_card", "payment_instruments", "carrier_billing", "mandate"),
    ),
    "subscriptions": ("Subscriptions", ("subscription", "subscription_item", "subscription_changes", "policies")),
    "catalogue": ("Catalog", ("product", "billing_plan", "season_set", "rate_plan")),
    "campaigns": ("Campaigns and gift cards", ("campaign", "discount_ticket", "gift_card")),
    "transactions": ("Transactions", ("transaction", "transaction_status", "dispute")),
    "payments": ("Payments and money", ("payment", "refund", "invoice", "money")),
    "usage": ("Usage and activity", ("usage", "activity")),
    "gateway": ("Gateway", ("entitlement_charge", "partner_subscription")),
    "lifecycle": ("Account lifecycle", ("account_association", "entity")),
    "storefront": ("Storefront", ("storefront",)),
}
"""The modules of each page, or the names in `BILLING`, in the order of the page."""
BILLING: dict[str, tuple[str, ...]] = {
    "account": ("Account", "TaxExemption"),
    "credit": ("Credit", "Token", "TokenAmount", "CurrencyAmount"),
    "entitlement": ("Entitlement", "EntitlementCheck"),
    "billing_plan": ("BillingPlan", "BillingPlanPrice", "BillingPlanPeriod", "BillingPlanHistory"),
    "product": ("Product", "ProductDescription", "ProductPrice"),
    "subscription": ("Subscription", "CancelReason", "SubscriptionPolicy"),
    "subscription_item": ("SubscriptionItem", "SubscriptionItemHistory"),
    "transaction": (
        "Transaction", "ScoreCode", "TaxItem", "TransactionItemRefundSummary", "TransactionItem", "TransactionPolicy",
    ),
    "refund": ("Refund", "RefundItem"),
}  # fmt: skip
"""The models of the modules in `IN_BILLING`, which are on several pages."""
IN_BILLING = ("billing", "billing_parts")
WRAPPERS = re.compile(r"""^(Masked|ReadOnly|Many|Ref|list)\[["']?(.*?)["']?\]$""")
"""A type around another type, which is in quotes if it's defined further down in its file."""
ALIASES = {"MoneyField": "Money", "MetadataField": "Metadata"}
LIMITS = {
    "Money": "28 digits, no float",
    "MoneyField": "28 digits, no float",
    "Number": "28 digits, no float",
    "Timestamp": "with a time zone",
    "EpochMillis": "with a time zone",
    "DateOrTimestamp": "a time with a time zone",
    "MetadataField": "1,024 characters each",
}
TYPES = "field-types.md"
PLAIN = {"bool", "int", "str", "datetime", "date", "object"}
WITHOUT_MEMBERS = """\
::: {name}
    options:
      members: false
      show_root_heading: false
      show_root_toc_entry: false
"""
INTRO = "In a response, any field may be `None`. [Field types](field-types.md) explains the columns.\n"


@dataclass(frozen=True)
class Field:
    """One line of a table."""

    name: str
    type: str
    limits: str
    meaning: str

    def __str__(self) -> str:
        return f"| `{self.name}` | {self.type} | {self.limits} | {self.meaning} |"


def pages() -> Iterator[tuple[str, str]]:
    """Return every page with its path below `docs/reference`."""
    for name, (title, modules) in PAGES.items():
        parts = [f"# {title}\n", INTRO]
        for module in modules:
            parts += _module(module)
        yield f"models/{name}.md", "\n".join(parts)
    yield "models/enumerations.md", _enumerations()


def _module(name: str) -> Iterator[str]:
    if name in BILLING:
        for each in BILLING[name]:
            full = f"subscribekit.models.{MODULE_OF[each]}"
            yield from _class(import_module(full), _source(full).classes[each])
        return
    full = f"subscribekit.models.{name}"
    source = _source(full)
    classes = [each for each in source.classes.values() if not each.is_alias and each.name in MODULE_OF]
    if not classes:
        yield f"::: {full}\n    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"
        return
    main = name.replace("_", "")
    classes.sort(key=lambda each: each.name.lower() != main)
    yield WITHOUT_MEMBERS.format(name=full)
    for each in classes:
        yield from _class(import_module(full), each)


def _class(module: ModuleType, source: griffe.Class) -> Iterator[str]:
    kind: type[Model] = getattr(module, source.name)
    yield (
        f"::: {source.path}\n    options:\n      heading: {source.name}\n      members: false\n"
        "      merge_init_into_class: false\n      show_bases: false\n      show_root_toc_entry: true\n"
    )
    lines = "\n".join(map(str, _fields(kind)))
    yield f"| Field | Type | Limits | Meaning |\n|---|---|---|---|\n{lines}\n" if lines else "No field is documented.\n"
    for name, member in source.members.items():
        if not name.startswith("_") and name not in kind.model_fields and _is_own(member):
            heading = f"{source.name}.{name}"
            yield f"::: {source.path}.{name}\n    options:\n      heading: {heading}\n      heading_level: 3\n"


def _is_own(member: griffe.Object | griffe.Alias) -> bool:
    return (member.is_function or "property" in member.labels) and "setter" not in member.labels


def _fields(kind: type[Model]) -> Iterator[Field]:
    wire = wire_names(kind)
    for name, field in kind.model_fields.items():
        if name == "object":
            continue  # every resource has this field
        module, member = _declared(kind, name)
        text = str(member.annotation).strip("'\"")  # a type that is defined further down is in quotes
        meaning = " ".join((member.docstring.value if member.docstring else "").split())
        if wire[name] != name:
            meaning += f" On the wire `{wire[name]}`."
        notes = list(_limits(text, module))
        if field.is_required():
            notes.insert(0, "**required**")
        yield Field(name, _type(text, module), "; ".join(notes), meaning.replace("|", "\\|"))


def _declared(kind: type[BaseModel], name: str) -> tuple[ModuleType, griffe.Attribute]:
    """Return the declaration of a field, which can be in a base class, and the module of that class."""
    for each in kind.__mro__:
        if not each.__module__.startswith("subscribekit.models."):
            break
        members = _source(each.__module__).classes
        if each.__qualname__ in members and name in members[each.__qualname__].members:
            member: Any = members[each.__qualname__].members[name]
            return import_module(each.__module__), member
    raise LookupError(f"{kind.__name__}.{name} is written nowhere")


@cache
def _package() -> griffe.Module:
    loaded: Any = griffe.load("subscribekit.models", search_paths=[str(SOURCE)])
    return loaded


def _source(module: str) -> griffe.Module:
    found: Any = _package().members[module.rpartition(".")[2]]
    return found


def _alternatives(text: str) -> list[str]:
    """Split a union, and leave out null."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "|" and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in (*parts, text[start:].strip()) if part not in ("None", "")]


def _type(text: str, module: ModuleType) -> str:
    shown = []
    for part in _alternatives(text):
        wrapped = WRAPPERS.match(part)
        if wrapped is None:
            shown.append(_named(part, module))
        elif wrapped[1] in ("Many", "list"):
            shown.append(f"list of {_type(wrapped[2], module)}")
        else:
            shown.append(_type(wrapped[2], module))
    return " or ".join(shown)


def _named(name: str, module: ModuleType) -> str:
    if name.startswith("Literal["):
        return ", ".join(f"`{value}`" for value in re.findall(r"'([^']*)'", name))
    if MODULE_OF.get(name) == "enumerations":
        return f"[{name}](enumerations.md#{name.lower()})"
    if name in MODULE_OF:
        return f"[{name}][subscribekit.models.{MODULE_OF[name]}.{name}]"
    if name in PLAIN:
        return f"`{name}`"
    if _text_limit(name, module) is not None and name not in ("Text", "Identifier", "FreeText"):
        return f"[Text]({TYPES}#text)"  # a text with another limit, which the next column shows
    name = ALIASES.get(name, name)
    return f"[{name}]({TYPES}#{name.lower()})"


def _text_limit(name: str, module: ModuleType) -> TextLimit | None:
    alias = getattr(module, name, None)
    return next((each for each in get_args(alias)[1:] if isinstance(each, TextLimit)), None)


def _limits(text: str, module: ModuleType) -> Iterator[str]:
    parts = _alternatives(text)
    for part in parts:
        wrapped = WRAPPERS.match(part)
        if wrapped is not None:
            yield from _limits(wrapped[2], module)
            if wrapped[1] == "Masked":
                yield f"[masked]({TYPES}#masked)"
            elif wrapped[1] == "ReadOnly":
                yield f"[read only]({TYPES}#readonly)"
            continue
        limit = _text_limit(part, module)
        if limit is not None and limit.max_length is not None:
            least = f"{limit.min_length} to " if limit.min_length else ""
            yield f"{least}{limit.max_length:,} characters"
        elif part in LIMITS:
            yield LIMITS[part]


def _enumerations() -> str:
    source = _source("subscribekit.models.enumerations")
    parts = [
        "---\nsearch:\n  boost: 0.5\n---\n\n# Documented values\n",
        WITHOUT_MEMBERS.format(name="subscribekit.models.enumerations"),
    ]
    for name, member in source.members.items():
        if MODULE_OF.get(name) != "enumerations":
            continue
        values = re.findall(r"'([^']*)'", str(getattr(member, "value", "")))
        meaning = " ".join(member.docstring.value.split()) if member.docstring else ""
        parts.append(f"## {name}\n\n{meaning}\n\n" + ", ".join(f"`{value}`" for value in values) + "\n")
    return "\n".join(parts)
