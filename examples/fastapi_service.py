"""A FastAPI service over the async clients: one set of clients for the life of the process, errors mapped once.

    pip install fastapi uvicorn
    uvicorn --app-dir examples fastapi_service:app      # serve it
    python examples/fastapi_service.py                  # or: call each route once and stop

The clients and the notes are opened and closed by the lifespan, so every request shares them. A charge is noted under
the caller's own `transaction_id` before it is sent: a repeated order gets the first response, or 409 while
there is none, and is never charged twice. The error handlers keep the one distinction that matters to the caller: an
unknown outcome is not a failure to try again. A write whose response was lost is looked up, by reads, with the client
that made it, and once more whenever its order comes again. Requests, and the service's error messages, may
name a person, so it goes into no response: the caller gets a status, the outcome and a trace id.

With `SUBSCRIBEKIT_ENVIRONMENT` set the service works on that environment. It reads there, and charges only when
`MERCHANT_MAY_CHARGE=yes` is set too. `MERCHANT_ORDERS` is the file of the notes; in the sandbox they are in memory.
"""

import asyncio
import hashlib
import logging
import math
import os
import pickle
import sqlite3
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field, ValidationError

from subscribekit import AsyncBillingClient, AsyncGatewayClient, PlannedRequest, Verdict
from subscribekit.errors import (
    AuthorizationFailedError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    OutcomeUnknownError,
    RateLimitError,
    RequestError,
    SubscribekitError,
)
from subscribekit.models import EntitlementCharge

T = TypeVar("T")
log = logging.getLogger("merchant")

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
ENVIRONMENT: Literal["sandbox"] | None = "sandbox" if IN_SANDBOX else None
ORDERS = os.environ.get("MERCHANT_ORDERS", ":memory:" if IN_SANDBOX else "orders.db")
MAY_CHARGE = IN_SANDBOX or os.environ.get("MERCHANT_MAY_CHARGE") == "yes"

STATUSES: dict[type[SubscribekitError], int] = {
    AuthorizationFailedError: 402,  # declined
    NotFoundError: 404,
    ConflictError: 409,
    BadRequestError: 422,  # the service refuses a value
    RequestError: 422,  # the SDK refuses it, and sends nothing
    RateLimitError: 503,
}
"""Everything else is not the caller's doing: 502."""

ADVICE = "Do not send it again, under any transaction id, until the operator says that it was not made."


