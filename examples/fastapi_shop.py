"""Run a FastAPI service that charges each order once and maps errors to responses.

    pip install fastapi uvicorn
    uvicorn --app-dir examples fastapi_shop:app      # start the service with the sandbox
    python examples/fastapi_shop.py                  # instead: lose responses on purpose, and print what callers get

The service charges with the gateway and with the billing API. It stores an order under the caller's ID before it sends
a request, maps errors to statuses in one place, and returns no personal data. If the response to a write is lost, the
service calls `resolve`, which sends only reads, on a client of the same API.
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
ORDERS = ":memory:"  # enough for the sandbox; use a file such as "orders.db" before you charge real money


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
    PaymentAuthorizationError: 402,  # the card was declined
    NotFoundError: 404,
    ConflictError: 409,
    BadRequestError: 422,  # the platform rejected a value
    InvalidArgumentError: 422,  # the SDK rejected a value, and sent nothing
    RateLimitError: 503,  # not 429, because the limit applies to this service and not to its caller
}
"""Every other error gets a 502, because the caller didn't cause it."""

ADVICE = "Do not send it again, even with another transaction ID, until the operator confirms that it was not made."


def id_of(made: object) -> str | None:
    """Return the ID of a created resource, which is the default receipt."""
    return getattr(made, "id", None)


@app.exception_handler(SubscribekitError)
async def handle_error(
    request: Request,
    error: SubscribekitError,
    advice: str = ADVICE,
    receipt: Callable[[Any], str | None] = id_of,
    is_repeated: bool = False,
) -> JSONResponse:
    """Respond without `str(error)`, because the platform's message can contain personal data."""
    if isinstance(error, OutcomeUnknownError):
        verdict = await resolve(request, error, is_repeated)
        return respond_to_unknown(error, verdict, advice, receipt)
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 502)
    headers: dict[str, str] = {}
    if isinstance(error, RateLimitError):
        headers["Retry-After"] = str(math.ceil(error.retry_after or 1))
    return JSONResponse({"outcome": error.outcome, "trace_id": error.trace_id}, status, headers)


# --8<-- [end:errors]


async def resolve(request: Request, error: OutcomeUnknownError, is_repeated: bool) -> Verdict | None:
    """Call `resolve` on a client of the API that the write used. Wait only if the caller sent the order again."""
    try:
        clients = {"billing": request.app.state.billing, "gateway": request.app.state.gateway}
        verdict: Verdict = await clients[error.group or ""].resolve(error, wait=is_repeated)
    except Exception as failed:  # noqa: BLE001  the caller must get the 202 after any failure
        log.warning("%s: resolve failed with %s, so the outcome stays unknown", error.operation, type(failed).__name__)
        return None
    return verdict


def is_refused(made: object) -> bool:
    """Return whether a check of the card or the address ended a transaction, which raises no error."""
    states = made.status_log or () if isinstance(made, Transaction) else ()
    return any(each.status == "Cancelled" for each in states)


def respond_to_unknown(
    error: OutcomeUnknownError, verdict: Verdict | None, advice: str, receipt: Callable[[Any], str | None]
) -> JSONResponse:
    """Respond after a lost response: the write was carried out, can be sent again, or is still unknown (202)."""
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
    return JSONResponse(body, 202)  # after a 5xx, the caller would send the order again


@app.exception_handler(RequestValidationError)
@app.exception_handler(ValidationError)  # raised by a model of the SDK, for example for an amount of 40 digits
async def refuse(_: Request, error: RequestValidationError | ValidationError) -> JSONResponse:
    """Return the names of the refused fields and the reasons, without the values."""
    refused = [{"loc": each["loc"], "msg": each["msg"]} for each in error.errors()]
    return JSONResponse({"detail": refused}, 422)


