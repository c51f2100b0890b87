"""Webhooks of the sandbox: signed messages about the events in it.

The published sources show the classes and events, the identifiers of each subject, the fields of the header, the
signature, and the two formats. `content` contains only published names. To parse the webhooks in your application, use
`subscribekit.webhooks`.

No source shows when the platform sends which event. The sandbox assumes the following:

- `accounts` / `data change`: An account was created or changed.
- `payment methods` / `data change`: A payment method was created or changed. The name of this event is an assumption,
  because the published sources show only the class.
- `autobills`: `start` and `stop` when the service of a subscription starts and ends, and `modify` when an active
  subscription changes.
- `entitlement`: `start` and `stop` when an account gains and loses an entitlement.
- `transactions`: `attempt succeeded` when a transaction is authorized or captured, and `attempt failed` when it's
  declined or canceled. The reversal of a payment cancels its transaction.
- `invoices`: `status change` for a new invoice or a new status, and `payment received`. The sandbox never sends
  `pre-notification`.
- `adjustments` / `refund`: A refund was created.
- The URL-encoded format writes `header[class_name]=...`. Times are in UTC, in whole seconds, and without a time zone.
- A webhook is sent once, whatever the receiver returns, because no source shows which statuses end the attempts. The
  fault `duplicate_webhook` repeats it.
"""

from .receivers import Delivery, Handler, Subscription
from .webhooks import Webhooks

__all__ = ["Delivery", "Handler", "Subscription", "Webhooks"]
