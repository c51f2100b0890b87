"""What to write instead of a name or an argument that does not exist.

Nothing here runs before such a mistake was made. Values are never shown: one of them may be a credential.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import TypeAlias

_Settings: TypeAlias = tuple[tuple[str, str, tuple[str, ...]], ...]

_USER = ("user", "username", "login", "merchant")
_CREDENTIALS = ("api_user", "api_key", "session_id", "access_token")
_FOR_A_CALL: _Settings = (
    (
        "deadline=10.0",
        ", or timeouts=Timeouts(read=10.0) for one step of a call",
        ("timeout", "timeout_seconds", "read_timeout", "connect_timeout", "request_timeout", "deadline", "timeouts"),
    ),
    ("retry=RetryPolicy(max_attempts=3)", "", ("retries", "max_retries", "max_attempts", "retry")),
    ("headers={'X-Name': '...'}", "", ("headers", "extra_headers", "default_headers", "header")),
)
"""What `with_options` takes, what to say besides, and the names that other libraries have for it."""
_FOR_A_CLIENT: _Settings = (
    (
        "environment=Environment(name='...', ca_file='...')",
        ", set SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE, or give ssl_context=ssl.create_default_context(cafile='...')",
        ("ca_file",),
    ),
    (
        "ssl_context=ssl.create_default_context(cafile='...')",
        "; certificates are always checked",
        ("verify", "verify_ssl", "ssl", "ssl_verify", "cert", "ca_bundle", "ca_file", "cafile", "ca_certs", "insecure"),
    ),
    ("proxy='http://host:port'", "", ("proxies", "http_proxy", "https_proxy")),
    ("limits=Limits(max_connections=100)", "", ("max_connections", "pool_size", "pool_maxsize", "pool_connections")),
    ("transport=...", "", ("http_client", "client", "adapter", "mounts", "connector")),
    ("environment='staging'", "", ("env", "stage", "sandbox", "test_mode", "mode")),
    ("base_url='https://...'", "", ("url", "host", "hostname", "endpoint", "base", "api_base", "base_uri", "server")),
    ("api_user='...'", "", _USER),
    ("api_key='...'", "", ("password", "key", "apikey", "secret", "api_secret", "token", "api_token", "auth")),
    ("session_id='...'", "", ("session", "jsessionid", "cookie", "token", "api_key", "api_token", "auth")),
    ("access_token='...'", "", ("token", "bearer", "bearer_token", "api_key", "api_token", "auth")),
    ("api_version='20190501'", "", ("version",)),
    ("api_release='v85'", "", ("version", "release", "api_version")),
    ("observers=[Hooks(...)]", "", ("hooks", "event_hooks", "callbacks", "middleware")),
)
"""What only a client takes; an entry is offered where the client has that argument."""
_AT_ITS_MAKING = ("ssl_context", "proxy", "limits", "transport")
_BODY = ("body", "json", "data", "payload", "content", "params")
_PAGES = ("page", "page_number", "per_page", "page_size", "pagesize", "size", "limit", "offset", "cursor", "after")
_UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")

_METHODS = {
    "retrieve": ("get", "find", "fetch", "read", "show", "load", "one", "by_id", "get_by_id", "find_by_id", "lookup"),
    "list": ("all", "list_all", "find_all", "search", "filter", "query", "where", "index", "iterate", "get_all"),
    "create": ("add", "new", "post", "insert", "save", "make"),
    "update": ("patch", "put", "modify", "edit", "set", "change", "save"),
    "delete": ("remove", "destroy", "discard"),
    "cancel": ("terminate", "stop", "end", "delete", "void"),
    "charge": ("create", "submit", "pay", "post"),
}
_FACES = {
    "with_raw_response": ("raw", "with_response", "with_http_info", "raw_response"),
    "plan": ("dry_run", "dryrun", "preview", "prepare", "build_request", "build"),
    "resolve": ("reconcile", "outcome", "verify", "check", "lookup"),
    "with_options": ("options", "configure", "copy", "clone", "with_config", "with_headers", "with_timeout"),
}
_FAMILIES = {
    "accounts": ("customers", "customer", "users", "clients"),
    "billing_plans": ("plans", "plan", "prices"),
    "campaigns": ("coupons", "coupon", "discounts", "promotions"),
    "entitlements": ("rights", "charge", "charges"),
    "event_summaries": ("usage",),
    "payment_methods": ("cards", "card", "payment_sources", "sources", "bank_accounts"),
    "products": ("items", "catalog", "catalogue"),
    "transactions": ("charge", "charges", "orders", "payment_intents"),
    "partner_subscriptions": ("psubs", "partner_subscription"),
}
CLIENTS = {
    "BillingClient": (
        "accounts", "activities", "billing_plans", "campaigns", "entitlements", "event_summaries", "events",
        "invoices", "payment_methods", "payments", "products", "rate_plans", "refunds", "season_sets",
        "subscriptions", "transactions",
    ),
    "GatewayClient": ("campaigns", "entitlements", "partner_subscriptions", "subscriptions"),
    "UserMgmtClient": ("accounts", "custom_data", "entities"),
    "StorefrontClient": ("payment_methods",),
}  # fmt: skip
"""Where each family is."""
_PAGER = {
    "to_list()": ("all", "items", "data", "results", "collect", "fetchall", "as_list", "list", "auto_paging_iter"),
    "first()": ("next", "one", "get", "fetchone", "single", "first_or_none"),
    "take(n)": ("limit", "head", "top", "fetchmany"),
    "total_count()": ("count", "total", "len", "length", "size"),
    "pages()": ("page", "next_page", "iter_pages", "by_page", "has_more", "has_next"),
}


_ARGUMENTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("disentitle", "write disentitle=True to end the service now", ("immediately", "immediate", "now", "at_once")),
    (
        "disentitle",
        "leave it out: without disentitle=True the service goes on to the end of what is paid",
        ("at_period_end", "cancel_at_period_end", "effective_date", "at", "when", "cancel_at"),
    ),
    (
        "settle",
        "write disentitle=True, settle=True to pay the unused part back",
        ("refund", "prorate", "prorated", "credit", "bill_prorated_period"),
    ),
    (
        "bill_prorated_period",
        "write bill_prorated_period=True",
        ("prorate", "prorated", "proration", "proration_behavior", "bill_prorated", "bill_now"),
    ),
    (
        "effective_date",
        "write effective_date='today' or effective_date='nextBill'",
        ("when", "at", "effective", "immediately", "immediate", "now", "at_period_end", "billing_cycle_anchor"),
    ),
    ("dryrun", "write dryrun=True", ("preview", "simulate", "validate_only", "test", "check")),
)
"""Where an argument is there, what to write for those that other services have."""


def misused(function: Callable[..., object], error: TypeError) -> TypeError:
    """Give an error that says what to write, when a function was called with arguments that it does not take.

    Returns:
        The same error when it was raised inside the function, or when there is nothing to add.
    """
    calls = 1 if error.__traceback__ is None else len(inspect.getinnerframes(error.__traceback__, context=0))
    function = function.func if isinstance(function, partial) else function
    if calls > 1 or not inspect.isfunction(function):
        return error
    parameters = dict(list(inspect.signature(function).parameters.items())[1:])
    owner, _, method = function.__qualname__.rpartition(".")
    name = method if method in ("request", "with_options") else f"{snake(owner)}.{method}"
    found = _UNEXPECTED.search(str(error))
    if found is None:
        return TypeError(f"{error}: write {_written(name, parameters)}")
    return TypeError(f"{error}: {_instead_of_argument(name, parameters, found[1])}")


def snake(name: str) -> str:
    """Write the name of a class as that of a family: `PaymentMethods` is `payment_methods`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _written(name: str, parameters: dict[str, inspect.Parameter]) -> str:
    """Write a call with the arguments that it needs."""
    texts = [
        f"{each.name}=..." if each.kind is each.KEYWORD_ONLY else each.name
        for each in parameters.values()
        if each.default is each.empty
    ]
    return f"{name}({', '.join([*texts, '...'] if len(texts) < len(parameters) else texts)})"