class Orders:
    """The request and the response of each id; on the disk before anything is sent."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()  # `rowcount` is of the connection, whichever thread asks
        columns = "id PRIMARY KEY, asked, begun, status, answer, error"
        self._run(f"CREATE TABLE IF NOT EXISTS orders ({columns})")

    def _run(self, statement: str, *values: str | float | bytes | None) -> tuple[int, list[tuple[Any, ...]]]:
        with self._lock:
            done = self._database.execute(statement, values)
            return done.rowcount, done.fetchall()

    def begin(self, order: str, asked: str) -> tuple[Response | None, bytes | None]:
        """Note an order that is new; give the response to one that is not, or the error of a lost one."""
        new = "INSERT OR IGNORE INTO orders (id, asked, begun) VALUES (?, ?, ?)"
        if self._run(new, order, asked, time.time())[0]:
            return None, None
        known = "SELECT asked, begun, status, answer, error FROM orders WHERE id = ?"
        _, found = self._run(known, order)
        first, begun, status, answer, error = found[0] if found else (asked, time.time(), None, b"", None)
        if first != asked:
            return JSONResponse({"detail": "this transaction id stands for another order"}, 409), None
        if error is not None:
            return None, error
        if status is not None:
            return Response(answer, status, media_type="application/json"), None
        if time.time() - begun < 60:  # longer than the deadlines of a charge and of a look
            told = "this order is being charged; ask again in a moment"
            return JSONResponse({"detail": told}, 409, {"Retry-After": "1"}), None
        told = f"it is unknown whether this order was charged: it was begun, and never ended. {ADVICE}"
        return JSONResponse({"detail": told}, 409), None

    def end(self, order: str, answer: Response, error: bytes | None, before: bytes | None) -> None:
        """Note the response, and with it the error of what is lost."""
        noted = "UPDATE orders SET status = ?, answer = ?, error = ? WHERE id = ? AND error IS ?"
        self._run(noted, answer.status_code, bytes(answer.body), error, order, before)

    def record(self, order: str, receipt: str | None) -> None:
        """Note what the operator said of a lost order: its receipt, or None for one that was not made.

        Raises:
            LookupError: No order of this id waits for that.
        """
        told = JSONResponse({"receipt": receipt}, 201)
        if receipt is None:
            told = JSONResponse({"outcome": "not_applied", "detail": "not made: ask under a new id"}, 409)
        said = "UPDATE orders SET status=?, answer=?, error=NULL WHERE id=? AND ifnull(status, 202) = 202"
        if not self._run(said, told.status_code, bytes(told.body), order)[0]:
            raise LookupError(f"no lost order is called {order!r}")

    def forget(self, order: str, before: bytes | None) -> None:
        """Let an order come again of which nothing was done, unless another caller was faster."""
        self._run("DELETE FROM orders WHERE id = ? AND error IS ?", order, before)

    def close(self) -> None:
        """Close the database."""
        self._database.close()


@dataclass(frozen=True)
class Clients:
    """Shared state of the routes."""

    billing: AsyncBillingClient
    gateway: AsyncGatewayClient
    orders: Orders


@asynccontextmanager
async def lifespan(service: FastAPI) -> AsyncGenerator[None, None]:
    """Open the clients when the process starts and close them when it stops."""
    async with AsyncExitStack() as stack:
        billing = await stack.enter_async_context(AsyncBillingClient(environment=ENVIRONMENT, deadline=10))
        gateway = await stack.enter_async_context(AsyncGatewayClient(environment=ENVIRONMENT, deadline=10))
        orders = stack.enter_context(closing(Orders(ORDERS)))
        service.state.clients = Clients(billing, gateway, orders)
        yield


app = FastAPI(title="Merchant", lifespan=lifespan)


def clients(request: Request) -> Clients:
    """Give the clients to a route."""
    found: Clients = request.app.state.clients
    return found


Connected = Annotated[Clients, Depends(clients)]


class ChargeOrder(BaseModel):
    """The request of the merchant's own application; it has stored `transaction_id` before it asks."""

    transaction_id: str = Field(min_length=1, max_length=128, description="The caller's own id: one order, one charge.")
    product_code: str
    amount: Decimal = Field(
        gt=0, decimal_places=2, description="In units of the currency, not in cents; less than 0 would be a refund."
    )
    currency: str = Field(pattern="^[A-Z]{3}$")


@app.get("/subscriptions/{subscription}")
async def subscription_state(subscription: str, to: Connected) -> dict[str, str | None]:
    """Return the state of a subscription."""
    found = await to.gateway.subscriptions.retrieve(subscription)
    return {"id": found.id, "status": found.status, "billing_state": found.billing_state}


@app.get("/accounts")
async def accounts(to: Connected, checkpoint: str | None = None) -> dict[str, str | list[str | None]]:
    """Give ten accounts and the place to go on from."""
    pager = to.billing.accounts.list(limit=10, checkpoint=checkpoint)
    return {"accounts": [each.id for each in await pager.take(10)], "checkpoint": pager.checkpoint}


@app.post("/charges/{partner_subscription}", status_code=201)
async def charge(partner_subscription: str, order: ChargeOrder, to: Connected, request: Request) -> Response:
    """Charge an entitlement once, where charging is allowed, however often it is asked for."""
    if not MAY_CHARGE:
        raise HTTPException(403, "set MERCHANT_MAY_CHARGE=yes to charge in a real environment")
    wanted = EntitlementCharge(**order.model_dump())

    plan = to.gateway.plan.entitlements.charge(partner_subscription, wanted)
    # An amount counts by its value: "4.90" and 4.9 are the same order.
    asked = (partner_subscription, order.product_code, str(order.amount.normalize()), order.currency)
    return await once(
        request, order.transaction_id, asked, to.gateway, plan, lambda made: made.transaction_reference_id
    )


