"""Push notifications of the sandbox: signed messages for what happens in it.

Published are the classes and events, what identifies the subject of each, the fields of the header, the signature and
the two formats (an application that receives them reads `subscribekit.webhooks`). Only published names are in
`content`. When the platform sends which event isn't published; assumed here:

- `accounts` / `data change`: an account is new or changed.
- `payment methods` / `data change`: a payment method is new or changed; no event of this class is published.
- `autobills`: `start` and `stop` when a subscription begins and ceases to serve, `modify` when it is changed between.
- `entitlement`: `start` and `stop` when an account gets and loses a right.
- `transactions`: `attempt succeeded` when money is authorized or captured, `attempt failed` when it is refused and when
  the transaction is cancelled, also by the reversal of a payment.
- `invoices`: `status change`, also for the status of a new one, and `payment received`; there is no `pre-notification`.
- `adjustments` / `refund`: there is a new refund.
- The URL-encoded format writes `header[class_name]=...`; times are UTC, to the second, without a zone.
- A message is sent once, whatever the receiver returns: which statuses end the attempts is not known. Faults repeat it.
"""

from .receivers import Delivery, Handler, Subscription
from .webhooks import Webhooks

__all__ = ["Delivery", "Handler", "Subscription", "Webhooks"]
