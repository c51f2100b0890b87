"""A FastAPI service over the async clients: one set of clients for the life of the process, errors mapped once.

    pip install fastapi uvicorn
    uvicorn --app-dir examples fastapi_service:app      # serve it
    python examples/fastapi_service.py                  # or: call each route once and stop

The clients are opened and closed by the lifespan, so every request shares their connections. A charge is noted under
the caller's own `transaction_id` before it is sent: the same order that comes again gets the first answer, or 409 while
there is none, and is never charged twice. The error handlers keep the one distinction that matters to the caller: an
unknown outcome is not a failure to try again. What was sent, and what the service says in an error, may name a person,
so it goes into no response: the caller gets a status, the outcome and a trace id.

With `SUBSCRIBEKIT_ENVIRONMENT` set the service works on that environment. It reads there, and charges only when
`MERCHANT_MAY_CHARGE=yes` is set too. `MERCHANT_ORDERS` is the file of the notes; in the sandbox they are in memory.
"""

import asyncio
import hashlib
import logging
import math
import os
import sqlite3
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field, ValidationError

from subscribekit import AsyncBillingClient, AsyncGatewayClient
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

log = logging.getLogger("merchant")

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
ENVIRONMENT: Literal["sandbox"] | None = "sandbox" if IN_SANDBOX else None
MAY_CHARGE = IN_SANDBOX or os.environ.get("MERCHANT_MAY_CHARGE") == "yes"

STATUSES: dict[type[SubscribekitError], int] = {
    OutcomeUnknownError: 202,  # taken, but not known to be done: a 5xx would invite the caller to send it again
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
    """What was asked under each id, and what was answered; on the disk before anything is sent."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()  # `rowcount` is of the connection, whichever thread asks
        self._run("CREATE TABLE IF NOT EXISTS orders (id PRIMARY KEY, asked, status, answer)")

    def _run(self, statement: str, *values: str | int | bytes) -> tuple[int, list[tuple[str, int | None, bytes]]]:
        with self._lock:
            done = self._database.execute(statement, values)
            return done.rowcount, done.fetchall()

    def begin(self, order: str, asked: str) -> Response | None:
        """Note an order that is new; give the answer to one that is not."""
        is_new, _ = self._run("INSERT OR IGNORE INTO orders (id, asked) VALUES (?, ?)", order, asked)
        if is_new:
            return None
        _, found = self._run("SELECT asked, status, answer FROM orders WHERE id = ?", order)
        first, status, answer = found[0] if found else (asked, None, b"")
        if first != asked:
            return JSONResponse({"detail": "this transaction id stands for another order"}, 409)
        if status is None:  # under way, or its process died
            return JSONResponse({"detail": f"this order is being charged. {ADVICE}"}, 409)
        return Response(answer, status, media_type="application/json")

    def end(self, order: str, answer: Response) -> None:
        """Note what was answered."""
        self._run(
            "UPDATE orders SET status = ?, answer = ? WHERE id = ?", answer.status_code, bytes(answer.body), order
        )

    def forget(self, order: str) -> None:
        """Let an order come again of which nothing was done."""
        self._run("DELETE FROM orders WHERE id = ?", order)


ORDERS = Orders(os.environ.get("MERCHANT_ORDERS", ":memory:" if IN_SANDBOX else "orders.db"))


@dataclass(frozen=True)
class Clients:
    """What the routes use."""

    billing: AsyncBillingClient
    gateway: AsyncGatewayClient


@asynccontextmanager
async def lifespan(service: FastAPI) -> AsyncGenerator[None, None]:
    """Open the clients when the process starts and close them when it stops."""
    async with AsyncExitStack() as stack:
        billing = await stack.enter_async_context(AsyncBillingClient(environment=ENVIRONMENT, deadline=10))
        gateway = await stack.enter_async_context(AsyncGatewayClient(environment=ENVIRONMENT, deadline=10))
        service.state.clients = Clients(billing, gateway)
        yield


app = FastAPI(title="Merchant", lifespan=lifespan)


def clients(request: Request) -> Clients:
    """Give the clients to a route."""
    found: Clients = request.app.state.clients
    return found


Connected = Annotated[Clients, Depends(clients)]


class ChargeOrder(BaseModel):
    """What the merchant's own application asks for; it has stored `transaction_id` before it asks."""

    transaction_id: str = Field(min_length=1, max_length=128, description="The caller's own id: one order, one charge.")
    product_code: str
    amount: Decimal = Field(gt=0, description="In units of the currency, not in cents; less than 0 would be a refund.")
    currency: str = Field(pattern="^[A-Z]{3}$")


@app.get("/subscriptions/{subscription}")
async def subscription_state(subscription: str, to: Connected) -> dict[str, str | None]:
    """Tell how a subscription stands."""
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
    wanted = charge_of(order)
    asked = hashlib.sha256(f"{partner_subscription} {order.model_dump_json()}".encode()).hexdigest()
    noted = await asyncio.to_thread(ORDERS.begin, order.transaction_id, asked)  # it waits for the disk
    if noted is not None:
        return noted
    try:
        receipt = await to.gateway.entitlements.charge(partner_subscription, wanted)
    except SubscribekitError as error:
        answer = await tell(request, error)
        if error.outcome == "not_sent" or answer.status_code >= 500:  # nothing was done, and not for what was asked
            await asyncio.to_thread(ORDERS.forget, order.transaction_id)
            return answer
    else:
        answer = JSONResponse({"receipt": receipt.transaction_reference_id}, 201)
    await asyncio.to_thread(ORDERS.end, order.transaction_id, answer)
    return answer


def charge_of(order: ChargeOrder) -> EntitlementCharge:
    """Build what is sent; a value that the SDK's model refuses is the caller's, and not a failure of this service."""
    try:
        return EntitlementCharge(
            transaction_id=order.transaction_id,
            product_code=order.product_code,
            amount=order.amount,
            currency=order.currency,
        )
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_input=False, include_context=False)) from None


@app.exception_handler(RequestValidationError)
async def refuse(_: Request, error: RequestValidationError) -> JSONResponse:
    """Say which fields are refused, and why. FastAPI's own answer repeats what was sent: a card number, an e-mail."""
    return JSONResponse({"detail": [{"loc": each["loc"], "msg": each["msg"]} for each in error.errors()]}, 422)


@app.exception_handler(SubscribekitError)
async def tell(request: Request, error: SubscribekitError) -> JSONResponse:
    """Turn the SDK's errors into responses that hold nothing of the service's text; the log has what support needs."""
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 502)
    body: dict[str, str | None] = {"outcome": error.outcome, "trace_id": error.trace_id}
    headers: dict[str, str] = {}
    log.warning("%s: %s, outcome %s, trace id %s", error.operation, type(error).__name__, error.outcome, error.trace_id)
    if isinstance(error, OutcomeUnknownError):
        verdict = await clients(request).gateway.resolve(error, wait=False)  # its only write is the gateway's
        body |= {"state": verdict.state, "advice": ADVICE, "ask_the_operator": verdict.quote}
    if isinstance(error, RateLimitError):
        headers["Retry-After"] = str(math.ceil(error.retry_after or 1))
    return JSONResponse(body, status_code=status, headers=headers)


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