def _instead_of_argument(name: str, parameters: dict[str, inspect.Parameter], wrong: str) -> str:
    for written, note, names in _FOR_A_CALL:
        if wrong.lower() in names:
            where = "" if name == "with_options" else "a call takes no settings of its own; "
            return f"{where}write client.with_options({written}){note}"
    for written, note, names in _FOR_A_CLIENT:
        if wrong.lower() in names and written.startswith(_AT_ITS_MAKING):
            return f"give the client {written} when it is made{note}"
    if wrong in _BODY and "json" in parameters:
        return "write json=..."
    model = next((each for each in parameters.values() if hasattr(each.annotation, "model_fields")), None)
    if model is not None and (wrong in _BODY or wrong in model.annotation.model_fields):
        needed = [each.name for each in parameters.values() if each.default is each.empty and each is not model]
        field = f"{wrong}=..." if wrong in model.annotation.model_fields else "..."
        return f"write {name}({', '.join([*needed, f'{model.annotation.__name__}({field})'])})"
    if wrong in _PAGES and {"limit", "offset"} & parameters.keys():
        size = "limit" if "limit" in parameters else "size"
        return f"a list reads page after page by itself; {size}= is the size of a page, and .take(n) gives n items"
    if wrong == "idempotency_key":
        return "the service knows none; a call is sent again only where that does no harm"
    found = next((text for has, text, names in _ARGUMENTS if has in parameters and wrong.lower() in names), None)
    if found is not None:
        return found
    near = get_close_matches(wrong, parameters, n=1)
    if near:
        return f"did you mean {near[0]}=?"
    return f"it takes {_listed(parameters)}"


