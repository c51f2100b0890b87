"""A small shop with FastAPI: charges through the gateway and the billing API, each order at most once.

    pip install fastapi uvicorn
    uvicorn --app-dir examples fastapi_shop:app      # serve it, with the sandbox
    python examples/fastapi_shop.py                  # or: lose responses on purpose and see what callers get

It notes an order under the caller's id before it sends anything, maps errors to statuses in one place, and repeats
nothing personal. A write whose response was lost is looked up by reads, with a client of the group that made it.
"""

import asyncio
import hashlib
import logging
import math
import pickle
import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from decimal import Decimal
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field, ValidationError

from subscribekit import AsyncBillingClient, AsyncGatewayClient, PreparedRequest, Verdict
from subscribekit.errors import (
    BadRequestError,
    ConflictError,
    InvalidArgumentError,
    NotFoundError,
    OutcomeUnknownError,
    PaymentAuthorizationError,
    RateLimitError,
    SubscribekitError,
)
from subscribekit.models import Account, EntitlementCharge, Transaction, TransactionItem
from subscribekit.sandbox import default_sandbox
from subscribekit.sandbox.faults import drop_after_commit, drop_before_commit, rate_limited

log = logging.getLogger("shop")
ORDERS = ":memory:"  # with the sandbox; a file such as "orders.db" as soon as money is real


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
    async with (
        AsyncBillingClient(environment="sandbox", deadline=10) as billing,
        AsyncGatewayClient(environment="sandbox", deadline=10) as gateway,
    ):
        with closing(Orders(ORDERS)) as orders:
            app.state.billing, app.state.gateway, app.state.orders = billing, gateway, orders
            yield


app = FastAPI(lifespan=lifespan)


# --8<-- [start:errors]
STATUSES: dict[type[SubscribekitError], int] = {
    PaymentAuthorizationError: 402,  # the card is declined
    NotFoundError: 404,
    ConflictError: 409,
    BadRequestError: 422,  # the service refuses a value
    InvalidArgumentError: 422,  # the SDK refuses it, and sends nothing
    RateLimitError: 503,  # 429 is about this service as a whole, not about its caller
}
"""Everything else is not the caller's doing: 502."""

ADVICE = "Do not send it again, even with another transaction ID, until the operator confirms that it was not made."


def id_of(made: object) -> str | None:
    """The receipt of a write that is done, where its route names no other."""
    return getattr(made, "id", None)


@app.exception_handler(SubscribekitError)
async def tell(
    request: Request,
    error: SubscribekitError,
    advice: str = ADVICE,
    receipt: Callable[[Any], str | None] = id_of,
    again: bool = False,
) -> JSONResponse:
    """Respond without `str(error)`: what the service says in it may name a person."""
    if isinstance(error, OutcomeUnknownError):
        return tell_unknown(error, await look(request, error, again), advice, receipt)
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 502)
    headers: dict[str, str] = {}
    if isinstance(error, RateLimitError):
        headers["Retry-After"] = str(math.ceil(error.retry_after or 1))
    return JSONResponse({"outcome": error.outcome, "trace_id": error.trace_id}, status, headers)


# --8<-- [end:errors]


async def look(request: Request, error: OutcomeUnknownError, again: bool) -> Verdict | None:
    """Resolve with a client of the error's own group; only a later look waits."""
    try:
        clients = {"billing": request.app.state.billing, "gateway": request.app.state.gateway}
        verdict: Verdict = await clients[error.group or ""].resolve(error, wait=again)
    except Exception as failed:  # noqa: BLE001  whatever it is, the caller must hear of the write
        log.warning("%s: its outcome was not looked up (%s)", error.operation, type(failed).__name__)
        return None
    return verdict


def is_refused(made: object) -> bool:
    """Whether a check of card or address ended a transaction: no money was taken, and no error says so."""
    states = made.status_log or () if isinstance(made, Transaction) else ()
    return any(each.status == "Cancelled" for each in states)


def tell_unknown(
    error: OutcomeUnknownError, verdict: Verdict | None, advice: str, receipt: Callable[[Any], str | None]
) -> JSONResponse:
    """Respond for a write whose response was lost: done, to be sent again, or (202) it is unknown."""
    state = "undecided" if verdict is None else verdict.state
    body: dict[str, str | None] = {"outcome": state, "trace_id": error.trace_id}
    if verdict is not None and is_refused(verdict.result):
        return JSONResponse(body | {"outcome": "rejected"}, 402)
    if state in ("applied", "in_effect"):
        made = None if verdict is None else verdict.result
        return JSONResponse(body | {"receipt": None if made is None else receipt(made)}, 200)
    if state == "not_applied":
        return JSONResponse(body, 503, {"Retry-After": "1"})
    details = None if verdict is None else verdict.support_details
    body |= {"outcome": "unknown", "state": state, "advice": advice, "ask_the_operator": details}
    return JSONResponse(body, 202)  # a 5xx would invite the caller to send it again


