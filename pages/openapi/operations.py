"""Paths of the OpenAPI document, with an operation for each line of the coverage table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kit.calls import Group
from pages.coverage import TITLES

from . import errors
from .bodies import ANY_RESOURCE, body
from .exchanges import Exchange
from .methods import Method
from .parameters import parameters
from .schemas import Components, Json

SERVERS: dict[Group, str] = {
    "billing": "https://billing.example",
    "gateway": "https://gateway.example",
    "user_mgmt": "https://user-mgmt.example",
    "storefront": "https://storefront.example",
}
SECURITY: dict[Group, Json] = {
    "billing": {"type": "http", "scheme": "basic", "description": "The API user and the API key."},
    "gateway": {"type": "apiKey", "in": "header", "name": "X-API-KEY"},
    "user_mgmt": {"type": "apiKey", "in": "cookie", "name": "JSESSIONID", "description": "The session of a user."},
    "storefront": {"type": "http", "scheme": "bearer", "description": "An OAuth 2.0 access token."},
}


def paths(methods: Sequence[Method], shapes: Components, exchanges: Sequence[Exchange]) -> Json:
    """Return every path with its operations."""
    made: Json = {}
    for method in methods:
        place = made.setdefault(method.row.path, {"servers": [{"url": SERVERS[method.row.group]}]})
        verb = method.row.method.lower()
        if verb in place:
            place[verb]["x-sdk-names"].append(method.name)
            other = _result(method, shapes)["items"]
            place[verb]["responses"]["200"]["description"] += f" For `{method.name}`, the items are `{_named(other)}`."
        else:
            place[verb] = _operation(method, shapes, shown(method, exchanges))
    _name(made)
    return dict(sorted(made.items()))


def shown(method: Method, exchanges: Sequence[Exchange]) -> Exchange:
    """Return the exchange that is the example of an operation: the first one, or the shortest page of a list."""
    row = method.row
    path = row.path.replace("{family}", "chargebacks")
    found = [each for each in exchanges if each.status < 300 and each.fits(row.group, row.method, path)]
    if not found:
        raise LookupError(f"no call of the examples is {method.name}, {row.method} {row.path}")
    return min(found, key=lambda each: each.length) if method.item else found[0]


def _operation(method: Method, shapes: Components, example: Exchange) -> Json:
    row = method.row
    summary, _, rest = method.text.partition("\n")
    text = " ".join(rest.partition("\nArgs:")[0].split())
    made: Json = {
        "operationId": "",
        "x-sdk-names": [method.name],
        "tags": [row.group],
        "summary": summary.rstrip("."),
        "description": text or summary,
        "x-source": row.source,
        "x-safety": row.safety,
        "security": [{row.group: []}] if method.described[0].needs_credential else [],
        "parameters": parameters(method, example),
        "responses": {
            str(example.status): _success(method, shapes, example),
            **errors.responses(row.group, row.source),
        },
    }
    if method.body or any(each.body for each in method.described):
        content = {"schema": body(method, shapes, example.sent), "example": example.sent}
        required = all(each.body for each in method.described)
        made["requestBody"] = {"required": required, "content": {"application/json": content}}
    return made


def _success(method: Method, shapes: Components, example: Exchange) -> Json:
    headers: Json = dict(errors.REQUEST_ID) if method.row.group == "billing" else {}
    if "X-Total-Count" in example.headers:
        headers["X-Total-Count"] = errors.TOTAL_COUNT | {"example": int(example.headers["X-Total-Count"])}
    made: Json = {"description": "Success.", **({"headers": headers} if headers else {})}
    if example.received is not None:
        schema = _result(method, shapes)
        # Mockoon uses the example of the schema, which isn't allowed next to a reference. Other tools use the example
        # of the content.
        schema = ({"allOf": [schema]} if "$ref" in schema else schema) | {"example": example.received}
        content = {"schema": schema, "example": example.received}
        made["content"] = {"application/json": content}
    return made


def _result(method: Method, shapes: Components) -> Json:
    if method.row.family == "generic_resource":
        resource = shapes.add("AnyResource", ANY_RESOURCE)
        return shapes.page_of(resource) if method.item else resource
    assert method.result is not None, method.name
    if method.item is None:
        return shapes.response(method.result)
    if method.row.group == "user_mgmt":
        return {"type": "array", "items": shapes.response(method.result)}
    return shapes.page(method.result)


def _named(reference: Json) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _name(made: Json) -> None:
    """Set the `operationId` of each operation: its SDK name, with the words of the path if the name isn't unique."""
    taken: set[str] = set()
    for path, place in made.items():
        for verb in place.keys() - {"servers"}:
            name = place[verb]["x-sdk-names"][0].replace("resource(name, model)", "resource")
            if name in taken:
                words = re.findall(r"\w+", path.removeprefix("/platform/rest/v85"))
                name = f"{name}.{'_'.join(words)}"
            taken.add(name)
            place[verb]["operationId"] = name


def tags() -> list[Json]:
    """Return a tag for each of the four APIs."""
    return [{"name": group, "description": f"{title}."} for group, title in TITLES.items()]
