"""Runs one test body with sync and async clients, and responds to requests from a script without a socket."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

import httpx

import subscribekit
from kit.clocks import FakeTime

Group = Literal["billing", "gateway", "user_mgmt", "storefront"]
GROUPS: tuple[Group, ...] = ("billing", "gateway", "user_mgmt", "storefront")

URL: dict[Group, str] = {
    "billing": "https://billing.test/rest",
    "gateway": "https://gateway.test",
    "user_mgmt": "https://users.test",
    "storefront": "https://storefront.test",
}
SECRETS = ("merchant-user", "key-4711", "gateway-key-4712", "session-4713", "token-4714")
CREDENTIALS: dict[Group, dict[str, str]] = {
    "billing": {"api_user": SECRETS[0], "api_key": SECRETS[1]},
    "gateway": {"api_key": SECRETS[2]},
    "user_mgmt": {"session_id": SECRETS[3]},
    "storefront": {"access_token": SECRETS[4]},
}
AUTH: dict[Group, dict[str, str]] = {
    "billing": {"Authorization": "Basic bWVyY2hhbnQtdXNlcjprZXktNDcxMQ=="},
    "gateway": {"X-API-KEY": SECRETS[2]},
    "user_mgmt": {"Cookie": f"JSESSIONID={SECRETS[3]}"},
    "storefront": {"Authorization": f"Bearer {SECRETS[4]}"},
}
BLOCKING: dict[Group, type[Any]] = {
    "billing": subscribekit.BillingClient,
    "gateway": subscribekit.GatewayClient,
    "user_mgmt": subscribekit.UserMgmtClient,
    "storefront": subscribekit.StorefrontClient,
}
ASYNC: dict[Group, type[Any]] = {
    "billing": subscribekit.AsyncBillingClient,
    "gateway": subscribekit.AsyncGatewayClient,
    "user_mgmt": subscribekit.AsyncUserMgmtClient,
    "storefront": subscribekit.AsyncStorefrontClient,
}
Style = Literal["blocking", "async"]


class Run:
    """Opens a client of one kind, sync or async, and uses it.

    `use` is a lambda that makes one call or reads one list, or a coroutine function for several calls. The coroutine
    function gets results with `now`, `every`, and `following`, which work with both kinds of client.
    """

    def __init__(self, style: Style) -> None:
        self.style = style

    def client(self, group: Group, **options: Any) -> Any:
        """Return a client of an API, by default with the URL and the credentials of this module."""
        if not {"environment", "base_url"} & options.keys():
            options = {"base_url": URL[group], **CREDENTIALS[group], **options}
        return (BLOCKING if self.style == "blocking" else ASYNC)[group](**options)

    def __call__(self, group: Group, use: Callable[[Any], Any], **options: Any) -> Any:
        """Return the result of `use`: the awaited value, or all items of a list."""

        async def story() -> Any:
            client = self.client(group, **options)
            try:
                return await use(client) if inspect.iscoroutinefunction(use) else await self.finish(use(client))
            finally:
                await self.close(client)

        return asyncio.run(story())

    async def close(self, client: Any) -> None:
        """Close a client."""
        await self.now(client.close() if self.style == "blocking" else client.aclose())

    async def finish(self, result: Any) -> Any:
        """Return all items of a list, or the awaited value of any other result."""
        if hasattr(result, "__aiter__") or hasattr(result, "__next__") or "Pager" in type(result).__name__:
            return [item async for item in self.every(result)]
        return await self.now(result)

    async def now(self, result: Any) -> Any:
        """Return a result, and check that only async calls return an awaitable."""
        assert inspect.isawaitable(result) == (self.style == "async"), "the call has the other style"
        return await result if self.style == "async" else result

    async def every(self, iterable: Any) -> AsyncIterator[Any]:
        """Iterate with `for` or `async for`."""
        if self.style == "async":
            async for item in iterable:
                yield item
        else:
            for item in iterable:
                yield item

    async def collect(self, iterable: Any, ids: list[Any]) -> None:
        """Iterate, and store the ID of each item in `ids`, even if the iteration fails."""
        async for item in self.every(iterable):
            ids.append(item.id)  # noqa: PERF401  the IDs before an error must be stored

    def iterator(self, iterable: Any) -> Any:
        """Return the iterator of an iterable."""
        return aiter(iterable) if self.style == "async" else iter(iterable)

    async def following(self, iterator: Any) -> Any:
        """Return the next item."""
        return await anext(iterator) if self.style == "async" else next(iterator)

    async def at_its_end(self, iterator: Any) -> bool:
        """Return whether an iterator has no more items."""
        nothing = object()
        return (await anext(iterator, nothing) if self.style == "async" else next(iterator, nothing)) is nothing


@dataclass(frozen=True)
class Sent:
    """A request as it arrived."""

    method: str
    url: str
    headers: httpx.Headers
    body: bytes

    @property
    def path(self) -> str:
        return "/" + self.url.split("?")[0].split("/", 3)[3]

    @property
    def query(self) -> list[tuple[str, str]]:
        raw = self.url.partition("?")[2]
        return [(unquote(name), unquote(value)) for name, _, value in (pair.partition("=") for pair in raw.split("&"))]

    @property
    def header_names(self) -> list[str]:
        return [name.decode() for name, _ in self.headers.raw]


def answer(content: object = None, status: int = 200, **headers: str) -> httpx.Response:
    """Return a response. Its body contains bytes unchanged, nothing for `None`, and every other value as JSON."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if content is None:
        return httpx.Response(status, headers=sent)
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return httpx.Response(status, headers={"Content-Type": "application/json", **sent}, content=body)


