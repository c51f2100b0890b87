"""The names of the values that the SDK can show.

The SDK masks values whose names aren't in this table, because such values may be personal or secret. Models don't use
this table, because models mask the fields that are marked `Masked`. The classes in `_sealed` mask credentials and
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
    # The list filters that the `repr` of a list shows unmasked.
    "filters": frozenset({
        "account", "billed", "created_after", "created_before", "end", "entitlement", "include_children",
        "invoice_date", "payment_method", "product", "rate_plan", "show_all", "start", "status",
        "subscription"
    }),
    # The wire names of the strings, numbers, and Booleans that the preview of a bulk run shows.
    "request": frozenset({
        "active", "bill_prorated_period", "currency", "disentitle", "dryrun", "effective_date", "force",
        "id", "object", "originalTransactionId", "paymentMethodId", "perm", "primary", "productCode",
        "quantity", "reason_code", "send_cancellation_notice", "settle", "status", "to_date",
        "transactionId", "type", "vid"
    }),
    # The objects and lists whose values the preview of a bulk run can show. The preview masks all values of an object
    # that isn't in this set, such as `metadata`, because the caller may have chosen the field names of the object.
    "request_objects": frozenset({
        "account", "billing_plan", "campaign", "data", "items", "parent", "payment_method",
        "payment_methods", "product", "rate_plan", "replaced_by", "replaces", "source_payment_method",
        "subscription", "transaction"
    }),
    # The headers that the SDK doesn't remove from the recording of a test.
    "recorded_headers": frozenset({
        "accept", "age", "allow", "cache-control", "content-type", "date", "request-id", "retry-after",
        "user-agent", "x-api-version", "x-total-count"
    }),
    # The fields of an error body that the SDK doesn't mask in the recording of a test.
    "recorded_errors": frozenset({
        "authorities", "code", "code_v2", "error", "field", "fieldErrors", "operationError",
        "operationErrors", "status", "type", "validationErrors"
    }),
    # The fields of a list page that the SDK doesn't mask in the recording of a test.
    "recorded_lists": frozenset({
        "data", "next", "object", "previous", "total_count", "url"
    }),
    # The amounts that the SDK doesn't mask in the recording of a test, although the `repr` of a charge masks them.
    "recorded_amounts": frozenset({
        "amount", "taxAmount"
    }),
}  # fmt: skip
"""For each place where the SDK shows values, the names of the values that the SDK can show."""