def _named(table: dict[str, tuple[str, ...]], wrong: str) -> str | None:
    return next((text for text, names in table.items() if wrong.lower() in names), None)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    if not found:
        return "no arguments"
    return ", ".join(found[:-1]) + (" and " if found[1:] else "") + found[-1]


def instead_of_name(wrong: str, known: Iterable[str]) -> str:
    """Say what to write instead of a name that the package itself does not have."""
    for home in ("models", "errors", "hooks", "sandbox", "webhooks", "filters"):
        if wrong in vars(import_module(f"subscribekit.{home}"))["__all__"]:
            return f"write subscribekit.{home}.{wrong}"
    near = get_close_matches(wrong, known, n=1, cutoff=0.75)
    return f"did you mean {near[0]!r}?" if near else f"its clients are {_listed(CLIENTS)}; each has an async one"


def instead_of_client_argument(client: str, wrong: str, known: Iterable[str]) -> str:
    """Say what to write instead of an argument that a client does not take."""
    known = list(known)
    for written, note, names in (*_FOR_A_CALL, *_FOR_A_CLIENT):
        if wrong.lower() in names and written.partition("=")[0] in known:
            return f"write {client}({written}){note}"
        if wrong.lower() in names and written.startswith("headers"):
            return f"write {client}(...).with_options({written})"
    own = [name for name in _CREDENTIALS if name in known]
    if wrong == "api_user" or wrong.lower() in _USER:
        return f"its credential is {own[0]}='...' alone; a user belongs to BillingClient"
    if wrong in _CREDENTIALS:
        return f"write {client}({'=..., '.join(own)}=...)"
    near = get_close_matches(wrong, known, n=1)
    return f"did you mean {near[0]}=?" if near else f"it takes {_listed(known)}"


def instead_of_family(client: object, wrong: str) -> str:
    """Say what to write instead of an attribute that a client, or what it shows, does not have."""
    known = [name for name in dir(type(client)) if not name.startswith("_")]
    if wrong in ("get", "post", "put", "delete", "patch", "send"):
        method = "GET" if wrong == "send" else "POST" if wrong == "patch" else wrong.upper()
        return f"write client.request({method!r}, '/...') for a call that has no method"
    if wrong in ("close", "aclose"):
        return f"write {'client.close()' if 'close' in known else 'await client.aclose()'}"
    everywhere = list(dict.fromkeys(name for names in CLIENTS.values() for name in names))
    meant = [name for name, others in _FACES.items() if wrong in others and name in known]
    meant += [name for name, others in _FAMILIES.items() if wrong in others]
    # The nearest of all names: one of another client may be nearer than the nearest of this one.
    near = meant or get_close_matches(wrong, {*known, *everywhere}, n=1, cutoff=0.75)
    own = next((name for name in near if name in known), None)
    if own is not None:
        return f"did you mean {own!r}?"
    homes = [f"{home}().{name}" for name in near for home, names in CLIENTS.items() if name in names]
    if homes:
        return f"write {' or '.join(homes)}"
    return f"this client has {_listed(name for name in everywhere if name in known)}"


