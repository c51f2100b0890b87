"""Signed webhooks about the events in a sandbox.

The published sources document the classes and events of webhooks, the fields of the header, the signature, and the two
formats. The published sources also document the identifiers of the resource in each event. The `content` of a webhook
contains only published names. To parse webhooks in your application, use `subscribekit.webhooks`.

The following rules are assumptions of the sandbox, because the sources don't document when the platform sends each
event.

The sandbox sends the event `data change` of the class `accounts` if an account is created or changed. The sandbox sends
the event `data change` of the class `payment methods` if a payment method is created or changed. The name of the event
for payment methods is an assumption, because the published sources contain only the class.

If the service of a subscription starts or ends, the sandbox sends the event `start` or `stop` of the class `autobills`.
If an active subscription changes, the sandbox sends the event `modify` of the class `autobills`. If an account gains or
loses an entitlement, the sandbox sends the event `start` or `stop` of the class `entitlement`.

If a transaction is authorized or captured, the sandbox sends the event `attempt succeeded` of the class `transactions`.
If a transaction is declined or canceled, the sandbox sends the event `attempt failed` of the class `transactions`. The
reversal of a payment cancels the payment's transaction, so the reversal also causes the event `attempt failed`.

If an invoice is created or its status changes, the sandbox sends the event `status change` of the class `invoices`. If
an invoice receives a payment, the sandbox sends the event `payment received` of the class `invoices`. The sandbox never
sends the event `pre-notification` of the class `invoices`. If a refund is created, the sandbox sends the event `refund`
of the class `adjustments`.

In the URL-encoded format, the names of header fields look like `header[class_name]`. Times in webhooks are in UTC, in
whole seconds, and without a time zone. The sandbox sends a webhook once, whatever the receiver returns, because no
source documents the response statuses after which the platform sends a webhook again. To send a webhook twice, use the
fault `duplicate_webhook`.
"""

from .receivers import Delivery, Handler, Subscription
from .webhooks import Webhooks

__all__ = ["Delivery", "Handler", "Subscription", "Webhooks"]
