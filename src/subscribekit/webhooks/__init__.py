"""Verifies the signatures of webhooks, parses webhook events, and detects duplicates.

    from subscribekit import webhooks

    event = webhooks.unwrap(body, signature, key)      # `signature` is the header X-Webhook-Signature
    if webhooks.record_if_new(event, "webhooks.db"):
        print(event.class_name, event.event_name, event.subject)

These facts are published: the signature (base64 of HMAC-SHA256 over the raw body, keyed with the text of the shared
key), the objects `header` and `content`, the fields of the header, eight event classes, and the fields that identify
the subject of an event. The following facts aren't published, so the SDK assumes them:

- A timestamp without a time zone is in UTC, as in the responses of the service.
- The signature is standard base64 with padding. The header `X-Webhook-Signature` contains only one signature.
- A URL-encoded body contains the objects `header` and `content` in one of these forms: `header[class_name]=...` or
  `header.class_name=...`, with `name[]=` or `name[0]=` for the items of an array; the fields `header` and `content` as
  JSON; or the whole body as JSON in a single field. All values are strings.
- If `content` is missing or null, the content is empty. Events of an unknown class are accepted, and have no subject.
- If a webhook doesn't contain the ID of its subject, the `VID` in `content` or in the subject's object identifies the
  subject.
- If the service sends a webhook again, the `message_id` stays the same.
- The service doesn't send a webhook again after a 2xx response. The documentation doesn't state which statuses of your
  response the service treats as success.
"""

from .._public import publish
from ._content import WebhookContent
from ._record_if_new import record_if_new
from ._signatures import sign, verify
from ._unwrapping import unwrap
from .errors import WebhookFormatError, WebhookSignatureError
from .events import WebhookEvent

__all__ = [
    "WebhookContent",
    "WebhookEvent",
    "WebhookFormatError",
    "WebhookSignatureError",
    "record_if_new",
    "sign",
    "unwrap",
    "verify",
]

publish(__name__, WebhookContent, record_if_new, unwrap, sign, verify)
