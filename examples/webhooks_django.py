"""Push notifications in a Django project: noted in the same transaction that does the work.

    pip install django
    python examples/webhooks_django.py                  # the sandbox sends to it, and stops

A ledger file is noted before the work or after it, and a crash in between loses the event or does the work twice. Where
neither will do, the identifier of the message goes into the database of the work, in one transaction with it: both
happen or none. Then a 500 is right when the work fails: the message comes again and finds no note.

In a project of yours the model, the view and its path are in the files of an app, and the keys in the settings.
"""

# Django ships no types, so checkers know nothing of what comes from it.
# mypy: disable-error-code="import-untyped,misc,untyped-decorator,no-any-return"
# pyright: basic, reportArgumentType=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false

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
from subscribekit.sandbox.faults import twice

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


class Message(models.Model):
    """A message that was handled."""

    message_id = models.CharField(max_length=255, primary_key=True)

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
    """Take a push notification."""
    try:
        event = webhooks.receive(request.body, request.headers.get("X-Webhook-Signature"), settings.WEBHOOK_KEYS)
    except webhooks.WebhookSignatureError as error:
        return HttpResponse(str(error), status=401)
    except webhooks.WebhookFormatError as error:
        return HttpResponse(str(error), status=400)
    if event.message_id is None:
        return HttpResponse("the event has no message_id", status=400)
    with transaction.atomic():
        _, first = Message.objects.get_or_create(message_id=event.message_id)
        if first:
            handle(event)
    return HttpResponse(status=204)


def handle(event: webhooks.WebhookEvent) -> None:
    """Store what became of a transaction."""
    match event.subject:
        case ("transaction", identifier):
            Attempt.objects.create(transaction=identifier, succeeded=event.event_name == "attempt succeeded")


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
    sandbox.faults.add("transactions", twice(), times=None)
    with sandbox.billing() as billing:
        billing.payments.reverse("pay-cash-0001")
    sandbox.advance(days=31)
    print("answered:", *sorted({each.status for each in sandbox.webhooks.deliveries if each.status}))
    print(len(sandbox.webhooks.deliveries), "messages,", Message.objects.count(), "of them for the first time")
    for attempt in Attempt.objects.all():
        print(f"{attempt.transaction:<20}{'succeeded' if attempt.succeeded else 'failed'}")


if __name__ == "__main__":
    demonstrate()
