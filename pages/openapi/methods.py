"""Collects the facts about each operation from the coverage table, the test cases, and the resource classes.

No other module of the OpenAPI document depends on the way in which the SDK describes its operations.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from billing.cases import Case
from billing.tables import ALL
from descriptions import families
from pages.coverage import Row, rows
from subscribekit._core.operations.operation import Operation
from subscribekit.cli.calls.docstrings import arguments_of
from subscribekit.models import Model


@dataclass(frozen=True)
class Argument:
    """An argument of an operation.

    Attributes:
        name: The name in the SDK.
        kind: The annotation.
        text: The description.
        is_required: Whether the argument has no default.
    """

    name: str
    kind: Any
    text: str
    is_required: bool


@dataclass(frozen=True)
class Method:
    """One line of the coverage table.

    Attributes:
        row: The line: SDK name, HTTP method, path, source, and safety.
        text: The docstring.
        described: The operation of each test case.
        cases: The test cases with this HTTP method and path.
        body: The model of the request body, if the body is a model.
        arguments: The arguments of the method.
    """

    row: Row
    text: str
    described: tuple[Operation[Any], ...]
    cases: tuple[Case, ...]
    body: type[Model] | None
    arguments: tuple[Argument, ...]

    @property
    def name(self) -> str:
        """The name in the SDK, with the client: `billing.accounts.create`."""
        return f"{self.row.group}.{self.row.name}"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The request bodies of the test cases."""
        return [json.loads(case.body) for case in self.cases if case.body is not None]

    @property
    def item(self) -> type[Model] | None:
        """The model of the items, if the operation returns a list."""
        found: type[Model] | None = getattr(self.described[0].reader, "item", None)
        return found

    @property
    def result(self) -> type[Model] | None:
        """The model of the response, or of the items of its list."""
        result = self.item or self.described[0].result
        return result if issubclass(result, Model) else None


def methods() -> Iterator[Method]:
    """Yield every line of the coverage table."""
    classes = {(group, family): resource for group, family, resource in families()}
    for row in rows():
        method = row.name.rpartition(".")[2]
        arguments = tuple(_arguments(getattr(classes[row.group, row.family], method)))
        text, body = _read(getattr(classes[row.group, row.family], method))
        cases = [each for each in ALL if (each.group, each.name) == (row.group, f"{row.family}.{method}")]
        fitting = [(each, each.described()[1]) for each in cases]
        fitting = [(each, sent) for each, sent in fitting if (sent.method, path_of(sent)) == (row.method, row.path)]
        operations = tuple(sent for _, sent in fitting)
        model = body if operations[0].body else None
        yield Method(row, text, operations, tuple(case for case, _ in fitting), model, arguments)


def path_of(described: Operation[Any]) -> str:
    """Return the path template of an operation. The test cases of the generic resource use chargebacks."""
    return described.template.replace("/chargebacks", "/{family}")


def _read(method: Any) -> tuple[str, type[Model] | None]:
    hints = get_type_hints(method)
    del hints["return"]
    kinds = (kind for hint in hints.values() for kind in (get_args(hint) or (hint,)))
    models = (kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Model))
    return inspect.getdoc(method) or "", next(models, None)


def _arguments(method: Any) -> Iterator[Argument]:
    hints, texts = get_type_hints(method), arguments_of(method.__doc__)
    for each in list(inspect.signature(method).parameters.values())[1:]:
        yield Argument(each.name, hints[each.name], texts.get(each.name, ""), each.default is each.empty)
