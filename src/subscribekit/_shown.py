"""The table of what may be shown where. Values with other names are masked, because they may be personal or secret.

Beside it, fields of models are masked by their mark `Masked`, and credentials and bodies by their classes in `_sealed`.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

MASK: Final = "***"
"""What stands in the place of a value."""

Place: TypeAlias = Literal[
    "filters",
    "request",
    "request_objects",
    "recorded_headers",
    "recorded_errors",
    "recorded_lists",
    "recorded_amounts",
]

SHOWN: Final[Mapping[Place, frozenset[str]]] = {
    # The filters of a list in its repr: IDs, times, and flags, by the names of their arguments.
    "filters": frozenset({
        "account", "billed", "created_after", "created_before", "end", "entitlement", "include_children",
        "invoice_date", "payment_method", "product", "rate_plan", "show_all", "start", "status",
        "subscription"
    }),
    # Plain values of a request in the preview of a bulk run, by their names on the wire.
    "request": frozenset({
        "active", "bill_prorated_period", "currency", "disentitle", "dryrun", "effective_date", "force",
        "id", "object", "originalTransactionId", "paymentMethodId", "perm", "primary", "productCode",
        "quantity", "reason_code", "send_cancellation_notice", "settle", "status", "to_date",
        "transactionId", "type", "vid"
    }),
    # Objects and lists of a request that hold such values; the names in others may be the caller's own.
    "request_objects": frozenset({
        "account", "billing_plan", "campaign", "data", "items", "parent", "payment_method",
        "payment_methods", "product", "rate_plan", "replaced_by", "replaces", "source_payment_method",
        "subscription", "transaction"
    }),
    # Headers in a recording of a test.
    "recorded_headers": frozenset({
        "accept", "age", "allow", "cache-control", "content-type", "date", "request-id", "retry-after",
        "user-agent", "x-api-version", "x-total-count"
    }),
    # Texts of an error body in a recording.
    "recorded_errors": frozenset({
        "authorities", "code", "code_v2", "error", "field", "fieldErrors", "operationError",
        "operationErrors", "status", "type", "validationErrors"
    }),
    # Members of a page in a recording.
    "recorded_lists": frozenset({
        "data", "next", "object", "previous", "total_count", "url"
    }),
    # Amounts in a recording, although a charge that is printed masks them: the recording is made for them.
    "recorded_amounts": frozenset({
        "amount", "taxAmount"
    }),
}  # fmt: skip
"""The names of the values that are shown, by place."""
