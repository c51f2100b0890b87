"""Receive webhooks with Flask, store each event once in an inbox table, and process the events in a command.

    pip install flask
    export MERCHANT_WEBHOOK_KEYS="the-new-key the-old-key" MERCHANT_WEBHOOK_INBOX=inbox.db
    flask --app examples/webhooks_flask.py run          # start the service
    flask --app examples/webhooks_flask.py work         # regularly: process the stored events
    python examples/webhooks_flask.py                   # instead: receive events from the sandbox, and exit

The handler stores the subject of an event, and responds. It stores a repeated event only once, even if the event
arrives in another process or after a restart. The command `work` processes the stored events. If an event fails, the
next run of the command tries it again.
"""

import logging
import os
import sqlite3
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from flask import Flask, request

from subscribekit import webhooks
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import duplicate_webhook

log = logging.getLogger("merchant")


class Task(NamedTuple):
    """The subject of an event. Read the current data from the API when you process the event."""

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


@dataclass
class Settings:
    """The settings of the application. Without a key, every request fails with an error."""

    keys: list[str]
    inbox: Inbox


SETTINGS = Settings(
    keys=os.environ.get("MERCHANT_WEBHOOK_KEYS", "").split(),
    inbox=Inbox(os.environ.get("MERCHANT_WEBHOOK_INBOX", "inbox.db")),
)
app = Flask("merchant")
app.config["MAX_CONTENT_LENGTH"] = 1_000_000


@app.post("/hooks")
def hook() -> tuple[str, int]:
    """Store an event. After a status other than 2xx, the service may send the event again."""
    signature = request.headers.get("X-Webhook-Signature")
    event = webhooks.unwrap(request.get_data(), signature, SETTINGS.keys)
    SETTINGS.inbox.add(task_of(event))
    return "", 204


@app.cli.command("work")
def work() -> None:
    """Process the stored events."""
    process(SETTINGS.inbox)


def process(inbox: Inbox) -> None:
    """Process the stored events."""
    for task in inbox.pending():
        try:
            handle(task)
        except Exception:
            log.exception("processing event %s failed; the next run tries it again", task.message_id)
        else:
            inbox.complete(task)


def handle(task: Task) -> None:
    """Process one event, as the merchant's own code does."""
    print(f"  processed {task.class_name} / {task.event_name}: {task.kind} {task.identifier}")


@app.errorhandler(webhooks.WebhookSignatureError)
def refuse_signature(error: webhooks.WebhookSignatureError) -> tuple[str, int]:
    """Refuse a body that wasn't signed with one of the keys."""
    return str(error), 401


@app.errorhandler(webhooks.WebhookFormatError)
def refuse_format(error: webhooks.WebhookFormatError) -> tuple[str, int]:
    """Refuse an invalid body."""
    return str(error), 400


def demonstrate(directory: str) -> None:
    """Cause events in the sandbox, which sends them to the application."""
    sandbox, client = Sandbox(), app.test_client()
    SETTINGS.keys, SETTINGS.inbox = ["the-new-key", "the-old-key"], Inbox(Path(directory, "inbox.db"))

    def send(body: bytes, signature: str) -> int:
        response = client.post("/hooks", data=body, headers={"X-Webhook-Signature": signature})
        print(f"  status {response.status_code}")
        return response.status_code

    print("An event that the sandbox sends twice:")
    sandbox.webhooks.subscribe(send, key="the-old-key", classes=["transactions"])
    sandbox.faults.add("transactions", duplicate_webhook())
    with sandbox.billing() as billing:
        billing.payments.reverse("pay-cash-0001")
        process(SETTINGS.inbox)

        print("A URL-encoded event that is signed with the new key:")
        sandbox.webhooks.subscribe(send, key="the-new-key", classes=["accounts"], format="urlencoded")
        billing.accounts.update("acct-0001", Account(name="Ann Example"))
        process(SETTINGS.inbox)

    print("A request that isn't signed with any of the keys:")
    send(b'{"header":{"class_name":"accounts"}}', webhooks.sign(b"something else", "a-guess"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        demonstrate(temporary)
        SETTINGS.inbox.close()
