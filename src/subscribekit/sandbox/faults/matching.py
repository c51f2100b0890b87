"""Parses the `match` argument of a fault, and rejects a `match` that no request can match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias, cast

from ..._hints.names import nearest
from ..billing.rules.changes import CLASSES
from ..http.router import Route, match_parts
from ..http.wire import Group, SandboxRequest
from ..routes import ROUTER, ROUTES
from ..store import Store
from ..values import text

Match: TypeAlias = str | tuple[str, str] | Callable[[SandboxRequest], bool]
Matches: TypeAlias = Callable[[SandboxRequest], bool]


@dataclass(frozen=True)
class _Meaning:
    """A parsed `match` argument. `routes` is `None` if the `match` argument is a function."""

    matches: Matches
    routes: frozenset[Route] | None = None


_MANY = 3
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")
_REQUEST = re.compile(r"(?:([A-Za-z]+) +)?(/\S*)")
_KEYS = ("id", "vid")
_VERBS = {("GET", 1): "list", ("POST", 1): "create", ("GET", 2): "retrieve", ("POST", 2): "update"}
_NAMES = {
    "GET /accounts/{}/children": "accounts.list_children",
    "POST /accounts/{}/children": "accounts.add_child",
    "GET /accounts/{}/children/{}": "accounts.retrieve_child",
    "DELETE /accounts/{}/children/{}": "accounts.remove_child",
    "GET /accounts/{}/credits": "accounts.retrieve_credit",
    "POST /accounts/{}/credits": "accounts.grant_credit",
    "POST /accounts/{}/entitlements": "accounts.grant_entitlement",
    "GET /accounts/{}/entitlements/{}": "accounts.check_entitlement",
    "DELETE /accounts/{}/entitlements/{}": "accounts.revoke_entitlement",
    "POST /subscriptions/{}/billing_day_changes": "subscriptions.change_billing_day",
    "GET /subscriptions/{}/billing_plan_history": "subscriptions.list_billing_plan_history",
    "GET /subscriptions/{}/subscription_item_history": "subscriptions.list_item_history",
    "GET /transactions/{}/refunds": "refunds.list",
    "POST /transactions/{}/refunds": "refunds.create",
    "POST /gateway/v1/campaigns/{}/actions/activate": "campaigns.activate",
    "GET /submgmt/v2/subscriptions/{}": "subscriptions.retrieve",
    "POST /partnersub/v2/partnerSubscription/{}/cancel": "partner_subscriptions.cancel",
    "POST /v1/entitlement/{}/charge": "entitlements.charge",
    "PUT /storefront/paymentMethod/account/{}": "payment_methods.update",
    "DELETE /customData/v1/user/{}/{}": "custom_data.delete",
    "GET /platform/rest/v85/user/accounts": "accounts.list",
}
"""The SDK's operation names that can't be derived from the paths of the operations."""


def matcher_for(match: Match, store: Store, fault: str, lists: tuple[Group, ...] | None) -> Matches:
    """Return the function that decides whether a fault applies to a request.

    Args:
        match: The `match` argument of `FaultDirector.add`.
        store: The store that contains the existing identifiers.
        fault: The name of the fault.
        lists: The APIs whose lists the fault changes; an empty tuple for a fault that doesn't change lists, and `None`
            for a fault that affects webhooks.

    Raises:
        ValueError: `match` can't match any request, or the fault can't happen to matching requests.
        TypeError: `match` has the wrong type.
    """
    if lists is None and is_class(match):
        return no_request
    meaning = _meaning(match, store, CLASSES if lists is None else ())
    if meaning.routes is not None and lists is None:
        _refuse_reads(fault, match, meaning.routes)
    elif meaning.routes is not None and lists:
        _refuse_no_list(fault, match, lists, meaning.routes)
    return meaning.matches


def is_class(match: object) -> bool:
    """Return whether a `match` argument is a class of webhook events, or a pair of a class and an event."""
    pair = cast("tuple[object, ...]", match) if isinstance(match, tuple) else (match, None)
    return len(pair) == 2 and pair[0] in CLASSES


def no_request(_: SandboxRequest) -> bool:
    """Return `False` for each request, so that no request matches."""
    return False


def _meaning(match: Match, store: Store, others: Iterable[str]) -> _Meaning:
    if isinstance(match, str):
        return _by_text(match, store, others)
    if isinstance(match, tuple):
        pair = cast("tuple[object, ...]", match)
        method, part = pair if len(pair) == 2 else (None, None)
        if not isinstance(method, str) or not isinstance(part, str):
            raise TypeError(
                f"match must be a method and a part of the path, such as ('GET', '/accounts'), not {match!r}"
            )
        return _by_pair(method, part, store, others)
    if not callable(match):
        raise TypeError(
            f"match must be a path template, the name of an operation, a pair, or a function, not {match!r}"
        )
    name: str = getattr(match, "__qualname__", "")
    # Reject a method of the SDK, because the method would make a call instead of deciding whether the fault applies.
    if match.__module__.startswith("subscribekit.") and name.count(".") == 1:
        resource, _, method = name.partition(".")
        resource = re.sub(r"^(Prepared|(Async)?(Raw)?)(?=[A-Z])", "", resource)
        resource = re.sub(r"(?<!^)(?=[A-Z])", "_", resource).lower()
        raise TypeError(f"match must be the name of the operation, not the method; write '{resource}.{method}'")
    return _Meaning(match)


def _refuse_no_list(fault: str, match: Match, groups: Iterable[Group], routes: Iterable[Route]) -> None:
    """Reject a fault that changes lists, if no matching operation returns a list that the fault can change."""
    lists = [each for each in routes if each.is_list]
    if any(each.group in groups for each in lists):
        return
    if lists:
        raise ValueError(
            f"{fault}() applies only to pages with cursors, and {match!r} has no cursors; use wrong_total(), which "
            f"also applies to pages without cursors"
        )
    near = {f"GET /{part}" for each in routes for part in ("/".join(each.parts), each.parts[0])}
    known = [f"GET {each.template}" for each in ROUTES if each.is_list and each.group in groups]
    found = max(near.intersection(known), key=len, default=None)
    advice = f"; did you mean {found!r}?" if found else "; write a list, such as 'GET /accounts'"
    raise ValueError(f"{fault}() applies only to pages of a list, and {match!r} returns no list{advice}")


def _refuse_reads(fault: str, match: Match, routes: Iterable[Route]) -> None:
    """Reject a fault that affects webhooks, if all matching operations only read."""
    if all(each.method == "GET" for each in routes):
        raise ValueError(f"{fault}() applies only to webhooks, and {match!r} is a read, which causes no webhooks")


@cache
def _names_of(route: Route) -> tuple[str, ...]:
    """Return the SDK's names for the operation of a route, both with and without the name of the API in front."""
    normal = _normal(route.template)
    found = [name] if (name := _NAMES.get(f"{route.method} {normal}")) else []
    if route.group == "user_mgmt" and route.method == "GET":
        found.append("entities.list")
    elif not found and "{}/actions/" in normal:
        found.append(f"{route.parts[0]}.{route.parts[-1]}")
    elif not found:
        verb = _VERBS.get((route.method, len(route.parts)), "delete")
        found.append(f"{route.parts[0]}.{verb}")
    return tuple(name for each in found for name in (each, f"{route.group}.{each}"))


