"""The names of the values that the SDK can show. It masks other values, because they may be personal or secret.

This table isn't used for models, which mask the fields marked `Masked`. The classes in `_sealed` mask credentials and
bodies.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

MASK: Final = "***"
"""The text that replaces a masked value."""

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
    # Filters in the repr of a list: IDs, times, and flags. The keys are the names of the arguments.
    "filters": frozenset({
        "account", "billed", "created_after", "created_before", "end", "entitlement", "include_children",
        "invoice_date", "payment_method", "product", "rate_plan", "show_all", "start", "status",
        "subscription"
    }),
    # Plain values in the preview of a bulk run. The keys are wire names.
    "request": frozenset({
        "active", "bill_prorated_period", "currency", "disentitle", "dryrun", "effective_date", "force",
        "id", "object", "originalTransactionId", "paymentMethodId", "perm", "primary", "productCode",
        "quantity", "reason_code", "send_cancellation_notice", "settle", "status", "to_date",
        "transactionId", "type", "vid"
    }),
    # Objects and lists that contain such values. In other objects, the caller may have chosen the names.
    "request_objects": frozenset({
        "account", "billing_plan", "campaign", "data", "items", "parent", "payment_method",
        "payment_methods", "product", "rate_plan", "replaced_by", "replaces", "source_payment_method",
        "subscription", "transaction"
    }),
    # Headers in the recording of a test.
    "recorded_headers": frozenset({
        "accept", "age", "allow", "cache-control", "content-type", "date", "request-id", "retry-after",
        "user-agent", "x-api-version", "x-total-count"
    }),
    # Values of an error body in a recording.
    "recorded_errors": frozenset({
        "authorities", "code", "code_v2", "error", "field", "fieldErrors", "operationError",
        "operationErrors", "status", "type", "validationErrors"
    }),
    # Values of a list page in a recording.
    "recorded_lists": frozenset({
        "data", "next", "object", "previous", "total_count", "url"
    }),
    # Amounts in a recording. A charge masks them in its repr, but a recorded test needs them.
    "recorded_amounts": frozenset({
        "amount", "taxAmount"
    }),
}  # fmt: skip
"""The names of the values that the SDK shows, for each place."""
