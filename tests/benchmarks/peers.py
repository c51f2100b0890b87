"""Contenders that do the same work with installed SDKs of other companies.

The benchmarks import these SDKs by name, because none of them is a dependency of this project. If a peer has no setting
for its address, the benchmark replaces its connection below the public interface.
"""

from __future__ import annotations

import contextlib
import http.client
import importlib
import importlib.util
import inspect
import types
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Union, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import BaseModel, create_model

from benchmarks.drive import blocking, looped, repeated, spin, spread
from benchmarks.hand_models import Account
from benchmarks.measure import Contender

PAGE = 100
SMALL = "/accounts/small"

TITLES: Mapping[str, str] = {
    "openai": "OpenAI",
    "orb": "Orb",
    "stripe": "Stripe",
    "recurly": "Recurly",
    "paddle_billing": "Paddle",
}
"""The title of each peer, by import name."""

_CLIENTS = {"openai": ("OpenAI", "AsyncOpenAI", "SyncCursorPage"), "orb": ("Orb", "AsyncOrb", "SyncPage")}


def installed(*names: str) -> list[str]:
    """Return the names of the installed peers."""
    return [name for name in names if importlib.util.find_spec(name) is not None]


def get_small(name: str, url: str) -> Contender:
    """Get one small object with a sync client."""
    makers: dict[str, Callable[[str], Contender]] = {
        "stripe": _stripe_get,
        "recurly": _recurly_get,
        "paddle_billing": _paddle_get,
    }
    return makers[name](url) if name in makers else get_object(name, url, SMALL)


def get_object(name: str, url: str, path: str) -> Contender:
    """Get one account with a sync client of OpenAI or Orb."""
    return blocking(lambda: _sdk(name, url), repeated(lambda client: client.get(path, cast_to=_model(name))))


def async_get_object(name: str, url: str, path: str, *, tasks: int = 1) -> Contender:
    """Get one account with an async client of OpenAI or Orb, in `tasks` tasks."""

    async def call(client: Any) -> object:
        return await client.get(path, cast_to=_model(name))

    return looped(lambda: _async_sdk(name, url), spread(call, tasks))


def walk(name: str, url: str, *, work_per_page: float = 0.0) -> Contender:
    """Read the list of accounts with a sync client of OpenAI, Orb, or Stripe."""
    if name == "stripe":
        return blocking(lambda: _stripe(url), lambda client, units: _walk(_stripe_items(client), work_per_page))

    def work(client: Any, units: int) -> int:
        page = getattr(importlib.import_module(f"{name}.pagination"), _CLIENTS[name][2])
        model = _model(name)
        options = {"params": {"limit": PAGE}}
        items = client.get_api_list("/peers/accounts", page=page[model], model=model, options=options)
        return _walk(items, work_per_page)

    return blocking(lambda: _sdk(name, url), work)


def _walk(items: Iterable[object], work_per_page: float) -> int:
    count = 0
    for _ in items:
        count += 1
        if work_per_page and count % PAGE == 0:
            spin(work_per_page)
    return count


# OpenAI and Orb, which come from the same generator


def _sdk(name: str, url: str) -> Any:
    module = importlib.import_module(name)
    return getattr(module, _CLIENTS[name][0])(api_key="k", base_url=url)


def _async_sdk(name: str, url: str) -> Any:
    module = importlib.import_module(name)
    return getattr(module, _CLIENTS[name][1])(api_key="k", base_url=url)


_models: dict[str, type[BaseModel]] = {}


def _model(name: str) -> type[BaseModel]:
    """Return a model of the account with the peer's own base class, as the peer's generated code would have."""
    if name not in _models:
        _models[name] = _rebased(Account, importlib.import_module(name).BaseModel)
    return _models[name]


def _rebased(model: type[BaseModel], base: type[BaseModel]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (_with_base(field.annotation, base), ... if field.is_required() else field.default)
        for name, field in model.model_fields.items()
    }
    return create_model(model.__name__, __base__=base, **fields)


def _with_base(annotation: Any, base: type[BaseModel]) -> Any:
    origin = get_origin(annotation)
    if origin is None:
        return (
            _rebased(annotation, base)
            if inspect.isclass(annotation) and issubclass(annotation, BaseModel)
            else annotation
        )
    arguments = tuple(_with_base(argument, base) for argument in get_args(annotation))
    if origin in (Union, types.UnionType):
        return Union[arguments]  # noqa: UP007 - its members are known only at run time
    return origin[arguments]


# The other peers


@contextlib.contextmanager
def _stripe(url: str) -> Generator[Any]:
    yield importlib.import_module("stripe").StripeClient("sk_test_k", base_addresses={"api": url})


def _stripe_get(url: str) -> Contender:
    return blocking(lambda: _stripe(url), repeated(lambda client: client.v1.customers.retrieve("small")))


def _stripe_items(client: Any) -> Iterable[object]:
    return client.v1.customers.list({"limit": PAGE}).auto_paging_iter()


@contextlib.contextmanager
def _recurly(url: str) -> Generator[Any]:
    base = importlib.import_module("recurly.base_client")
    connection = contextlib.closing(http.client.HTTPConnection(urlsplit(url).netloc))
    with connection as plain:
        client = importlib.import_module("recurly").Client("k")
        setattr(client, f"_{base.BaseClient.__name__}__conn", plain)
        yield client


def _recurly_get(url: str) -> Contender:
    def get(client: Any) -> object:
        return client._make_request("GET", "/lower" + SMALL, None)  # the only statement of each generated method

    return blocking(lambda: _recurly(url), repeated(get))


@contextlib.contextmanager
def _paddle(url: str) -> Generator[Any]:
    module = importlib.import_module("paddle_billing")
    options = module.Options(environment=types.SimpleNamespace(base_url=url))
    client = module.Client("k", options=options)
    with client.client:
        yield client


def _paddle_get(url: str) -> Contender:
    return blocking(lambda: _paddle(url), repeated(lambda client: client.customers.get("small")))