@app.exception_handler(RequestValidationError)
@app.exception_handler(ValidationError)  # of a model of the SDK: an amount of 40 digits
async def refuse(_: Request, error: RequestValidationError | ValidationError) -> JSONResponse:
    """Say which fields are refused, and why, without the values."""
    refused = [{"loc": each["loc"], "msg": each["msg"]} for each in error.errors()]
    return JSONResponse({"detail": refused}, 422)


class Orders:
    """The order under each id, and its response."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()  # `rowcount` is of the connection, whichever thread asks
        columns = "id PRIMARY KEY, asked, begun, status, response, error"
        self._run(f"CREATE TABLE IF NOT EXISTS orders ({columns})")

    def _run(self, statement: str, *values: str | float | bytes | None) -> tuple[int, list[tuple[Any, ...]]]:
        with self._lock:
            done = self._database.execute(statement, values)
            return done.rowcount, done.fetchall()

    def begin(self, order: str, asked: str) -> tuple[Response | None, bytes | None]:
        """Note a new order; return the response to a known one, or the error of a lost one."""
        new = "INSERT OR IGNORE INTO orders (id, asked, begun) VALUES (?, ?, ?)"
        if self._run(new, order, asked, time.time())[0]:
            return None, None
        known = "SELECT asked, begun, status, response, error FROM orders WHERE id = ?"
        _, found = self._run(known, order)
        first, begun, status, response, error = found[0] if found else (asked, time.time(), None, b"", None)
        if first != asked:
            return JSONResponse({"detail": "this transaction id is that of another order"}, 409), None
        if error is not None:
            return None, error
        if status is not None:
            return Response(response, status, media_type="application/json"), None
        if time.time() - begun < 60:  # longer than the deadlines of a charge and of a look
            told = "this order is being charged; ask again in a moment"
            return JSONResponse({"detail": told}, 409, {"Retry-After": "1"}), None
        told = f"it is unknown whether this order was charged: it was begun, and never ended. {ADVICE}"
        return JSONResponse({"detail": told}, 409), None

    def end(self, order: str, response: Response, error: bytes | None, before: bytes | None) -> None:
        """Note the response, and the error of a lost write with it."""
        noted = "UPDATE orders SET status = ?, response = ?, error = ? WHERE id = ? AND error IS ?"
        self._run(noted, response.status_code, bytes(response.body), error, order, before)

    def record(self, order: str, receipt: str | None) -> None:
        """Note the receipt of a lost order, as the operator gives it, or None for one that was not made.

        Raises:
            LookupError: No order of this id waits for that.
        """
        told = JSONResponse({"receipt": receipt}, 201)
        if receipt is None:
            told = JSONResponse({"outcome": "not_applied", "detail": "not made: ask under a new id"}, 409)
        said = "UPDATE orders SET status=?, response=?, error=NULL WHERE id=? AND ifnull(status, 202) = 202"
        if not self._run(said, told.status_code, bytes(told.body), order)[0]:
            raise LookupError(f"no lost order is called {order!r}")

    def forget(self, order: str, before: bytes | None) -> None:
        """Let an order come again of which nothing was done, unless another caller was faster."""
        self._run("DELETE FROM orders WHERE id = ? AND error IS ?", order, before)

    def close(self) -> None:
        """Close the database."""
        self._database.close()


T = TypeVar("T")


async def once(
    request: Request,
    order: str,
    asked: tuple[object, ...],
    client: AsyncBillingClient | AsyncGatewayClient,
    prepared: PreparedRequest[T],
    receipt: Callable[[T], str | None],
) -> Response:
    """Send the one write that an order stands for, however often it comes; look what became of a lost one."""
    orders: Orders = request.app.state.orders
    digest = hashlib.sha256(repr(asked).encode()).hexdigest()
    noted, lost = await asyncio.to_thread(orders.begin, order, digest)  # it waits for the disk
    if noted is not None:
        return noted
    error: SubscribekitError | None = None
    try:
        if lost is not None:
            raise pickle.loads(lost)  # noqa: S301  this service wrote it
        made = await client.send(prepared)
        if is_refused(made):
            raise PaymentAuthorizationError("refused by a check", outcome="rejected")
        response = JSONResponse({"receipt": receipt(made)}, 201)
    except SubscribekitError as caught:
        looked_up = "Asked for here again under the same id, it is looked up and not sent."
        told = f"{ADVICE} {looked_up}"
        error, response = caught, await tell(request, caught, told, receipt, lost is not None)
    except ValidationError as mistake:  # of a model for the result: a 422 would say that nothing was done
        raise RuntimeError(f"order {order}: sent, and its result cannot be used") from mistake
    if error is not None and (error.outcome == "not_sent" or response.status_code >= 500):  # not done
        await asyncio.to_thread(orders.forget, order, lost)
    else:
        kept = (lost or pickle.dumps(error)) if response.status_code == 202 else None
        await asyncio.to_thread(orders.end, order, response, kept, lost)
    return response


# --8<-- [start:route]
class ChargeOrder(BaseModel):
    """An order of a caller."""

    transaction_id: str = Field(min_length=1, max_length=128)  # the caller's own: one order, one charge
    amount: Decimal = Field(gt=0, decimal_places=2)  # in units of the currency; yen have no decimals
    currency: str = Field(pattern="^[A-Z]{3}$")


@app.post("/charges/{partner_subscription}", status_code=201)
async def charge(partner_subscription: str, order: ChargeOrder, request: Request) -> Response:
    """Charge an entitlement."""
    gateway: AsyncGatewayClient = request.app.state.gateway
    wanted = EntitlementCharge(
        transaction_id=order.transaction_id,
        amount=order.amount,
        currency=order.currency,
    )

    prepared = gateway.prepare.entitlements.charge(partner_subscription, wanted)
    asked = ("charge", partner_subscription, str(order.amount.normalize()), order.currency)
    return await once(
        request,
        order.transaction_id,
        asked,
        gateway,
        prepared,
        lambda made: made.transaction_reference_id,
    )


# --8<-- [end:route]


@app.post("/gifts/{account}", status_code=201)
async def gift(account: str, order: ChargeOrder, request: Request) -> Response:
    """The same in the billing API, where a lost response can be looked up."""
    billing: AsyncBillingClient = request.app.state.billing
    wanted = Transaction(
        id=order.transaction_id,  # without it nothing tells it from others
        account=Account(id=account),
        currency=order.currency,
        to_be_captured=True,
        items=[TransactionItem(sku="gift", price=order.amount, quantity=1)],
    )

    prepared = billing.prepare.transactions.create(wanted)
    asked = ("gift", account, str(order.amount.normalize()), order.currency)
    return await once(request, order.transaction_id, asked, billing, prepared, lambda made: made.id)


CHARGE, GIFT = "/charges/psub-entitlement-0001", "/gifts/acct-0009"


async def demonstrate() -> None:
    """Send orders twice, lose responses and refuse values; print what callers get."""
    sandbox = default_sandbox()
    async with lifespan(app), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://shop") as http:

        async def post(order: str, amount: str = "4.90", to: str = CHARGE, currency: str = "USD") -> httpx.Response:
            return await http.post(to, json={"transaction_id": order, "amount": amount, "currency": currency})

        print("twice:", [(await post("order-1", amount)).text for amount in ("4.90", "4.9")])
        print("another amount:", (await post("order-1", "5.90")).status_code)

        sandbox.faults.add("entitlements.charge", drop_after_commit())
        lost = [(await post("order-2")).json() for _ in range(2)]
        print("lost, twice:", [each["outcome"] for each in lost], lost[0]["ask_the_operator"].split("; ")[-1])
        app.state.orders.record("order-2", "ptx-0000000002")
        print("recorded as made:", (await post("order-2")).status_code)

        sandbox.faults.add("entitlements.charge", rate_limited(retry_after=30))
        busy = await post("order-3")
        print(
            "too many:",
            busy.status_code,
            "in",
            busy.headers["Retry-After"],
            "s, then",
            (await post("order-3")).status_code,
        )

        sandbox.faults.add("transactions.create", drop_after_commit())
        print("lost, and found:", [(await post("gift-1", to=GIFT)).json()["outcome"] for _ in range(2)])
        sandbox.faults.add("transactions.create", drop_before_commit())  # it never arrives
        print("lost, too early to tell:", (await post("gift-2", to=GIFT)).json()["outcome"])
        sandbox.advance(seconds=30)  # now it can no longer be under way
        print("then not made, and sent again:", [(await post("gift-2", to=GIFT)).status_code for _ in range(2)])

        refused = await post("gift-3", to="/gifts/acct-0025")  # the sandbox declines the card of this account
        print("declined:", refused.status_code, refused.json()["outcome"])
        print("refused:", (await post("order-4", "1e40")).text)
        print("refused:", (await post("order-5", currency="4111 1111 1111 1111")).text)
        print(len(sandbox.entitlement_charges), "charges for 3 orders")


if __name__ == "__main__":
    asyncio.run(demonstrate())