Answer = httpx.Response | Exception | Callable[[Sent], httpx.Response]


class Service(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Responds to sync and async requests from a script. It raises an exception that is in the script."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.sent: list[Sent] = []
        self.time = FakeTime()
        self.clock = self.time.clock()

    def following(self, sent: Sent) -> Answer:
        """Return the response to this request."""
        assert self.answers, f"one request too many: {sent.method} {sent.url}"
        return self.answers.pop(0)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = Sent(request.method, str(request.url), request.headers, request.read())
        self.sent.append(sent)
        following = self.following(sent)
        if isinstance(following, Exception):
            raise following
        return following if isinstance(following, httpx.Response) else following(sent)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)

    @property
    def only(self) -> Sent:
        """The only request that arrived."""
        assert len(self.sent) == 1, [f"{sent.method} {sent.url}" for sent in self.sent]
        return self.sent[0]


class Always(Service):
    """Responds to every request with the result of a function, also if several threads send requests."""

    def __init__(self, give: Callable[[Sent], httpx.Response]) -> None:
        super().__init__()
        self.give = give

    def following(self, sent: Sent) -> Answer:
        """Return the function, and change no state, because tests send requests from several threads."""
        return self.give


def envelope(
    *ids: str | Mapping[str, object], next_link: str | None = None, previous_link: str | None = None, **more: object
) -> dict[str, object]:
    """Return a page of the billing API. A string is the ID of an account."""
    data = [{"object": "Account", "id": each} if isinstance(each, str) else dict(each) for each in ids]
    page: dict[str, object] = {"object": "List", "data": data, **more}
    if next_link is not None:
        page["next"] = next_link
    if previous_link is not None:
        page["previous"] = previous_link
    return page


def page(*ids: str | Mapping[str, object], **more: Any) -> httpx.Response:
    """Return a response with a page of the billing API."""
    return answer(envelope(*ids, **more))


def array(*ids: int, total: object = None) -> httpx.Response:
    """Return a response with a page of the account-lifecycle API."""
    headers = {} if total is None else {"X_Total_Count": str(total)}
    return answer([{"id": each, "type": "account"} for each in ids], **headers)
