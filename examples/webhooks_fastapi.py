"""Push notifications in a FastAPI service: the raw body, the ledger in a thread, the present state from the API.

    pip install fastapi uvicorn
    export MERCHANT_WEBHOOK_KEYS="the-new-key the-old-key" MERCHANT_WEBHOOK_LEDGER=webhooks.db
    uvicorn --app-dir examples webhooks_fastapi:app     # serve it
    python examples/webhooks_fastapi.py                 # or: serve it to the sandbox, and stop

Messages may be late and overtake each other. So the handler takes from the event only what it is about, and retrieves
the rest: what the API shows is never older than the event. Work that fails takes its note back, is answered with 500,
and is done when the event comes again. `fastapi_service.py` shows clients that live as long as the process.
"""

import os
import sqlite3
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse

from subscribekit import AsyncBillingClient, webhooks
from subscribekit.sandbox import Sandbox, default_sandbox
from subscribekit.sandbox.faults import out_of_order

app = FastAPI(title="Merchant")
app.state.keys = os.environ.get("MERCHANT_WEBHOOK_KEYS", "").split()
app.state.ledger = os.environ.get("MERCHANT_WEBHOOK_LEDGER", "webhooks.db")
app.state.environment = None if "SUBSCRIBEKIT_ENVIRONMENT" in os.environ else "sandbox"


@app.post("/hooks", status_code=204)
async def hook(request: Request) -> None:
    """Take a push notification. Not a model: the signature is over the raw bytes, whatever they mean."""
    signature = request.headers.get("X-Webhook-Signature")
    event = webhooks.receive(await request.body(), signature, app.state.keys)
    if await run_in_threadpool(webhooks.once, event, app.state.ledger):  # it waits for the disk
        try:
            await handle(event)
        except BaseException:  # also when the server cancels it
            forget(event)
            raise


def forget(event: webhooks.WebhookEvent) -> None:
    """Take the note back, so that the event counts as new when it comes again."""
    with closing(sqlite3.connect(app.state.ledger)) as ledger, ledger:
        ledger.execute("DELETE FROM subscribekit_webhooks WHERE message_id = ?", (event.message_id,))


async def handle(event: webhooks.WebhookEvent) -> None:
    """Look at the subscription as it is now, whatever the message says."""
    match event.subject:
        case ("subscription", identifier):
            async with AsyncBillingClient(environment=app.state.environment) as billing:
                found = await billing.subscriptions.retrieve(identifier)
            print(f"{event.timestamp}  {event.event_name:<7}{identifier:<22}is now {found.status}")
        case _:
            print(f"{event.timestamp}  {event.class_name} / {event.event_name}: nothing to do")


@app.exception_handler(webhooks.WebhookSignatureError)
@app.exception_handler(webhooks.WebhookFormatError)
async def refuse(_: Request, error: Exception) -> Response:
    """Refuse what was not signed, or cannot be read; the text names nothing of the message."""
    return PlainTextResponse(str(error), 401 if isinstance(error, webhooks.WebhookSignatureError) else 400)


def demonstrate(sandbox: Sandbox, url: str) -> None:
    """Let things happen in the sandbox, which posts to the service."""
    sandbox.webhooks.subscribe(url, key="the-new-key", classes=["autobills"])
    sandbox.faults.add("autobills", out_of_order())
    with sandbox.billing() as billing:
        billing.subscriptions.cancel("sub-basic-0001")
        billing.subscriptions.cancel("sub-basic-0001", disentitle=True)
    sandbox.advance(days=31)
    sandbox.webhooks.wait()
    print("answered", *(each.status for each in sandbox.webhooks.deliveries))


def serve() -> None:
    """Serve the application on a port of this machine until the demonstration is over."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, ws="none", log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        host, port = server.servers[0].sockets[0].getsockname()
        demonstrate(default_sandbox(), f"http://{host}:{port}/hooks")
    finally:
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        app.state.keys, app.state.ledger = ["the-new-key", "the-old-key"], Path(temporary, "webhooks.db")
        app.state.environment = "sandbox"
        serve()