def _normal(template: str) -> str:
    """Return a path template with empty placeholders."""
    return _PLACEHOLDER.sub("{}", template)


def _by_text(match: str, store: Store, others: Iterable[str]) -> _Meaning:
    parsed = _REQUEST.fullmatch(match)
    if parsed is None:
        routes = frozenset(route for route in ROUTES if match in _names_of(route))
        if not routes:
            advice = _complete_names(match) or _suggestion(match, (*_all(_names_of), *others))
            raise ValueError(f"no operation of the sandbox has the name or path {match!r}{advice}")
    else:
        method, path = parsed[1] and parsed[1].upper(), parsed[2]
        routes = frozenset(
            each for each in ROUTES if _normal(each.template) == _normal(path) and method in (None, each.method)
        )
        if not routes:
            segments = tuple(each for each in path.split("/") if each)
            if concrete := _one_path(method, segments, store):
                return concrete
            advice = _path_suggestion(method, path, segments)
            raise ValueError(f"no operation of the sandbox has the path {match!r}{advice}")

    def matches(request: SandboxRequest) -> bool:
        found = ROUTER.find(request)
        return found is not None and found[0] in routes

    return _Meaning(matches, routes)


def _one_path(method: str | None, segments: tuple[str, ...], store: Store) -> _Meaning | None:
    """Parse a `match` that is the path of an existing resource. Return `None` if an identifier doesn't exist."""
    routes: set[Route] = set()
    for route in ROUTES:
        found = match_parts(route.parts, segments) if method in (None, route.method) else None
        if found and all(_is_known(value, store) for value in found.values()):
            routes.add(route)
    if not routes:
        return None
    return _Meaning(
        lambda request: method in (None, request.method) and request.segments == segments, frozenset(routes)
    )


def _is_known(identifier: str, store: Store) -> bool:
    return identifier in _known(store) or any(one.find(identifier) is not None for one in store.collections.values())


