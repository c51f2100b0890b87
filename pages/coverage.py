"""Writes `docs/coverage.md` from the resource classes and the table of cases.

PYTHONPATH=tests:. python -m pages.coverage
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from billing.after_unknown import after_unknown_outcome
from billing.cases import Case
from billing.tables import ALL
from descriptions import described, families, methods
from kit.calls import Group
from subscribekit._core.operations.identity import KIND
from subscribekit._core.operations.operation import Operation, Safety

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
TITLES: dict[Group, str] = {
    "billing": "Billing API",
    "gateway": "Gateway",
    "user_mgmt": "Account lifecycle",
    "storefront": "Storefront",
}
COLUMNS: dict[str, Callable[[Row], str]] = {
    "Call": lambda row: f"`{row.name}`",
    "Request": lambda row: f"{row.method} `{row.path}`",
    "Source": lambda row: row.source,
    "Safety class": lambda row: row.safety,
    "Success": lambda row: row.success,
    "After an unknown outcome": lambda row: row.after_unknown,
}
"""The columns of the tables: heading and cell."""
SAFETY = {
    Safety.READ: "read",
    Safety.PUT: "idempotent write",
    Safety.DELETE: "idempotent write",
    Safety.DELETE_MATCHING: "other write",
    Safety.WRITE: "other write",
    Safety.MONEY: "money",
}
INTRO = """\
# Coverage

This page lists every operation of the four clients. It's generated from the code, and `tests/billing/test_coverage.py`
checks that it's current. The tests check the method, path, query, headers, body, and result of each operation with sync
and async clients.

**Source** names the document that describes the operation:

| Source | Meaning |
|---|---|
| E1 to E11, or a rule | The number in the specification. |
| published | The operator's public reference shows the operation, and the specification doesn't. |
| third party | Only the client of another company shows the operation. |
| by convention | No source shows the operation. It follows the conventions of the specification, such as "GET reads \
one or a list". |

**Safety class** says whether a second request is harmless. It decides on retries:

| Safety class | Retries |
|---|---|
| read, idempotent write | The SDK also retries after an unknown outcome. |
| other write | The SDK retries if no byte left your machine, and after a 429 of the billing API. After an unknown \
outcome, it retries only with `RetryPolicy(retry_unknown=True)`. |
| money | The SDK retries if no byte left your machine, or once after a 401 with a new credential. |

[Retries and deadlines](guides/retries.md) has the whole table. If an operation has two classes, its arguments decide
(`dryrun`, `settle`, `update_behavior`). A call through `client.request` has at least the class of the method with the
same path: a POST counts as money, and a DELETE with a query counts as another write.

**Success** says which identity a response must show besides a success status:

| Success | The response must show |
|---|---|
| the id in the path | The ID from the path. With "no other parent", also no parent other than the one in the path. |
| the id sent, else any | The ID that you sent, or, if you sent none, any id or vid. |
| a reference | The reference of the charge. |
| the object | The type of the resource. |
| no other id | No other resource of the same type. No source shows the response, so any other JSON that isn't an \
error is a success, and so is an empty body. |
| not shown | Anything except an error. No source shows the response, and the SDK compares nothing. |
| no error | Anything except an error. The operation is a deletion. |

