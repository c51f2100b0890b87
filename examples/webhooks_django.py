"""Receive webhooks with Django, and process each event and mark it as done in one database transaction.

    pip install django
    python examples/webhooks_django.py                  # receives events from the sandbox, and exits

The view stores the subject of an event, and responds. It stores a repeated event only once. The worker does the work
for an event and marks the event as done in one transaction. If a process dies, no event is lost, and none is processed
twice. If the work for an event fails, the next run of the worker tries it again.

In your own project, put the models, the view, and its path in the files of an app, and the keys in the settings. Make
the worker a management command or a task of your queue.
"""

# Django is untyped, so type checkers can't check the uses of its classes and functions.
# mypy: disable-error-code="import-untyped,misc,untyped-decorator,no-any-return"
# pyright: basic, reportArgumentType=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false

import logging
import os

import django
from django.conf import settings
from django.db import connection, models, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from subscribekit import webhooks
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import duplicate_webhook

settings.configure(
    ALLOWED_HOSTS=["testserver"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DATA_UPLOAD_MAX_MEMORY_SIZE=1_000_000,
    ROOT_URLCONF=__name__,
    SECRET_KEY="of this demonstration",  # noqa: S106  the demonstration needs no secret
    USE_TZ=True,
    WEBHOOK_KEYS=os.environ.get("MERCHANT_WEBHOOK_KEYS", "the-new-key the-old-key").split(),
)
django.setup()
log = logging.getLogger("merchant")


class Message(models.Model):
    """A received event: its subject, and whether it was processed."""

    message_id = models.CharField(max_length=255, primary_key=True)
    event_name = models.CharField(max_length=255)
    kind = models.CharField(max_length=255)
    identifier = models.CharField(max_length=255)
    done = models.BooleanField(default=False)

    class Meta:
        """The app of the model."""

        app_label = "merchant"


class Attempt(models.Model):
    """A result that the merchant stores: whether a transaction succeeded."""

    transaction = models.CharField(max_length=255)
    succeeded = models.BooleanField()

    class Meta:
        """The app of the model."""

        app_label = "merchant"


@csrf_exempt  # the signature replaces the CSRF token
@require_POST
def hook(request: HttpRequest) -> HttpResponse:
    """Store an event."""
    try:
        event = webhooks.unwrap(request.body, request.headers.get("X-Webhook-Signature"), settings.WEBHOOK_KEYS)
    except webhooks.WebhookSignatureError as error:
        return HttpResponse(str(error), status=401)
    except webhooks.WebhookFormatError as error:
        return HttpResponse(str(error), status=400)
    if event.message_id is None:
        return HttpResponse("the event has no message_id", status=400)
    kind, identifier = event.subject or ("", "")
    fields = {"event_name": event.event_name or "", "kind": kind, "identifier": identifier}
    Message.objects.get_or_create(message_id=event.message_id, defaults=fields)
    return HttpResponse(status=204)


def process() -> None:
    """Process the stored events. For several workers with PostgreSQL, add `select_for_update(skip_locked=True)`."""
    for message in Message.objects.filter(done=False):
        try:
            with transaction.atomic():
                handle(message)
                message.done = True
                message.save()
        except Exception:
            log.exception("processing event %s failed; the next run tries it again", message.message_id)


def handle(message: Message) -> None:
    """Store whether a transaction succeeded."""
    if message.kind == "transaction":
        succeeded = message.event_name == "attempt succeeded"
        Attempt.objects.create(transaction=message.identifier, succeeded=succeeded)


urlpatterns = [path("hooks", hook)]


def demonstrate() -> None:
    """Cause events in the sandbox, which sends them to the view."""
    with connection.schema_editor() as editor:
        for model in (Message, Attempt):
            editor.create_model(model)
    sandbox, client = Sandbox(), Client()

    def send(body: bytes, signature: str) -> int:
        response = client.post("/hooks", body, "application/json", headers={"X-Webhook-Signature": signature})
        return response.status_code

    sandbox.webhooks.subscribe(send, key="the-new-key")
    sandbox.faults.add("transactions", duplicate_webhook(), times=None)
    with sandbox.billing() as billing:
        billing.payments.reverse("pay-cash-0001")
    sandbox.advance(days=31)
    process()
    print("Statuses:", *sorted({each.status for each in sandbox.webhooks.deliveries if each.status}))
    print(f"{len(sandbox.webhooks.deliveries)} webhooks received, {Message.objects.count()} events stored")
    for attempt in Attempt.objects.all():
        print(f"{attempt.transaction:<20}{'succeeded' if attempt.succeeded else 'failed'}")


if __name__ == "__main__":
    demonstrate()