def _known(store: Store) -> set[str]:
    """Return the identifiers of the gateway and the account-lifecycle API, which aren't in the store's collections."""
    known = {*store.partner_subscriptions, *store.users, *store.custom_data, *(each for _, each in store.entities)}
    return known | {name for arrays in store.custom_data.values() for name in arrays}


def _by_pair(method: str, part: str, store: Store, others: Iterable[str]) -> _Meaning:
    verb = method.upper()
    if verb not in _METHODS:
        if part.upper() in _METHODS:
            raise ValueError(f"the method must come first; write {(part, method)!r}")
        raise ValueError(f"{method!r} isn't an HTTP method of the sandbox{_suggestion(method, (*_METHODS, *others))}")
    routed = "GET" if verb == "HEAD" else verb
    routes = [route for route in ROUTES if route.method == routed]
    matching = frozenset(route for route in routes if part and _can_contain(route, part, store))
    if not matching:
        advice = _suggestion(part, {word for route in routes for word in route.parts if not word.startswith("{")})
        if not advice and _can_name(part, routes):
            example = (verb, f"/{routes[0].parts[0]}/{part.strip('/')}")
            advice = (
                f", and no resource has this identifier; for a resource that doesn't exist yet, write its kind before "
                f"the identifier, such as {example!r}"
            )
        raise ValueError(f"no path of a {verb} request contains {part!r}{advice}")
    return _Meaning(lambda request: request.method == verb and part in request.path, matching)


def _can_contain(route: Route, part: str, store: Store) -> bool:
    """Return whether a path that the route handles can contain `part`."""
    pieces, words = part.split("/"), ["", *route.parts]
    last = len(pieces) - 1
    places = [list(zip(pieces, words[first:], strict=False)) for first in range(len(words) - last)]
    return any(
        all(_fits(piece, word, store, starts=at == 0, ends=at == last) for at, (piece, word) in enumerate(place))
        and (any(piece and not word.startswith("{") for piece, word in place) or _is_in_known(pieces, store))
        for place in places
    )


def _can_name(part: str, routes: Iterable[Route]) -> bool:
    """Return whether a string can be the identifier of a resource that doesn't exist yet."""
    return "/" not in part.strip("/") and any(route.parts[-1].startswith("{") for route in routes)


def _is_in_known(pieces: Iterable[str], store: Store) -> bool:
    """Return whether each string is a part of an existing identifier."""
    known = [
        *_known(store),
        *(text(each, name) for one in store.collections.values() for each in one for name in _KEYS),
    ]
    return all(any(piece in each for each in known) for piece in pieces)


def _fits(piece: str, word: str, store: Store, *, starts: bool, ends: bool) -> bool:
    if word.startswith("{"):
        if _nearest(piece, _words()) is not None:  # `piece` is probably a misspelled segment of a path
            return _is_known(piece, store)
        return piece != "" or starts or ends
    if starts and ends:
        return piece in word
    if starts:
        return word.endswith(piece)
    return word.startswith(piece) if ends else word == piece


@cache
def _words() -> tuple[str, ...]:
    return tuple({word for route in ROUTES for word in route.parts if not word.startswith("{")})


def _path_suggestion(method: str | None, path: str, segments: tuple[str, ...]) -> str:
    """Return the advice in the error message if a path matches neither a path template nor an existing resource."""
    fitting = [route for route in ROUTES if match_parts(route.parts, segments) is not None]
    same = [route for route in fitting if method in (None, route.method)]
    if same:
        template, verb = same[0].template, same[0].method
        return (
            f"; write {template!r} to match all resources, or {(verb, path)!r} to match a resource that doesn't exist "
            f"yet"
        )
    if fitting:
        return f"; the sandbox has only {' and '.join(f'{route.method} {route.template}' for route in fitting)}"
    advice = _suggestion(path, _all(lambda route: (route.template,)))
    return advice if method is None else advice.replace("mean '", f"mean '{method} ")


def _complete_names(method: str) -> str:
    """Return the advice in the error message if a name has no resource, such as `charge` for `entitlements.charge`."""
    names = sorted({name for name in _all(_names_of) if name.count(".") == 1 and name.endswith(f".{method}")})
    if len(names) > _MANY:
        return f"; write the resource before the name, such as {names[0]!r}"
    *others, last = [repr(each) for each in names] or [""]
    return last and f"; did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def _all(texts: Callable[[Route], Iterable[str]]) -> Iterator[str]:
    return (text for route in ROUTES for text in texts(route))


def _suggestion(value: str, known: Iterable[str]) -> str:
    near = _nearest(value, known, 0.6)
    return f"; did you mean {near!r}?" if near else ""


def _nearest(value: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    by_normal = {_normal(each).strip("/").lower(): each for each in known}
    return by_normal.get(nearest(_normal(value).strip("/").lower(), by_normal, cutoff) or "")
