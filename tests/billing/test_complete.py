"""Lists all the missing parts of an operation at once, with the text to write.

python -m pytest tests/billing/test_complete.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import subscribekit.models
from contract.story import of_cases
from contract.test_responses import STORY
from descriptions import FORMS, GROUPS, described, family_class, family_names
from pages.examples import FAMILIES
from resolve.writes import WRITES
from subscribekit._core.client.described import BY_CONVENTION, PUBLISHED, Described, operations
from subscribekit._core.config.environments import GROUP_NAMES, Group
from subscribekit._core.operations.operation import Operation, Safety, get, post
from subscribekit._hints.names import FAMILIES as HINTED
from subscribekit.errors import SubscribekitError
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox, SandboxRequest
from subscribekit.sandbox.routes import ROUTER

from .cases import Case
from .tables import ALL, WITH_ROWS
from .test_identities import OPS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITE_PAGES = "PYTHONPATH=tests:. python -m pages"

OF_LISTS = {
    "limit", "starting_after", "ending_before", "params", "checkpoint", "max_pages", "prefetch", "concurrency",
}  # fmt: skip
"""The arguments that all lists have. `test_arguments.py` tests them."""
RESOLVED = {("billing", "subscriptions.finish"), *((write.group, write.operation) for write in WRITES)}
"""The writes that `tests/resolve` tests. `test_reads.py` tests `subscriptions.finish`."""


@cache
def operations_of_story() -> frozenset[tuple[Group, str]]:
    """Return the operations that the story calls. Each step of the story only prepares its call."""
    sandbox = Sandbox()
    clients: dict[Group, Any] = {group: getattr(sandbox, group)() for group in GROUPS}
    shop: Any = SimpleNamespace(**{group: client.prepare for group, client in clients.items()})
    found: set[tuple[Group, str]] = set()
    for name in STORY.keys() - dict(of_cases()).keys():
        request = STORY[name](shop)
        group = next(each for each, client in clients.items() if request.url.startswith(client.base_url))
        found.add((group, request.operation))
    return frozenset({*found, ("billing", "invoices.retrieve")})  # whose step takes the ID from a list


def is_generated(stated: Described) -> bool:
    """Return whether an operation is a method in all five forms."""
    group, (family, _, method) = stated.group, stated.name.partition(".")
    assert group is not None
    return all(hasattr(family_class(group, family, form), method) for form in FORMS if family in family_names(group))


def is_compared(stated: Described) -> bool:
    """Return whether the errors of an operation contain the digests of its body."""
    cases = [case for case in ALL if (case.group, case.name) == (stated.group, stated.name)]
    return all(case.described()[1].is_compared for case in cases)


def needs_a_step(group: Group, name: str) -> bool:
    """Return whether the story needs a step for an operation, because no case adds the call to the story."""
    of_tables = "list" in name or any((op.group, op.name) == (group, name) for op in OPS)
    return of_tables and all((case.group, case.name) != (group, name) for case in WITH_ROWS)


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def missing_parts(stated: Described) -> Iterator[str]:
    """Yield the text to write for each missing part, in the order of the steps in docs/contributing.md."""
    group, name = stated.group, stated.name
    assert group is not None
    family, _, method = name.partition(".")
    yield from missing_in_docstring(stated)
    if not is_generated(stated):
        yield "run python scripts/generate.py and commit what it writes"
    elif stated.rule is not None and stated.rule.test == "values" and not is_compared(stated):
        yield f"pass is_compared=True in {stated.describe.__name__}, because `client.resolve` compares the values"
    yield from missing_in_cases(stated)
    if stated.source is not BY_CONVENTION and needs_a_step(group, name) and (group, name) not in operations_of_story():
        yield f'add to tests/contract/story.py: "{method} ...": lambda it: it.{group}.{name}(...)'
    examples = {(each.group, each.name, example.method) for each in FAMILIES for example in each.examples}
    if (group, family, method) not in examples:
        yield f'add to the {family} of pages/examples: Example("{method}", "A title in words", ...)'
    title = name if family != "generic_resource" else f"resource(name, model).{method}"
    if f"`{title}`" not in text(DOCS / "coverage.md"):
        yield f"run {WRITE_PAGES}"


def missing_in_cases(stated: Described) -> Iterator[str]:
    """Yield the text to write for missing cases, and for missing parts of cases."""
    group, name = stated.group, stated.name
    cases = [case for case in ALL if (case.group, case.name) == (group, name)]
    is_list, verdicts = "list" in name, verdicts_of(stated)
    if not cases:
        rows = "" if is_list else f", shows=MINE, and for a write verdicts={verdicts}"
        yield (
            f'add to tests/billing/cases_*.py: Case("{name}", lambda c, at="an ID of the sandbox\'s data": '
            f"c.{name}(at, ...), sends=..., gives=...{rows})"
        )
        yield f"check that src/subscribekit/sandbox/routes.py has the route of {name}, with a handler"
        return
    if not is_list and not any((op.group, op.name) == (group, name) for op in OPS):
        yield f"add to a case of {name}: shows=MINE, or another of the names in tests/billing/cases.py"
    is_write = any(case.safety is not Safety.READ for case in cases)
    if is_write and (group, name) not in RESOLVED:
        yield f"add to a case of {name}: verdicts={verdicts}, or add a Write to tests/resolve/writes.py"
    for case in cases:
        if ROUTER.find(SandboxRequest(case.group, case.method, case.path)) is None:
            yield f"add to src/subscribekit/sandbox/routes.py the route of {case.method} {case.path}"
    parameters = inspect.signature(stated.describe).parameters.values()
    keywords = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.name not in OF_LISTS]
    for missing in [each for each in keywords if not any(each in case.keywords for case in cases)]:
        yield f"pass {missing} in a case of {name}, because the OpenAPI document describes what the cases send"
    for error in [error for case in cases if case in WITH_ROWS for error in on_the_sandbox(case)]:
        yield f"change a case of {name}, so that a new sandbox accepts its call: {error}"


def verdicts_of(stated: Described) -> str:
    """Return the usual verdicts of writes with the same rule, as code."""
    if stated.rule is None:
        return '("undecided", "undecided")'
    return f'("{"applied" if stated.rule.test == "created" else "in_effect"}", "not_applied")'


def on_the_sandbox(case: Case) -> Iterator[str]:
    """Make the call of a case, and yield the error, if there is one."""
    try:
        case.use(getattr(Sandbox(), case.group)())
    except AttributeError:
        return  # scripts/generate.py hasn't generated the method yet
    except SubscribekitError as error:
        yield str(error)


def missing_in_docstring(stated: Described) -> Iterator[str]:
    """Yield the text to write for missing parts of a description's docstring."""
    written, where = inspect.getdoc(stated.describe) or "", f"in the docstring of {stated.describe.__name__}, "
    parameters = inspect.signature(stated.describe).parameters.values()
    own = [each for each in parameters if each.kind is not each.POSITIONAL_ONLY or each.default is not each.empty]
    for each in own:
        if not re.search(rf"^    {each.name}: \S", written, re.MULTILINE):
            yield f"{where}describe the argument {each.name} below Args:"
    if "Raises:\n" not in written:
        yield f"{where}say below Raises: which errors the call raises, such as InvalidArgumentError"
    if stated.source.mark and stated.source.mark in written.partition("\n")[0]:
        yield f"{where}leave out the source, because scripts/generate.py adds it: ({stated.source.mark})"
    if stated.source.sentence and stated.source.sentence in " ".join(written.split()):
        yield f"{where}leave out the source, because scripts/generate.py adds it: {stated.source.sentence}"
    if stated.rule is not None and "client.resolve(error)" not in written:
        yield f"{where}write below Raises: OutcomeUnknownError: It may or may not ...; ask `client.resolve(error)`."


