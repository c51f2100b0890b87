"""Push notifications in a Django project: noted in the same transaction that does the work.

    pip install django
    python examples/webhooks_django.py                  # the sandbox sends to it, and stops

The view notes what a message is about, and responds; a message that comes twice is noted once. The worker does the work
and closes the message in one transaction, so both happen or none: nothing is lost and nothing done twice, whenever a
process dies. Failed work stays open until the worker runs again.

In a project of yours the models, the view and its path are in the files of an app, the keys in the settings, and the
worker is a management command or a task of your queue.
"""

# Django ships no types, so checkers know nothing of what comes from it.
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
    SECRET_KEY="of this demonstration",  # noqa: S106  it protects nothing
    USE_TZ=True,
    WEBHOOK_KEYS=os.environ.get("MERCHANT_WEBHOOK_KEYS", "the-new-key the-old-key").split(),
)
django.setup()
log = logging.getLogger("merchant")


class Message(models.Model):
    """A message that was taken: what it is about, and whether its work is done."""

    message_id = models.CharField(max_length=255, primary_key=True)
    event_name = models.CharField(max_length=255)
    kind = models.CharField(max_length=255)
    identifier = models.CharField(max_length=255)
    done = models.BooleanField(default=False)

    class Meta:
        """Where the model belongs."""

        app_label = "merchant"


class Attempt(models.Model):
    """The merchant's work: what became of a transaction."""

    transaction = models.CharField(max_length=255)
    succeeded = models.BooleanField()

    class Meta:
        """Where the model belongs."""

        app_label = "merchant"


@csrf_exempt  # the signature takes its place
@require_POST
def hook(request: HttpRequest) -> HttpResponse:
    """Note a push notification."""
    try:
        event = webhooks.unwrap(request.body, request.headers.get("X-Webhook-Signature"), settings.WEBHOOK_KEYS)
    except webhooks.WebhookSignatureError as error:
        return HttpResponse(str(error), status=401)
    except webhooks.WebhookFormatError as error:
        return HttpResponse(str(error), status=400)
    if event.message_id is None:
        return HttpResponse("the event has no message_id", status=400)
    kind, identifier = event.subject or ("", "")
    about = {"event_name": event.event_name or "", "kind": kind, "identifier": identifier}
    Message.objects.get_or_create(message_id=event.message_id, defaults=about)
    return HttpResponse(status=204)


def process() -> None:
    """Do what is open; with several workers on PostgreSQL add `select_for_update(skip_locked=True)`."""
    for message in Message.objects.filter(done=False):
        try:
            with transaction.atomic():
                handle(message)
                message.done = True
                message.save()
        except Exception:
            log.exception("the work for %s failed, and stays open", message.message_id)


def handle(message: Message) -> None:
    """Store what became of a transaction."""
    if message.kind == "transaction":
        succeeded = message.event_name == "attempt succeeded"
        Attempt.objects.create(transaction=message.identifier, succeeded=succeeded)


urlpatterns = [path("hooks", hook)]


def demonstrate() -> None:
    """Let things happen in the sandbox, which calls the view."""
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
    print("answered:", *sorted({each.status for each in sandbox.webhooks.deliveries if each.status}))
    print(len(sandbox.webhooks.deliveries), "messages,", Message.objects.count(), "of them for the first time")
    for attempt in Attempt.objects.all():
        print(f"{attempt.transaction:<20}{'succeeded' if attempt.succeeded else 'failed'}")


if __name__ == "__main__":
    demonstrate()
