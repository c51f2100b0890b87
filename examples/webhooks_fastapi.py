"""Push notifications in a FastAPI service: the raw body, an inbox, a worker that reads the present state from the API.

    pip install fastapi uvicorn
    export MERCHANT_WEBHOOK_KEYS="the-new-key the-old-key" MERCHANT_WEBHOOK_INBOX=inbox.db
    uvicorn --app-dir examples webhooks_fastapi:app     # serve it
    python examples/webhooks_fastapi.py --work          # beside it: do the work, until Ctrl-C
    python examples/webhooks_fastapi.py                 # or: serve it to the sandbox, and stop

The handler notes what a message is about, and responds; a message that comes twice is noted once. The worker does the
work, and what fails stays open until it runs again. Messages may be late and overtake each other, so it retrieves what
they are about: what the API shows is never older. `fastapi_shop.py` shows clients that live as long as the process.
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
    """The subject of a message. The rest is read from the API when it is worked on."""

    message_id: str
    class_name: str | None
    event_name: str | None
    kind: str | None
    identifier: str | None


class Inbox:
    """Messages that were taken, and whether their work is done: a table of the merchant's own database."""

    def __init__(self, path: Path | str) -> None:
        self._path = path

    @cached_property
    def _database(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        columns = "message_id PRIMARY KEY, class_name, event_name, kind, identifier, done"
        database.execute(f"CREATE TABLE IF NOT EXISTS inbox ({columns})")
        return database

    def add(self, task: Task) -> None:
        """Note a message; one that is noted already stays as it is."""
        self._database.execute("INSERT OR IGNORE INTO inbox VALUES (?, ?, ?, ?, ?, 0)", task)

    def pending(self) -> list[Task]:
        """Give what is not done."""
        rows = self._database.execute("SELECT * FROM inbox WHERE NOT done ORDER BY rowid").fetchall()
        return [Task(*row[:5]) for row in rows]

    def complete(self, task: Task) -> None:
        """Note that its work is done."""
        self._database.execute("UPDATE inbox SET done = 1 WHERE message_id = ?", (task.message_id,))

    def leave(self) -> None:
        """Close the database."""
        self._database.close()


def task_of(event: webhooks.WebhookEvent) -> Task:
    """Give what is noted of an event.

    Raises:
        WebhookFormatError: It has no `message_id`, so a repetition cannot be detected.
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
    """Note a push notification. Not a model: the signature is over the raw bytes, whatever they mean."""
    signature = request.headers.get("X-Webhook-Signature")
    event = webhooks.unwrap(await request.body(), signature, app.state.keys)
    await run_in_threadpool(app.state.inbox.add, task_of(event))  # it waits for the disk


async def process(inbox: Inbox) -> None:
    """Do what is open."""
    for task in inbox.pending():
        try:
            await handle(task)
        except Exception:
            log.exception("the work for %s failed, and stays open", task.message_id)
        else:
            inbox.complete(task)


async def handle(task: Task) -> None:
    """Look at the subscription as it is now, whatever the message says."""
    if task.kind == "subscription" and task.identifier is not None:
        async with AsyncBillingClient(environment=app.state.environment) as billing:
            found = await billing.subscriptions.retrieve(task.identifier)
        print(f"  {task.event_name:<7}{task.identifier:<22}is now {found.status}")
    else:
        print(f"  {task.class_name} / {task.event_name}: nothing to do")


@app.exception_handler(webhooks.WebhookSignatureError)
@app.exception_handler(webhooks.WebhookFormatError)
async def refuse(_: Request, error: Exception) -> Response:
    """Refuse what was not signed, or cannot be read; the text names nothing of the message."""
    return PlainTextResponse(str(error), 401 if isinstance(error, webhooks.WebhookSignatureError) else 400)


def demonstrate(sandbox: Sandbox, url: str) -> None:
    """Let things happen in the sandbox, which posts to the service."""
    sandbox.webhooks.subscribe(url, key="the-new-key", classes=["autobills"])
    sandbox.faults.add("autobills", reordered_webhook())
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
    if "--work" in sys.argv:
        while True:
            asyncio.run(process(app.state.inbox))
            time.sleep(5)
    with tempfile.TemporaryDirectory() as temporary:
        app.state.keys, app.state.inbox = ["the-new-key", "the-old-key"], Inbox(Path(temporary, "inbox.db"))
        app.state.environment = "sandbox"
        serve()
        asyncio.run(process(app.state.inbox))
        app.state.inbox.leave()