class Orders:
    """A table of the orders and their responses."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()  # `rowcount` belongs to the connection, which all threads share
        columns = "id PRIMARY KEY, asked, begun, status, response, error"
        self._run(f"CREATE TABLE IF NOT EXISTS orders ({columns})")

    def _run(self, statement: str, *values: str | float | bytes | None) -> tuple[int, list[tuple[Any, ...]]]:
        with self._lock:
            done = self._database.execute(statement, values)
            return done.rowcount, done.fetchall()

    def begin(self, order: str, asked: str) -> tuple[Response | None, bytes | None]:
        """Store a new order, or return the response to a stored order, or the error of a lost one."""
        new = "INSERT OR IGNORE INTO orders (id, asked, begun) VALUES (?, ?, ?)"
        if self._run(new, order, asked, time.time())[0]:
            return None, None
        known = "SELECT asked, begun, status, response, error FROM orders WHERE id = ?"
        _, found = self._run(known, order)
        first, begun, status, response, error = found[0] if found else (asked, time.time(), None, b"", None)
        if first != asked:
            return JSONResponse({"detail": "this transaction ID belongs to another order"}, 409), None
        if error is not None:
            return None, error
        if status is not None:
            return Response(response, status, media_type="application/json"), None
        if time.time() - begun < 60:  # longer than the deadlines of a charge and of `resolve` together
            detail = "a charge for this order is in flight; try again in a few seconds"
            return JSONResponse({"detail": detail}, 409, {"Retry-After": "1"}), None
        detail = f"it is unknown whether this order was charged, because no response was stored. {ADVICE}"
        return JSONResponse({"detail": detail}, 409), None

    def end(self, order: str, response: Response, error: bytes | None, before: bytes | None) -> None:
        """Store the response, and the error if the response to the write was lost."""
        update = "UPDATE orders SET status = ?, response = ?, error = ? WHERE id = ? AND error IS ?"
        self._run(update, response.status_code, bytes(response.body), error, order, before)

    def record(self, order: str, receipt: str | None) -> None:
        """Store the receipt that the operator confirmed for a lost order, or `None` if the charge was not made.

        Raises:
            LookupError: No order with this ID has an unknown outcome.
        """
        response = JSONResponse({"receipt": receipt}, 201)
        if receipt is None:
            detail = "the charge was not made; to charge, send the order with a new ID"
            response = JSONResponse({"outcome": "not_applied", "detail": detail}, 409)
        update = "UPDATE orders SET status=?, response=?, error=NULL WHERE id=? AND ifnull(status, 202) = 202"
        if not self._run(update, response.status_code, bytes(response.body), order)[0]:
            raise LookupError(f"no order with the ID {order!r} has an unknown outcome")

    def forget(self, order: str, before: bytes | None) -> None:
        """Delete an order that wasn't carried out, so that it can be sent again, unless another caller changed it."""
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
    """Send the write of an order only once, even if the order arrives several times, and resolve a lost response."""
    orders: Orders = request.app.state.orders
    digest = hashlib.sha256(repr(asked).encode()).hexdigest()
    stored, lost = await asyncio.to_thread(orders.begin, order, digest)  # `begin` waits for the disk
    if stored is not None:
        return stored
    error: SubscribekitError | None = None
    try:
        if lost is not None:
            raise pickle.loads(lost)  # noqa: S301  this service wrote the bytes
        made = await client.send(prepared)
        if is_refused(made):
            raise PaymentAuthorizationError("refused by a check", outcome="rejected")
        response = JSONResponse({"receipt": receipt(made)}, 201)
    except SubscribekitError as caught:
        repeat = "To check the outcome, repeat this request with the same ID. The repeated request sends no charge."
        advice = f"{ADVICE} {repeat}"
        error, response = caught, await handle_error(request, caught, advice, receipt, lost is not None)
    except ValidationError as mistake:  # in the result; a 422 would mean that the write wasn't carried out
        raise RuntimeError(f"order {order} was sent, but its result is invalid") from mistake
    if error is not None and (error.outcome == "not_sent" or response.status_code >= 500):  # not carried out
        await asyncio.to_thread(orders.forget, order, lost)
    else:
        kept = (lost or pickle.dumps(error)) if response.status_code == 202 else None
        await asyncio.to_thread(orders.end, order, response, kept, lost)
    return response


