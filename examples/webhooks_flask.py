"""Push notifications in a Flask application: verified, noted, and each worked on once.

    pip install flask
    export MERCHANT_WEBHOOK_KEYS="the-new-key the-old-key" MERCHANT_WEBHOOK_INBOX=inbox.db
    flask --app examples/webhooks_flask.py run          # serve it
    flask --app examples/webhooks_flask.py work         # now and then: do what is open
    python examples/webhooks_flask.py                   # or: let the sandbox send to it, and stop

The handler notes what a message is about, and responds; a message that comes twice, also to another worker process or
after a restart, is noted once. The command does the work, and what fails stays open until it runs again.
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


@dataclass
class Settings:
    """Settings of the application. Without a key every message is refused, loudly."""

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
    """Note a push notification; whatever is no 2xx may make the service send it again."""
    signature = request.headers.get("X-Webhook-Signature")
    event = webhooks.unwrap(request.get_data(), signature, SETTINGS.keys)
    SETTINGS.inbox.add(task_of(event))
    return "", 204


@app.cli.command("work")
def work() -> None:
    """Do what is open."""
    process(SETTINGS.inbox)


def process(inbox: Inbox) -> None:
    """Do what is open."""
    for task in inbox.pending():
        try:
            handle(task)
        except Exception:
            log.exception("the work for %s failed, and stays open", task.message_id)
        else:
            inbox.complete(task)


def handle(task: Task) -> None:
    """Do the merchant's work."""
    print(f"  handled  {task.class_name} / {task.event_name}: {task.kind} {task.identifier}")


@app.errorhandler(webhooks.WebhookSignatureError)
def forged(error: webhooks.WebhookSignatureError) -> tuple[str, int]:
    """Refuse what was not signed with one of the keys."""
    return str(error), 401


@app.errorhandler(webhooks.WebhookFormatError)
def unreadable(error: webhooks.WebhookFormatError) -> tuple[str, int]:
    """Refuse what cannot be read."""
    return str(error), 400


def demonstrate(directory: str) -> None:
    """Let things happen in the sandbox, which calls the application."""
    sandbox, client = Sandbox(), app.test_client()
    SETTINGS.keys, SETTINGS.inbox = ["the-new-key", "the-old-key"], Inbox(Path(directory, "inbox.db"))

    def send(body: bytes, signature: str) -> int:
        response = client.post("/hooks", data=body, headers={"X-Webhook-Signature": signature})
        print(f"  answered {response.status_code}")
        return response.status_code

    print("A payment is reversed, and the event comes twice:")
    sandbox.webhooks.subscribe(send, key="the-old-key", classes=["transactions"])
    sandbox.faults.add("transactions", duplicate_webhook())
    with sandbox.billing() as billing:
        billing.payments.reverse("pay-cash-0001")
        process(SETTINGS.inbox)

        print("The new key, URL-encoded:")
        sandbox.webhooks.subscribe(send, key="the-new-key", classes=["accounts"], format="urlencoded")
        billing.accounts.update("acct-0001", Account(name="Ann Example"))
        process(SETTINGS.inbox)

    print("Another sender, without a key of ours:")
    send(b'{"header":{"class_name":"accounts"}}', webhooks.sign(b"something else", "a-guess"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        demonstrate(temporary)
        SETTINGS.inbox.leave()
