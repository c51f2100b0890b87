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
    "Safety": lambda row: row.safety,
    "Success": lambda row: row.success,
    "After an unknown outcome": lambda row: row.after_unknown,
}
"""The columns of the tables: heading and cell."""
SAFETY = {
    Safety.READ: "read",
    Safety.PUT: "put",
    Safety.DELETE: "delete",
    Safety.DELETE_MATCHING: "delete matching",
    Safety.WRITE: "write",
    Safety.MONEY: "money",
}
INTRO = """\
# Coverage

Every operation of the four clients, made from the code: `tests/billing/test_coverage.py` compares this page with it.
Method, path, query, headers, body and result of each are tested in both styles.

- **Source**: the number in the specification; *published* for what the operator's public reference shows and the
  specification does not; *third party* for what only the client of another company shows; *by convention* for
  what follows the conventions of the specification ("GET reads one or a list") and no source documents.
- **Safety**: what a second request would do, and so when a call is retried. *read* and *put* and *delete* are retried
  after an unknown outcome; *write* is not, but is after a 429 of the billing API; *delete matching* is retried only
  when no byte of the request left the machine, unless `RetryPolicy(retry_unknown=True)` asks for more; *money* is
  retried only when no byte left, whatever the policy says. Two classes: the arguments decide (`dryrun`, `settle`,
  `update_behavior`). A call through `request` is at least as strict as the method of the same path: a POST is *money*,
  a DELETE with a query is *delete matching*.
- **Success**: what a response must show besides a success status: *the id in the path*; *the id sent*, or any id or
  vid if none was sent; *a reference*; *the object*. *no other id*: no source shows the response, so JSON that isn't an
  error is a success unless it shows another resource of the same kind; no body is a success too, and the result is what
  could be read. *not shown*: the same, and nothing is compared. *no error*: a deletion. A write whose response shows
  something else has the outcome `unknown`; such a read is sent once more ([Errors](guides/errors.md)).
- **After an unknown outcome**: what `client.resolve(error)` reads, and the states it can return besides `undecided`
  ([Resolve](guides/resolve.md)).

<input class="filter" type="search" placeholder="Filter, for example: refund" aria-label="Filter">
"""
CLOSING = """
## Resources without published operations

The specification names these and no source documents how to call them. `resource(name, model)` reaches them
by the conventions of the specification: GET reads one or a list, POST creates or updates, DELETE removes an
association. Ask the operator whether the service responds.

```python
from subscribekit import BillingClient
from subscribekit.models import Chargeback

with BillingClient(environment="sandbox") as client:
    for chargeback in client.resource("chargebacks", Chargeback).list():
        print(chargeback.id)
```

| Family | Call |
|---|---|
"""
CONVENTIONAL_PATHS = ("/refunds",)
"""Paths that no source shows, of operations that have another one as well."""
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
Of these collections only `chargebacks` is known to exist, by name; the other names are the plural of the family's. The
collections `credits`, `refunds` and `tokens` are known in the same way. `collection(path, Model).list()` reads a list
at any other path that your operator told you. GDPR erase and Diagnostics are actions without a published path: there is
no door for them but `request(method, path, ...)`, with the path that the operator gives you. Address, CurrencyAmount
and the like live only inside other resources.
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
    """Give the lines of the table; an operation without a case is a line that says so."""
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
        safe_to_retry = safety in ("put", "delete")
        success = " or ".join(dict.fromkeys(_success(each.described()[1]) for each in cases))
        after = (
            "" if safety == "read" else after_unknown_outcome(f"{family}.{method}", group, safe_to_retry=safe_to_retry)
        )
        shown = "by convention" if path in CONVENTIONAL_PATHS else origin
        yield Row(group, family, verb, path, name, shown, safety, success, after, tested=True)


def _success(described: Operation[object]) -> str:
    """Say what a response must show, from the identity beside the operation."""
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
    """Give the plural of a family's name."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", model).lower()
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def render() -> str:
    """Make the whole page."""
    head = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
    lines: list[str] = []
    for group, found in groupby(rows(), lambda row: row.group):
        lines += [f"\n## {TITLES[group]}\n\nCalls of `{group}`.\n", head, *map(str, found)]
    doors = [f'| {model} | `resource("{collection(model)}", {model})` |' for model in FAMILIES]
    return INTRO + "\n".join(lines) + "\n" + CLOSING + "\n".join(doors) + "\n" + ENDING


if __name__ == "__main__":
    PAGE.write_text(render())
