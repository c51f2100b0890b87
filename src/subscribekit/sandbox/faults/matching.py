"""Matches of faults: reading the match that a test gave, and refusing one that no request could ever be."""

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
    """Which requests a match means; `routes` is `None` where a function of the test alone can tell."""

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
"""The SDK's names of the operations whose paths do not tell them."""


def meant_by(match: Match, store: Store, fault: str, lists: tuple[Group, ...] | None) -> Matches:
    """Return what tells whether a request is meant by a match of a fault.

    Args:
        match: As `FaultDirector.add` takes it.
        store: Where identifiers in a path are looked up.
        fault: The name of the fault.
        lists: The groups whose lists it happens to, if it is about lists; `None` for a fault of push notifications.

    Raises:
        ValueError: No request can be meant, or the fault cannot happen to those that are.
        TypeError: It is no match at all.
    """
    if lists is None and is_class(match):
        return no_request
    meant = _meaning(match, store, CLASSES if lists is None else ())
    if meant.routes is not None and lists is None:
        _refuse_reads(fault, match, meant.routes)
    elif meant.routes is not None and lists:
        _refuse_no_list(fault, match, lists, meant.routes)
    return meant.matches


def is_class(match: object) -> bool:
    """Tell whether a match is a class of push notifications, or a pair of one and an event."""
    pair = cast("tuple[object, ...]", match) if isinstance(match, tuple) else (match, None)
    return len(pair) == 2 and pair[0] in CLASSES


def no_request(_: SandboxRequest) -> bool:
    """Be met by no request."""
    return False


def _meaning(match: Match, store: Store, others: Iterable[str]) -> _Meaning:
    if isinstance(match, str):
        return _by_text(match, store, others)
    if isinstance(match, tuple):
        pair = cast("tuple[object, ...]", match)
        method, part = pair if len(pair) == 2 else (None, None)
        if not isinstance(method, str) or not isinstance(part, str):
            raise TypeError(f"a pair has a method and a part of the path, such as ('GET', '/accounts'), not {match!r}")
        return _by_pair(method, part, store, others)
    if not callable(match):
        raise TypeError(
            f"the match is a path template, the SDK's name of an operation, a pair or a function, not {match!r}"
        )
    name: str = getattr(match, "__qualname__", "")
    if match.__module__.startswith("subscribekit.") and name.count(".") == 1:  # a method of a client, which calls it
        family, _, method = name.partition(".")
        family = re.sub(r"^(Prepared|(Async)?(Raw)?)(?=[A-Z])", "", family)
        family = re.sub(r"(?<!^)(?=[A-Z])", "_", family).lower()
        raise TypeError(f"the match is the name of the operation: write '{family}.{method}', as text")
    return _Meaning(match)


def _refuse_no_list(fault: str, match: Match, groups: Iterable[Group], routes: Iterable[Route]) -> None:
    """Refuse a fault of lists that waits for what gives none."""
    lists = [each for each in routes if each.is_list]
    if any(each.group in groups for each in lists):
        return
    if lists:
        raise ValueError(
            f"{fault}() happens to pages with cursors, and {match!r} has no cursors: of the faults of lists only "
            f"wrong_total() happens there"
        )
    near = {f"GET /{part}" for each in routes for part in ("/".join(each.parts), each.parts[0])}
    known = [f"GET {each.template}" for each in ROUTES if each.is_list and each.group in groups]
    found = max(near.intersection(known), key=len, default=None)
    advice = f"; did you mean {found!r}?" if found else ": write a list, such as 'GET /accounts'"
    raise ValueError(f"{fault}() happens to pages of a list, and {match!r} gives none{advice}")


def _refuse_reads(fault: str, match: Match, routes: Iterable[Route]) -> None:
    """Refuse a fault of push notifications that waits for reads."""
    if all(each.method == "GET" for each in routes):
        raise ValueError(f"{fault}() happens to push notifications, and {match!r} is a read, which causes none")


@cache
def _names_of(route: Route) -> tuple[str, ...]:
    """Return the SDK's names of the operations that send a route's requests, each also with its group before it."""
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
    """Write a template so that the names of its placeholders do not count."""
    return _PLACEHOLDER.sub("{}", template)


def _by_text(match: str, store: Store, others: Iterable[str]) -> _Meaning:
    told = f"no operation of the sandbox has the path template {match!r}"
    read = _REQUEST.fullmatch(match)
    if read is None:
        routes = frozenset(route for route in ROUTES if match in _names_of(route))
        if not routes:
            raise ValueError(f"{told}, or is called so{_called(match) or _meant(match, (*_all(_names_of), *others))}")
    else:
        method, path = read[1] and read[1].upper(), read[2]
        routes = frozenset(
            each for each in ROUTES if _normal(each.template) == _normal(path) and method in (None, each.method)
        )
        if not routes:
            segments = tuple(each for each in path.split("/") if each)
            if concrete := _one_path(method, segments, store):
                return concrete
            raise ValueError(told + _what_fits(method, path, segments))

    def matches(request: SandboxRequest) -> bool:
        found = ROUTER.find(request)
        return found is not None and found[0] in routes

    return _Meaning(matches, routes)


