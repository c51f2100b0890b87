"""A FastAPI service over the async clients: one set of clients for the life of the process, errors mapped once.

    pip install fastapi uvicorn
    uvicorn --app-dir examples fastapi_service:app      # serve it
    python examples/fastapi_service.py                  # or: call each route once and stop

The clients are opened and closed by the lifespan, so every request shares their connections. The error handlers keep
the one distinction that matters to the caller: an unknown outcome is not a failure to try again.

With `SUBSCRIBEKIT_ENVIRONMENT` set the service works on that environment. It reads there, and charges only when
`MERCHANT_MAY_CHARGE=yes` is set too.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from subscribekit import AsyncBillingClient, AsyncGatewayClient
from subscribekit.errors import NotFoundError, OutcomeUnknownError, RateLimitError, RequestError, SubscribekitError
from subscribekit.models import EntitlementCharge

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
ENVIRONMENT: Literal["sandbox"] | None = "sandbox" if IN_SANDBOX else None
MAY_CHARGE = IN_SANDBOX or os.environ.get("MERCHANT_MAY_CHARGE") == "yes"


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

    transaction_id: str = Field(min_length=1, max_length=128)
    product_code: str
    amount: Decimal
    currency: str


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
async def charge(partner_subscription: str, order: ChargeOrder, to: Connected) -> dict[str, str | None]:
    """Charge an entitlement, where charging is allowed."""
    if not MAY_CHARGE:
        raise HTTPException(403, "set MERCHANT_MAY_CHARGE=yes to charge in a real environment")
    sent = EntitlementCharge(
        transaction_id=order.transaction_id,
        product_code=order.product_code,
        amount=order.amount,
        currency=order.currency,
    )
    receipt = await to.gateway.entitlements.charge(partner_subscription, sent)
    return {"receipt": receipt.transaction_reference_id}


@app.exception_handler(SubscribekitError)
async def tell(request: Request, error: Exception) -> JSONResponse:
    """Turn the SDK's errors into answers; the text never holds a credential or a personal value."""
    outcome = error.outcome if isinstance(error, SubscribekitError) else "unknown"
    body: dict[str, str | None] = {"outcome": outcome, "detail": str(error)}
    headers: dict[str, str] = {}
    match error:
        case OutcomeUnknownError():
            # 202: taken, but not known to be done. A 5xx would invite the caller to send it again.
            verdict = await clients(request).gateway.resolve(error, wait=False)  # its only write is the gateway's
            status, body["state"], body["ask_the_operator"] = 202, verdict.state, verdict.quote
        case RequestError():
            status = 422
        case NotFoundError():
            status = 404
        case RateLimitError():
            status = 503
            headers = {"Retry-After": str(int(error.retry_after or 1))}
        case _:
            status = 502
    return JSONResponse(body, status_code=status, headers=headers)


async def demonstrate() -> None:
    """Call each route once, in this process; the ids are the sandbox's."""
    order = {"transaction_id": "order-4711", "product_code": "prod-addon", "amount": "4.90", "currency": "USD"}
    async with lifespan(app), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://merchant") as http:
        for method, path, body in (
            ("GET", "/subscriptions/sub-basic-0001", None),
            ("GET", "/subscriptions/no-such-one", None),
            ("GET", "/accounts", None),
            ("POST", "/charges/psub-entitlement-0001", order),
        ):
            answer = await http.request(method, path, json=body)
            print(f"{method:<5}{path:<34}{answer.status_code}  {answer.text[:100]}")


if __name__ == "__main__":
    asyncio.run(demonstrate())
