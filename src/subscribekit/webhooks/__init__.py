"""Push notifications: verified over the raw bytes, then read, and repeated ones told apart.

    from subscribekit import webhooks

    event = webhooks.unwrap(body, signature, key)      # `signature` is the header X-Webhook-Signature
    if webhooks.record_if_new(event, "webhooks.db"):
        print(event.class_name, event.event_name, event.subject)

Published are the signature (base64 of HMAC-SHA256 over the raw body, the key as text), the two objects `header` and
`content`, the fields of the header, eight classes of events and what identifies their subjects. Not published, and
therefore assumed here, in this one list:

- A timestamp without a zone is UTC, as in the responses of the service.
- The signature is exact: standard base64 with its padding, nothing before or after it, one value.
- How the URL-encoded format writes the two objects. Read are `header[class_name]=...` and `header.class_name=...`,
  items of an array as `name[]=` or `name[0]=`, the fields `header` and `content` as JSON texts, and the whole message
  as one JSON text in a single field. All its values are text.
- `content` that is absent or null is empty. An unknown class or event is kept, without a subject.
- If a message doesn't show the ID of its subject, a `VID` beside or inside it is that of the subject.
- A message that is sent again keeps its `message_id`.
- Which HTTP statuses end the attempts of the service. 2xx for what was taken is the safe reading.
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