# --8<-- [start:route]
class ChargeOrder(BaseModel):
    """An order from a caller."""

    transaction_id: str = Field(min_length=1, max_length=128)  # from the caller; one charge for each ID
    amount: Decimal = Field(gt=0, decimal_places=2)  # in units of the currency; for yen, allow no decimals
    currency: str = Field(pattern="^[A-Z]{3}$")


@app.post("/charges/{partner_subscription}", status_code=201)
async def charge(partner_subscription: str, order: ChargeOrder, request: Request) -> Response:
    """Charge an entitlement."""
    gateway: AsyncGatewayClient = request.app.state.gateway
    body = EntitlementCharge(
        transaction_id=order.transaction_id,
        amount=order.amount,
        currency=order.currency,
    )

    prepared = gateway.prepare.entitlements.charge(partner_subscription, body)
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
    """Charge with the billing API, where `resolve` can find the charge after a lost response."""
    billing: AsyncBillingClient = request.app.state.billing
    body = Transaction(
        id=order.transaction_id,  # without an ID, `resolve` can't find the transaction
        account=Account(id=account),
        currency=order.currency,
        to_be_captured=True,
        items=[TransactionItem(sku="gift", price=order.amount, quantity=1)],
    )

    prepared = billing.prepare.transactions.create(body)
    asked = ("gift", account, str(order.amount.normalize()), order.currency)
    return await once(request, order.transaction_id, asked, billing, prepared, lambda made: made.id)


CHARGE, GIFT = "/charges/psub-entitlement-0001", "/gifts/acct-0009"


async def demonstrate() -> None:
    """Send orders twice, lose responses, send invalid values, and print the responses to the callers."""
    sandbox = default_sandbox()
    async with lifespan(app), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://shop") as http:

        async def post(order: str, amount: str = "4.90", to: str = CHARGE, currency: str = "USD") -> httpx.Response:
            return await http.post(to, json={"transaction_id": order, "amount": amount, "currency": currency})

        print("sent twice:", [(await post("order-1", amount)).text for amount in ("4.90", "4.9")])
        print("same ID, another amount:", (await post("order-1", "5.90")).status_code)

        sandbox.faults.add("entitlements.charge", drop_after_commit())
        lost = [(await post("order-2")).json() for _ in range(2)]
        details = lost[0]["ask_the_operator"].split("; ")
        print("response lost, sent twice:", [each["outcome"] for each in lost], details[-1])
        app.state.orders.record("order-2", "ptx-0000000002")
        print("operator confirmed the charge:", (await post("order-2")).status_code)

        sandbox.faults.add("entitlements.charge", rate_limited(retry_after=30))
        busy = await post("order-3")
        again = await post("order-3")
        print(
            f"rate limit: {busy.status_code} with Retry-After {busy.headers['Retry-After']}, then {again.status_code}"
        )

        sandbox.faults.add("transactions.create", drop_after_commit())
        print("response lost, charge found:", [(await post("gift-1", to=GIFT)).json()["outcome"] for _ in range(2)])
        sandbox.faults.add("transactions.create", drop_before_commit())  # the request never arrives
        print("request lost, resolved too early:", (await post("gift-2", to=GIFT)).json()["outcome"])
        sandbox.advance(seconds=30)  # after 30 seconds, the request can't be in flight anymore
        later = [(await post("gift-2", to=GIFT)).status_code for _ in range(2)]
        print("30 seconds later, resolved and sent again:", later)

        refused = await post("gift-3", to="/gifts/acct-0025")  # the sandbox declines the card of this account
        print("declined:", refused.status_code, refused.json()["outcome"])
        print("invalid amount:", (await post("order-4", "1e40")).text)
        print("invalid currency:", (await post("order-5", currency="4111 1111 1111 1111")).text)
        print(f"The platform made {len(sandbox.entitlement_charges)} entitlement charges for 3 orders.")


if __name__ == "__main__":
    asyncio.run(demonstrate())