If the response to a write shows something else, the outcome is `unknown`. The SDK sends such a read once more. See
[Errors and outcomes](guides/errors.md#a-success-status-is-not-enough).

**After an unknown outcome** names the read that `client.resolve(error)` sends, and the verdicts that it can return
besides `undecided`. See [How resolve decides](guides/resolve.md).

<input class="filter" type="search" placeholder="Filter, for example: refund" aria-label="Filter">
"""
CLOSING = """
## Resources without published operations

The specification names these resources, but no source documents their operations. `resource(name, model)` calls them
by the conventions of the specification: GET reads one or a list, POST creates or updates, and DELETE removes an
association. Ask the operator whether the service supports them.

```python
from subscribekit import BillingClient
from subscribekit.models import Chargeback

with BillingClient(environment="sandbox") as client:
    for chargeback in client.resource("chargebacks", Chargeback).list():
        print(chargeback.id)
```

| Resource | Call |
|---|---|
"""
CONVENTIONAL_PATHS = ("/refunds",)
"""Paths that no source shows. Their operations also have a path that a source shows."""
FAMILIES = (
    "CampaignCode",
    "CancelFeePolicy",
    "CancelReason",
    "Charge",
    "Chargeback",
    "DiscountTicket",
    "GiftCard",
    "GiftCardRedemption",
    "ReasonCode",
)
ENDING = """
A source names only the collection `chargebacks`. The other names are the plurals of the resources. The sources also
name the collections `credits`, `refunds`, and `tokens`. To read a list at a path that your operator told you, call
`collection(path, Model).list()`. GDPR erase and Diagnostics are actions without a published path. Call them with
`request(method, path, ...)` and the path from your operator. Address, CurrencyAmount, and similar models exist only
inside other resources.
"""


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    group: Group
    family: str
    method: str
    path: str
    name: str
    source: str
    safety: str
    success: str
    after_unknown: str
    tested: bool

    def __str__(self) -> str:
        return f"| {' | '.join(cell(self) for cell in COLUMNS.values())} |"


def rows() -> Iterator[Row]:
    """Return the rows of the table. An operation without a test case has a row with question marks."""
    for group, family, resource in families():
        for method in methods(resource):
            name = f"{family}.{method}"
            cases = [case for case in ALL if (case.group, case.name) == (group, name)]
            yield from _rows(group, family, method, described(group, name).source.name, cases)


def _rows(group: Group, family: str, method: str, origin: str, cases: list[Case]) -> Iterator[Row]:
    if not cases:
        yield Row(group, family, "?", "?", f"{family}.{method}", origin, "?", "?", "?", tested=False)
    found: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        operation = case.described()[1]
        safeties = found.setdefault((operation.method, operation.template), [])
        if SAFETY[operation.safety] not in safeties:
            safeties.append(SAFETY[operation.safety])
    for (verb, template), safeties in found.items():
        path, name = template, f"{family}.{method}"
        if family == "generic_resource":
            path, name = template.replace("chargebacks", "{family}"), f"resource(name, model).{method}"
        safety = " or ".join(sorted(safeties))
        safe_to_retry = safety == "idempotent write"
        success = " or ".join(dict.fromkeys(_success(each.described()[1]) for each in cases))
        after = (
            "" if safety == "read" else after_unknown_outcome(f"{family}.{method}", group, safe_to_retry=safe_to_retry)
        )
        shown = "by convention" if path in CONVENTIONAL_PATHS else origin
        yield Row(group, family, verb, path, name, shown, safety, success, after, tested=True)


def _success(described: Operation[object]) -> str:
    """Return what a response must show, by the identity of the operation."""
    if described.identity is None:
        return {"GET": "", "DELETE": "no error"}.get(described.method, "not shown")
    if not described.identity.is_required:
        return "no other id"
    if described.identity.is_reference:
        return "a reference"
    if described.identity == KIND:
        return "the object"
    if described.identity.parent is not None:
        return "the id in the path, no other parent"
    if set(described.identity.wanted) & set(described.path):
        return "the id in the path"
    return "the id sent, else any" if described.method == "POST" else "the id sent"


def collection(model: str) -> str:
    """Return the plural of a resource's name."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", model).lower()
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def render() -> str:
    """Return the whole page."""
    head = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
    lines: list[str] = []
    for group, found in groupby(rows(), lambda row: row.group):
        lines += [f"\n## {TITLES[group]}\n\nThese are the calls of `{group}`.\n", head, *map(str, found)]
    doors = [f'| {model} | `resource("{collection(model)}", {model})` |' for model in FAMILIES]
    return INTRO + "\n".join(lines) + "\n" + CLOSING + "\n".join(doors) + "\n" + ENDING


if __name__ == "__main__":
    PAGE.write_text(render())