def _one_path(method: str | None, segments: tuple[str, ...], store: Store) -> _Meaning | None:
    """Return what means the path of one resource that there is; other words in place of an identifier are mistakes."""
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
    """Return the identifiers outside of the collections."""
    known = {*store.partner_subscriptions, *store.users, *store.custom_data, *(each for _, each in store.entities)}
    return known | {name for kept in store.custom_data.values() for name in kept}


def _by_pair(method: str, part: str, store: Store, others: Iterable[str]) -> _Meaning:
    wanted = method.upper()
    if wanted not in _METHODS:
        if part.upper() in _METHODS:
            raise ValueError(f"the method comes first: write {(part, method)!r}")
        raise ValueError(f"{method!r} is no method{_meant(method, (*_METHODS, *others))}")
    asked = "GET" if wanted == "HEAD" else wanted
    routes = [route for route in ROUTES if route.method == asked]
    meant = frozenset(route for route in routes if part and _can_hold(route, part, store))
    if not meant:
        near = _meant(part, {word for route in routes for word in route.parts if not word.startswith("{")})
        if not near and _can_name(part, routes):
            of_one = (wanted, f"/{routes[0].parts[0]}/{part.strip('/')}")
            near = f", and there is no such identifier: for one to come write the resource before it: {of_one!r}"
        raise ValueError(f"no path of a {wanted} request contains {part!r}{near}")
    return _Meaning(lambda request: request.method == wanted and part in request.path, meant)


def _can_hold(route: Route, part: str, store: Store) -> bool:
    """Tell whether a path of a route can contain a text."""
    pieces, words = part.split("/"), ["", *route.parts]
    last = len(pieces) - 1
    places = [list(zip(pieces, words[first:], strict=False)) for first in range(len(words) - last)]
    return any(
        all(_fits(piece, word, store, starts=at == 0, ends=at == last) for at, (piece, word) in enumerate(place))
        and (any(piece and not word.startswith("{") for piece, word in place) or _is_in_known(pieces, store))
        for place in places
    )


def _can_name(part: str, routes: Iterable[Route]) -> bool:
    """Tell whether a text could be an identifier that is yet to come."""
    return "/" not in part.strip("/") and any(route.parts[-1].startswith("{") for route in routes)


def _is_in_known(pieces: Iterable[str], store: Store) -> bool:
    """Tell whether texts that no word of a path holds are parts of identifiers that there are."""
    known = [
        *_known(store),
        *(text(each, name) for one in store.collections.values() for each in one for name in _KEYS),
    ]
    return all(any(piece in each for each in known) for piece in pieces)


def _fits(piece: str, word: str, store: Store, *, starts: bool, ends: bool) -> bool:
    if word.startswith("{"):
        if _nearest(piece, _words()) is not None:  # rather a word of another path, written wrongly
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


def _what_fits(method: str | None, path: str, segments: tuple[str, ...]) -> str:
    """Say what may be meant by a path that is none of a template and none of a resource that there is."""
    fitting = [route for route in ROUTES if match_parts(route.parts, segments) is not None]
    same = [route for route in fitting if method in (None, route.method)]
    if same:
        template, word = same[0].template, same[0].method
        return f": write {template!r} for all of them, or {(word, path)!r} for one that there is not yet"
    if fitting:
        return f"; there is {' and '.join(f'{route.method} {route.template}' for route in fitting)}"
    near = _meant(path, _all(lambda route: (route.template,)))
    return near if method is None else near.replace("mean '", f"mean '{method} ")


def _called(method: str) -> str:
    """Say which operations a name without its family may mean."""
    names = sorted({name for name in _all(_names_of) if name.count(".") == 1 and name.endswith(f".{method}")})
    if len(names) > _MANY:
        return f": write the family before it, such as {names[0]!r}"
    *others, last = [repr(each) for each in names] or [""]
    return last and f"; did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def _all(texts: Callable[[Route], Iterable[str]]) -> Iterator[str]:
    return (text for route in ROUTES for text in texts(route))


def _meant(given: str, known: Iterable[str]) -> str:
    near = _nearest(given, known, 0.6)
    return f"; did you mean {near!r}?" if near else ""


def _nearest(given: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    by_normal = {_normal(each).strip("/").lower(): each for each in known}
    return by_normal.get(nearest(_normal(given).strip("/").lower(), by_normal, cutoff) or "")
