"""Push notifications in a Flask application: verified, read, and each handled once.

    pip install flask
    export MERCHANT_WEBHOOK_KEYS="the-new-key the-old-key" MERCHANT_WEBHOOK_LEDGER=webhooks.db
    flask --app examples/webhooks_flask.py run          # serve it
    python examples/webhooks_flask.py                   # or: let the sandbox send to it, and stop

The ledger file tells a message that comes again, also to another worker process or after a restart. It is noted before
the work, so a crash in between loses the event rather than doing the work twice. Work that raises takes its note back,
is answered with 500, and is done when the event comes again.
"""

import os
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, request

from subscribekit import webhooks
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import twice


@dataclass
class Settings:
    """What the application is told. Without a key every message is refused, loudly."""

    keys: list[str]
    ledger: Path


SETTINGS = Settings(
    keys=os.environ.get("MERCHANT_WEBHOOK_KEYS", "").split(),
    ledger=Path(os.environ.get("MERCHANT_WEBHOOK_LEDGER", "webhooks.db")),
)
app = Flask("merchant")
app.config["MAX_CONTENT_LENGTH"] = 1_000_000


@app.post("/hooks")
def hook() -> tuple[str, int]:
    """Take a push notification; whatever is no 2xx may make the service send it again."""
    signature = request.headers.get("X-Webhook-Signature")
    event = webhooks.receive(request.get_data(), signature, SETTINGS.keys)
    if webhooks.once(event, SETTINGS.ledger):
        try:
            handle(event)
        except Exception:
            forget(event)
            raise
    return "", 204


def forget(event: webhooks.WebhookEvent) -> None:
    """Take the note back, so that the event counts as new when it comes again."""
    with closing(sqlite3.connect(SETTINGS.ledger)) as ledger, ledger:
        ledger.execute("DELETE FROM subscribekit_webhooks WHERE message_id = ?", (event.message_id,))


def handle(event: webhooks.WebhookEvent) -> None:
    """Do the merchant's work."""
    print(f"  handled  {event.class_name} / {event.event_name}: {event.subject}")


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
    SETTINGS.keys, SETTINGS.ledger = ["the-new-key", "the-old-key"], Path(directory, "webhooks.db")

    def send(body: bytes, signature: str) -> int:
        response = client.post("/hooks", data=body, headers={"X-Webhook-Signature": signature})
        print(f"  answered {response.status_code}")
        return response.status_code

    print("A payment is reversed, and the event comes twice:")
    sandbox.webhooks.subscribe(send, key="the-old-key", classes=["transactions"])
    sandbox.faults.add("transactions", twice())
    with sandbox.billing() as billing:
        billing.payments.reverse("pay-cash-0001")

        print("The new key, URL-encoded:")
        sandbox.webhooks.subscribe(send, key="the-new-key", classes=["accounts"], format="urlencoded")
        billing.accounts.update("acct-0001", Account(name="Ann Example"))

    print("Somebody else sends, without a key of ours:")
    send(b'{"header":{"class_name":"accounts"}}', webhooks.sign(b"something else", "a-guess"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        demonstrate(temporary)
