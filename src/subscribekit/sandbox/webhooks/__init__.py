"""Signed webhooks about the events in a sandbox.

The published sources document the classes and events of webhooks, the identifiers of each resource, the fields of the
header, the signature, and the two formats. The `content` of a webhook contains only published names. To parse webhooks
in your application, use `subscribekit.webhooks`.

The following rules are assumptions of the sandbox, because the sources don't document when the platform sends each
event.

The sandbox sends the event `data change` of the class `accounts` if an account is created or changed. The sandbox sends
the event `data change` of the class `payment methods` if a payment method is created or changed. The name of the event
for payment methods is an assumption, because the published sources contain only the class.

For the class `autobills`, the sandbox sends `start` and `stop` when the service of a subscription starts and ends, and
`modify` when an active subscription changes. For the class `entitlement`, the sandbox sends `start` and `stop` when an
account gains and loses an entitlement.

For the class `transactions`, the sandbox sends `attempt succeeded` when a transaction is authorized or captured, and
`attempt failed` when a transaction is declined or canceled. The reversal of a payment cancels the payment's
transaction, so it also causes `attempt failed`.

For the class `invoices`, the sandbox sends `status change` if an invoice is created or its status changes, and `payment
received` if a payment is received. The sandbox never sends the event `pre-notification` of the class `invoices`. For
the class `adjustments`, the sandbox sends `refund` if a refund is created.

In the URL-encoded format, the names of header fields look like `header[class_name]`. Times in webhooks are in UTC, in
whole seconds, and without a time zone. The sandbox sends a webhook once, whatever the receiver returns, because no
source documents which statuses end the attempts. To send a webhook twice, use the fault `duplicate_webhook`.
"""

from .receivers import Delivery, Handler, Subscription
from .webhooks import Webhooks

__all__ = ["Delivery", "Handler", "Subscription", "Webhooks"]