async def once(
    request: Request,
    order: str,
    asked: tuple[object, ...],
    client: AsyncBillingClient | AsyncGatewayClient,
    plan: PlannedRequest[T],
    receipt: Callable[[T], str | None],
) -> Response:
    """Send the one write that an order stands for, however often it comes; look what became of a lost one.

    A plan is one write and nothing else: a read behind it could fail, and hide that the write was made.
    """
    orders = clients(request).orders
    digest = hashlib.sha256(repr(asked).encode()).hexdigest()
    noted, lost = await asyncio.to_thread(orders.begin, order, digest)  # it waits for the disk
    if noted is not None:
        return noted
    error: SubscribekitError | None = None
    try:
        if lost is not None:
            raise pickle.loads(lost)  # noqa: S301  this service wrote it
        answer = JSONResponse({"receipt": receipt(await client.send(plan))}, 201)
    except SubscribekitError as caught:
        looked_up = "Asked for here again under the same id, it is looked up and not sent."
        error, answer = caught, await tell(request, caught, f"{ADVICE} {looked_up}", lost is not None)
    except ValidationError as mistake:  # of a model for the result: a 422 would say that nothing was done
        raise RuntimeError(f"order {order}: sent, and its result cannot be used") from mistake
    if error is not None and (error.outcome == "not_sent" or answer.status_code >= 500):  # not done
        await asyncio.to_thread(orders.forget, order, lost)
    else:
        kept = (lost or pickle.dumps(error)) if answer.status_code == 202 else None
        await asyncio.to_thread(orders.end, order, answer, kept, lost)
    return answer


@app.exception_handler(RequestValidationError)
@app.exception_handler(ValidationError)  # of a model of the SDK, which refuses more than those of this service
async def refuse(_: Request, error: RequestValidationError | ValidationError) -> JSONResponse:
    """Say which fields are refused, and why. FastAPI's own response repeats the input: a card number, an e-mail."""
    return JSONResponse({"detail": [{"loc": each["loc"], "msg": each["msg"]} for each in error.errors()]}, 422)


@app.exception_handler(SubscribekitError)
async def tell(request: Request, error: SubscribekitError, advice: str = ADVICE, again: bool = False) -> JSONResponse:
    """Turn the SDK's errors into responses that hold nothing of the service's text; the log has what support needs."""
    log.warning("%s: %s, outcome %s, trace id %s", error.operation, type(error).__name__, error.outcome, error.trace_id)
    if isinstance(error, OutcomeUnknownError):
        return tell_unknown(error, await look(request, error, again), advice)
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 502)
    headers: dict[str, str] = {}
    if isinstance(error, RateLimitError):
        headers["Retry-After"] = str(math.ceil(error.retry_after or 1))
    return JSONResponse({"outcome": error.outcome, "trace_id": error.trace_id}, status, headers)


async def look(request: Request, error: OutcomeUnknownError, again: bool) -> Verdict | None:
    """Resolve with a client of the error's own group; only a later look waits, so the first response comes at once."""
    try:
        to = clients(request)
        able: dict[str, AsyncBillingClient | AsyncGatewayClient] = {"billing": to.billing, "gateway": to.gateway}
        return await able[error.group or ""].resolve(error, wait=again)
    except Exception as failed:  # noqa: BLE001  whatever it is, the caller must hear of the write
        log.warning("%s: its outcome was not looked up (%s)", error.operation, type(failed).__name__)
        return None


def tell_unknown(error: OutcomeUnknownError, verdict: Verdict | None, advice: str) -> JSONResponse:
    """Respond for a write whose response was lost: done, to be sent again, or (202) it is unknown."""
    state = "undecided" if verdict is None else verdict.state
    body: dict[str, str | None] = {"outcome": state, "trace_id": error.trace_id}
    if state in ("applied", "in_effect"):
        return JSONResponse(body, 200)
    if state == "not_applied":
        return JSONResponse(body, 503, {"Retry-After": "1"})
    quote = None if verdict is None else verdict.quote
    body |= {"outcome": "unknown", "state": state, "advice": advice, "ask_the_operator": quote}
    return JSONResponse(body, 202)  # a 5xx would invite the caller to send it again


async def demonstrate() -> None:
    """Call each route once, in this process; the ids are the sandbox's."""
    order = {"transaction_id": "order-4711", "product_code": "prod-addon", "amount": "4.90", "currency": "USD"}
    charging = ("POST", "/charges/psub-entitlement-0001", order)
    again = (charging, (*charging[:2], {**order, "amount": "5.90"})) if MAY_CHARGE else ()  # and no second charge
    async with lifespan(app), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://merchant") as http:
        for method, path, body in (
            ("GET", "/subscriptions/sub-basic-0001", None),
            ("GET", "/subscriptions/no-such-one", None),
            ("GET", "/accounts", None),
            charging,
            *again,
        ):
            answer = await http.request(method, path, json=body)
            print(f"{method:<5}{path:<34}{answer.status_code}  {answer.text[:100]}")


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, format="     log: %(message)s")
    asyncio.run(demonstrate())