_SANDBOX = {
    "sandbox.advance(days=31), or sandbox.now": (
        "time_travel", "travel", "forward", "tick", "sleep", "wait", "move", "freeze", "set_time", "time", "clock",
        "set_now", "move_time", "travel_to",
    ),
    "sandbox.requests[-1]": ("calls", "history", "last_request", "request", "recorded", "sent", "received", "log"),
    "sandbox.faults.add('GET /accounts', html())": ("fault", "inject", "fail", "add_fault", "inject_fault", "errors"),
    "sandbox.webhooks.subscribe(...), or sandbox.webhooks.deliveries": (
        "webhook", "subscribe", "deliveries", "notifications",
    ),
}  # fmt: skip
"""What to write, and what it is called elsewhere."""


def instead_of_sandbox(wrong: str) -> str:
    """Say what to write instead of an attribute that a sandbox does not have."""
    clients = {"BillingClient": "billing", "GatewayClient": "gateway", "UserMgmtClient": "user_mgmt"}
    clients["StorefrontClient"] = "storefront"
    homes = [f"sandbox.{clients[home]}().{wrong}" for home, names in CLIENTS.items() if wrong in names]
    if homes:
        return f"write {' or '.join(homes)}"
    if meant := next((each for each, names in _SANDBOX.items() if wrong in names), None):
        return f"write {meant}"
    return "write sandbox.billing(), .gateway(), .user_mgmt() or .storefront() for a client"


def instead_of_operation(family: object, name: str, wrong: str) -> str:
    """Say what to write instead of a method that a family, of this name, does not have."""
    if wrong == "refund":
        return {
            "entitlements": "write entitlements.charge(...) with a negative amount and original_transaction_id",
            "transactions": "write refunds.create(...)",
        }.get(name, "refunds are made with BillingClient().refunds")
    if wrong in ("with_raw_response", "plan", "with_options"):
        return f"write client.{wrong}{'(...)' if wrong == 'with_options' else ''}.{name}"
    known = [each for each in dir(type(family)) if not each.startswith("_")]
    meant = next((each for each, others in _METHODS.items() if wrong in others and each in known), None)
    alike = [] if meant else get_close_matches(wrong, known, n=1, cutoff=0.75)
    near = [each for each in alike if not _is_opposite(wrong, each)]
    if meant or near:
        return f"write {name}.{meant or near[0]}(...)"
    return f"{name} has {_listed(known)}; client.request calls what has no method"


def _is_opposite(wrong: str, known: str) -> bool:
    """Whether a name is another one with a prefix that turns it round: `uncancel` is not to become `cancel`."""
    return re.sub("^(un|de|dis|non)_?", "", wrong) == known


def instead_of_items(family: object, name: str, method: str) -> str:
    """Say which method reads what somebody wanted to take out of a family."""
    known = [each for each in dir(type(family)) if not each.startswith("_")]
    call = f"{name}.{method}({'...' if method == 'retrieve' else ''})"
    how = f"write {call}" if method in known else f"{name} has {_listed(known)}"
    return f"{name} is a family of calls and holds nothing: {how}"


def instead_of_pager_attribute(wrong: str, known: Iterable[str], call: Callable[[str], str]) -> str:
    """Say what to write instead of an attribute that a list does not have."""
    if wrong in ("filter", "where", "filter_by", "order_by", "search"):
        return "give the filters to the call that makes the list"
    meant = _named(_PAGER, wrong)
    known = list(known)
    if meant is not None and meant.partition("(")[0] in known:
        return call(meant)
    near = get_close_matches(wrong, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"a list has {_listed(known)}"


def _has_key(data: object, name: str) -> bool:
    return isinstance(data, Mapping) and name in data


def instead_of_response_attribute(wrong: str, data: object) -> str:
    """Say what to write instead of an attribute that a response does not have."""
    if _has_key(data, wrong):
        return f"write .data[{wrong!r}]"
    if wrong in ("status", "code"):
        return "write .status_code"
    if wrong in ("json", "text", "content", "body", "result", "value"):
        return "write .data, which was read already"
    return f"write .data.{wrong}" if hasattr(data, wrong) else "the result is in .data"
