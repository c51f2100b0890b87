"""Simulated failures of the connection, the service, and webhooks, for the requests and events that you choose.

    sandbox.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    sandbox.faults.add(("GET", "/accounts"), rate_limited(retry_after=1), times=2)
    sandbox.faults.add("transactions", duplicate_webhook())

Some faults happen instead of the handling of a request, some happen after the service has carried out the request
("after commit"), and some change the pages of lists. The faults `delayed_webhook`, `duplicate_webhook`, and
`reordered_webhook` affect webhooks.
"""

from .delivery import DeliveryFault, delayed_webhook, duplicate_webhook, reordered_webhook
from .director import FaultDirector, FaultRule
from .matching import Match
from .requests import (
    Broken,
    Dripping,
    Fault,
    connection_refused,
    corrupt_gzip,
    drop_after_commit,
    drop_before_commit,
    empty_page_with_next,
    foreign_next,
    proxy_page,
    rate_limited,
    read_timeout,
    repeated_cursor,
    server_error,
    server_error_after_commit,
    slow_response,
    truncated,
    wrong_total,
)

__all__ = [
    "Broken",
    "DeliveryFault",
    "Dripping",
    "Fault",
    "FaultDirector",
    "FaultRule",
    "Match",
    "connection_refused",
    "corrupt_gzip",
    "delayed_webhook",
    "drop_after_commit",
    "drop_before_commit",
    "duplicate_webhook",
    "empty_page_with_next",
    "foreign_next",
    "proxy_page",
    "rate_limited",
    "read_timeout",
    "reordered_webhook",
    "repeated_cursor",
    "server_error",
    "server_error_after_commit",
    "slow_response",
    "truncated",
    "wrong_total",
]  # fmt: skip