def resource_operations() -> list[Described]:
    """Return the operations of all resources. Lists at paths of the caller's choice aren't included."""
    for group in GROUPS:
        for family in family_names(group):
            family_class(group, family)
    return [each for each in operations() if each.group is not None and not each.name.endswith("_collection.list")]


def test_every_operation_is_complete() -> None:
    missing = [f"{each.group}.{each.name}: {words}" for each in resource_operations() for words in missing_parts(each)]
    assert not missing, "\n" + "\n".join(missing)


def test_an_operation_without_a_rule_need_not_mention_resolve() -> None:
    unresolved = described("storefront", "payment_methods.update")
    assert unresolved.rule is None
    assert "client.resolve" not in (unresolved.describe.__doc__ or "")
    assert list(missing_parts(unresolved)) == []


def test_every_resource_can_be_imported_and_has_a_hint() -> None:
    missing: list[str] = []
    for group in GROUPS:
        module = import_module(f"subscribekit.{group}")
        for family in family_names(group):
            for form in ("sync", "aio"):
                name = family_class(group, family, form).__name__
                if name not in module.__all__:
                    missing.append(f"add {name} to the names of subscribekit.{group}")
            hinted = family in HINTED[f"{GROUP_NAMES[group]}Client"]
            if not hinted and not family.endswith(("_collection", "generic_resource")):
                missing.append(f'add "{family}" to {GROUP_NAMES[group]}Client in src/subscribekit/_hints/names.py')
    assert not missing, "\n" + "\n".join(missing)


def archive_account(account: str) -> Operation[Account]:
    """Archive an account."""
    return post("/accounts/{account}/actions/archive", account, result=Account, safety=Safety.WRITE, identity=None)


def test_the_missing_parts_of_a_new_operation_are_listed_together() -> None:
    found = list(missing_parts(Described("billing", "accounts.archive", archive_account, PUBLISHED, None)))
    assert [each.partition(" ")[0] for each in found] == ["in", "in", "run", "add", "check", "add", "run"]
    assert "describe the argument account below Args:" in found[0]
    assert 'Case("accounts.archive"' in found[3]
    assert 'verdicts=("undecided", "undecided")' in found[3]


def test_a_description_returns_an_operation_that_can_be_compared() -> None:
    described_read = described("billing", "accounts.retrieve").describe("a1")
    assert described_read == get("/accounts/{account}", "a1", result=subscribekit.models.Account)
