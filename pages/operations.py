"""Writes a reference page for each resource, and the index of all operations."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from descriptions import families
from kit.calls import Group
from pages.coverage import Row, rows

from .examples import FAMILIES, Example, Family
from .recording import Recording, record

CLIENTS: dict[Group, str] = {
    "billing": "BillingClient",
    "gateway": "GatewayClient",
    "user_mgmt": "UserMgmtClient",
    "storefront": "StorefrontClient",
}
TITLES: dict[Group, str] = {
    "billing": "Billing API",
    "gateway": "Gateway",
    "user_mgmt": "Account lifecycle",
    "storefront": "Storefront",
}
ORIGINS = {
    "published": "published, not in the specification",
    "third party": "published by a third party",
    "by convention": "by convention, not published",
}
INDEX = """\
# Operations

This page lists all {counted} operations of the four services by task. Each resource has its own page, with an
example, a request, and a response of every operation. For the source and the safety class of each operation, see
[Coverage](../coverage.md).

The [OpenAPI document](../openapi.json) describes all operations for other tools and languages. The package also
contains it: `importlib.resources.files("subscribekit") / "_docs/openapi.json"`. To generate a client or a mock from it,
see [Use the OpenAPI document](../testing.md#use-the-openapi-document).

<input class="filter" type="search" placeholder="Filter, for example: cancel subscription" aria-label="Filter">
"""
OUTSIDE = """
## Lists at other paths

::: subscribekit.{group}.{name}
    options:
      heading: "{client}.collection(path, Model)"
      heading_level: 3
      merge_init_into_class: false
      show_bases: false
"""
BOOST = "---\nsearch:\n  boost: 2\n---\n\n"
WITHOUT_MEMBERS = """\
::: {name}
    options:
      members: false
      merge_init_into_class: false
      show_bases: false
      show_root_heading: false
      show_root_toc_entry: false
"""
OF_CLIENT = """\
This page describes `{call}` of `{client}`. `Async{client}` has the same methods. Await them, and read lists with
`async for`.
"""
OPERATION = """\
<span id="{method}"></span>

::: {full}.{method}
    options:
      heading: {heading}
      toc_label: {title}
      heading_level: 2
      show_symbol_type_heading: false
      show_symbol_type_toc: false

`{call}` sends {request} <span class="{mark}">{origin}</span> <span class="origin">{safety}</span>
"""
COLLECTIONS = {
    "generic_resource": OUTSIDE.format(group="billing", name="CursorCollection", client="billing"),
    "entities": OUTSIDE.format(group="user_mgmt", name="OffsetCollection", client="user_mgmt")
    + "\n## Paths\n\n::: subscribekit.user_mgmt.EntityPath\n    options:\n      heading_level: 3\n",
}


def file_of(family: Family) -> str:
    """Return the path of a page below `docs/reference`."""
    return f"{family.group.replace('_', '-')}/{family.name.replace('_', '-')}.md"


def pages() -> Iterator[tuple[str, str]]:
    """Return every page with its path below `docs/reference`."""
    known = _rows()
    yield "operations.md", _index(known)
    for family in FAMILIES:
        yield file_of(family), _page(family, known[family.group, family.name])


def _rows() -> dict[tuple[str, str], dict[str, list[Row]]]:
    """Return the rows of the coverage table by client, resource, and method."""
    found: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for row in rows():
        methods = found.setdefault((row.group, row.family), {})
        methods.setdefault(row.name.rpartition(".")[2], []).append(row)
    return found


def _index(known: dict[tuple[str, str], dict[str, list[Row]]]) -> str:
    parts = [INDEX.format(counted=sum(len(family.examples) for family in FAMILIES))]
    group = None
    for family in FAMILIES:
        if family.group != group:
            group = family.group
            parts.append(f"\n## {TITLES[group]}\n\n| Task | Call and request |\n|---|---|\n")
        for example in family.examples:
            found = known[family.group, family.name][example.method]
            parts.append(_line(example, found, f"{file_of(family)}#{example.method}"))
    return "".join(parts)


def _line(example: Example, found: list[Row], target: str) -> str:
    return f"| [{_title(example, found)}]({target}) | `{_call(found[0])}`<br>{request_of(found)} |\n"


def _title(example: Example, found: list[Row]) -> str:
    source = found[0].source
    return f"{example.title} ({source})" if source.startswith("E") else example.title


def _call(row: Row) -> str:
    return f"{row.group}.{row.name}"


def request_of(found: list[Row]) -> str:
    """Return the method and path, for a cell."""
    row = found[0]
    more = f" and {len(found) - 1} others" if len(found) > 1 else ""
    return f"{row.method} `{row.path}`{more}"


def _page(family: Family, known: dict[str, list[Row]]) -> str:
    resource = {(group, name): kind for group, name, kind in families()}[family.group, family.name]
    full = f"subscribekit.{family.group}.{resource.__qualname__}"
    client = CLIENTS[family.group]
    call = known[family.examples[0].method][0].name.rpartition(".")[0]
    parts = [
        f"{BOOST}# {family.title}\n",
        WITHOUT_MEMBERS.format(name=full),
        OF_CLIENT.format(call=f"{family.group}.{call}", client=client),
        "| Task | Call and request |\n|---|---|\n"
        + "".join(_line(each, known[each.method], f"#{each.method}") for each in family.examples),
        "The examples on this page run in order against the sandbox, after this code:\n",
        f"```python\n{family.setup}\n```\n",
    ]
    routes = {method: [(row.method, _template(row)) for row in found] for method, found in known.items()}
    for example, recording in zip(family.examples, record(family, routes), strict=True):
        parts.append(_operation(full, example, known[example.method], recording))
    return "\n".join(parts).rstrip("\n") + "\n" + COLLECTIONS.get(family.name, "")


def _template(row: Row) -> str:
    return row.path.replace("{family}", "chargebacks")


def _operation(full: str, example: Example, found: list[Row], recording: Recording) -> str:
    row = found[0]
    parts = [
        OPERATION.format(
            full=full,
            method=example.method,
            heading=json.dumps(f"{example.title} ({_call(row)})"),
            title=json.dumps(example.title),
            call=_call(row),
            request=request_of(found),
            mark="convention" if row.source == "by convention" else "origin",
            origin=ORIGINS.get(row.source, f"specification, {row.source}"),
            safety=row.safety,
        ),
        '=== "Example"\n',
        _fence("python", example.code),
    ]
    if recording.printed:
        parts.append(_fence('text title="Output"', recording.printed.rstrip("\n")))
    parts += ['=== "Request"\n', _fence("text", recording.request), '=== "Response"\n']
    if recording.response:
        parts.append(_fence("json", recording.response))
    else:
        parts.append("    The response has no body.\n")
    if recording.shortened:
        parts.append(
            "    This response is shortened. A list shows its first entry, and a nested resource its identifiers.\n"
        )
    return "\n".join(parts)


def _fence(info: str, code: str) -> str:
    return textwrap.indent(f"```{info}\n{code}\n```\n", "    ", lambda line: True).replace("    \n", "\n")
