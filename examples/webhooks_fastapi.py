"""Receive webhooks with FastAPI, store the events in an inbox table, and process them in a worker.

    pip install fastapi uvicorn
    export MERCHANT_WEBHOOK_KEYS="the-new-key the-old-key" MERCHANT_WEBHOOK_INBOX=inbox.db
    uvicorn --app-dir examples webhooks_fastapi:app     # start the service
    python examples/webhooks_fastapi.py --work          # in another terminal: process the events until Ctrl-C
    python examples/webhooks_fastapi.py                 # instead: receive events from the sandbox, and exit

The handler stores the subject of an event, and responds. It stores a repeated event only once. The worker processes the
stored events, and tries again later if an event fails. Events can arrive late or in the wrong order, so the worker
retrieves the resource through the API, whose data is never older than the event. For clients that stay open as long as
the process runs, see `fastapi_shop.py`.
"""

import asyncio
import logging
import os
import sqlite3
import sys
import tempfile
import threading
import time
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse

from subscribekit import AsyncBillingClient, webhooks
from subscribekit.sandbox import Sandbox, default_sandbox
from subscribekit.sandbox.faults import reordered_webhook

log = logging.getLogger("merchant")


class Task(NamedTuple):
    """The subject of an event. The worker reads the current data from the API."""

    message_id: str
    class_name: str | None
    event_name: str | None
    kind: str | None
    identifier: str | None


class Inbox:
    """The received events, and whether they were processed, in a table of the merchant's own database."""

    def __init__(self, path: Path | str) -> None:
        self._path = path

    @cached_property
    def _database(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        columns = "message_id PRIMARY KEY, class_name, event_name, kind, identifier, done"
        database.execute(f"CREATE TABLE IF NOT EXISTS inbox ({columns})")
        return database

    def add(self, task: Task) -> None:
        """Store an event. If the event is already stored, it isn't changed."""
        self._database.execute("INSERT OR IGNORE INTO inbox VALUES (?, ?, ?, ?, ?, 0)", task)

    def pending(self) -> list[Task]:
        """Return the events that weren't processed yet."""
        rows = self._database.execute("SELECT * FROM inbox WHERE NOT done ORDER BY rowid").fetchall()
        return [Task(*row[:5]) for row in rows]

    def complete(self, task: Task) -> None:
        """Mark an event as processed."""
        self._database.execute("UPDATE inbox SET done = 1 WHERE message_id = ?", (task.message_id,))

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def task_of(event: webhooks.WebhookEvent) -> Task:
    """Return the part of an event to store.

    Raises:
        WebhookFormatError: The event has no `message_id`, so a repeated event couldn't be detected.
    """
    if event.message_id is None:
        raise webhooks.WebhookFormatError("the event has no message_id")
    return Task(event.message_id, event.class_name, event.event_name, *(event.subject or (None, None)))


app = FastAPI(title="Merchant")
app.state.keys = os.environ.get("MERCHANT_WEBHOOK_KEYS", "").split()
app.state.inbox = Inbox(os.environ.get("MERCHANT_WEBHOOK_INBOX", "inbox.db"))
app.state.environment = None if "SUBSCRIBEKIT_ENVIRONMENT" in os.environ else "sandbox"


@app.post("/hooks", status_code=204)
async def hook(request: Request) -> None:
    """Store an event. There's no model for the body, because the signature is computed over the raw bytes."""
    signature = request.headers.get("X-Webhook-Signature")
    event = webhooks.unwrap(await request.body(), signature, app.state.keys)
    await run_in_threadpool(app.state.inbox.add, task_of(event))  # `add` waits for the disk


async def process(inbox: Inbox) -> None:
    """Process the stored events."""
    for task in inbox.pending():
        try:
            await handle(task)
        except Exception:
            log.exception("processing event %s failed; the next run tries it again", task.message_id)
        else:
            inbox.complete(task)


async def handle(task: Task) -> None:
    """Print the current status of the subscription, which can differ from the status in the event."""
    if task.kind == "subscription" and task.identifier is not None:
        async with AsyncBillingClient(environment=app.state.environment) as billing:
            subscription = await billing.subscriptions.retrieve(task.identifier)
        print(f"  {task.event_name:<7}{task.identifier:<22}is now {subscription.status}")
    else:
        print(f"  {task.class_name} / {task.event_name}: nothing to do")


@app.exception_handler(webhooks.WebhookSignatureError)
@app.exception_handler(webhooks.WebhookFormatError)
async def refuse(_: Request, error: Exception) -> Response:
    """Refuse a body without a valid signature, or an invalid body. The text contains no part of the body."""
    return PlainTextResponse(str(error), 401 if isinstance(error, webhooks.WebhookSignatureError) else 400)


def demonstrate(sandbox: Sandbox, url: str) -> None:
    """Cause events in the sandbox, which sends them to the service."""
    sandbox.webhooks.subscribe(url, key="the-new-key", classes=["autobills"])
    sandbox.faults.add("autobills", reordered_webhook())
    with sandbox.billing() as billing:
        billing.subscriptions.cancel("sub-basic-0001")
        billing.subscriptions.cancel("sub-basic-0001", disentitle=True)
    sandbox.advance(days=31)
    sandbox.webhooks.wait()
    print("Statuses:", *(each.status for each in sandbox.webhooks.deliveries))


def serve() -> None:
    """Serve the application on this machine until the demonstration ends."""
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
    if "--work" in sys.argv:
        while True:
            asyncio.run(process(app.state.inbox))
            time.sleep(5)
    with tempfile.TemporaryDirectory() as temporary:
        app.state.keys, app.state.inbox = ["the-new-key", "the-old-key"], Inbox(Path(temporary, "inbox.db"))
        app.state.environment = "sandbox"
        serve()
        asyncio.run(process(app.state.inbox))
        app.state.inbox.close()
