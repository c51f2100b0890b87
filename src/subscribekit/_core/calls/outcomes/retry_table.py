"""The retry table, which determines whether the SDK retries a failed attempt, and the outcome if the SDK doesn't retry.

Only this table decides on retries and outcomes. The page `docs/guides/retries.md` contains the same table.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from ...operations.operation import Safety

Retry: TypeAlias = Literal["no", "yes", "once", "if_asked"]
"""Whether the SDK retries the attempt. The value `if_asked` requires `RetryPolicy(retry_unknown=True)`."""
Meaning: TypeAlias = Literal["not_sent", "rejected", "unknown", "likely_applied"]
"""The outcome if the call isn't retried; `likely_applied` is an unknown outcome after a 2xx status."""


class Event(StrEnum):
    """The way in which an attempt failed, which selects the row of the retry table."""

    NOT_SENT = "No byte left your machine"
    NO_CONNECTION = "TLS failed permanently, the proxy refused the connection, or no connection was free in time"
    NO_RESPONSE = (
        "No complete response arrived, or the service returned 408, 500, 502, 504, `server-error`, or 503, "
        "except a 503 of the billing API with an `Error` body"
    )
    SERVER_ERROR = "The status was 501, 505, or another 5xx"
    FORBIDDEN_503 = "The billing API returned 503 with an `Error` body"
    RATE_LIMITED_BILLING = "The billing API returned 429, and `Retry-After` was missing or at most `retry_after_max`"
    RATE_LIMITED = "Another service returned 429, and `Retry-After` was missing or at most `retry_after_max`"
    RATE_LIMITED_LONG = "The status was 429, and `Retry-After` was longer than `retry_after_max`"
    CREDENTIAL_REFUSED = "The status was 401, and the credential callable returned a new credential"
    REJECTED = "The status was another 4xx"
    REDIRECT = "The status was 3xx, and the SDK didn't follow the redirect"
    CUT_OFF = "The connection was lost after a 2xx status"
    DAMAGED = "The status was 2xx, but the body was damaged, had no ID, or was about another resource"
    WRONG_SHAPE = "The status was 2xx, but the body had another structure or more than 10 MB"
    UNDOCUMENTED_ERROR = "The status was 2xx, but the body was an undocumented error"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rule:
    """One cell of the retry table."""

    retry: Retry
    meaning: Meaning

    @property
    def is_unknown(self) -> bool:
        """Whether the service may have carried out the request."""
        return self.meaning in ("unknown", "likely_applied")


_RETRY = Rule("yes", "not_sent")
_NOT_SENT = Rule("no", "not_sent")
_RETRY_REFUSED = Rule("yes", "rejected")
_ONCE = Rule("once", "rejected")
_REJECTED = Rule("no", "rejected")
_RETRY_UNKNOWN = Rule("yes", "unknown")
_ONCE_UNKNOWN = Rule("once", "unknown")
_ASKED = Rule("if_asked", "unknown")
_UNKNOWN = Rule("no", "unknown")
_RETRY_APPLIED = Rule("yes", "likely_applied")
_ASKED_APPLIED = Rule("if_asked", "likely_applied")
_APPLIED = Rule("no", "likely_applied")

COLUMNS: tuple[tuple[Safety, ...], ...] = (
    (Safety.READ,),
    (Safety.PUT, Safety.DELETE),
    (Safety.WRITE, Safety.DELETE_MATCHING),
    (Safety.MONEY,),
)

TABLE: dict[Event, tuple[Rule, Rule, Rule, Rule]] = {
    # Each row contains a rule for reads, a rule for PUT and DELETE by ID, a rule for other writes, and a rule for calls
    # that move money, in this order.
    Event.NOT_SENT:             (_RETRY,         _RETRY,            _RETRY,          _RETRY),
    Event.NO_CONNECTION:        (_NOT_SENT,      _NOT_SENT,         _NOT_SENT,       _NOT_SENT),
    Event.NO_RESPONSE:          (_RETRY_REFUSED, _RETRY_UNKNOWN,    _ASKED,          _UNKNOWN),
    Event.SERVER_ERROR:         (_REJECTED,      _UNKNOWN,          _UNKNOWN,        _UNKNOWN),
    # The SDK retries at most once, because the specification documents 503 as "Forbidden", and repeating an incorrect
    # credential may lock the API user (H14).
    Event.FORBIDDEN_503:        (_ONCE,          _ONCE_UNKNOWN,     _UNKNOWN,        _UNKNOWN),
    Event.RATE_LIMITED_BILLING: (_RETRY_REFUSED, _RETRY_REFUSED,    _RETRY_REFUSED,  _REJECTED),
    Event.RATE_LIMITED:         (_RETRY_REFUSED, _RETRY_REFUSED,    _REJECTED,       _REJECTED),
    Event.RATE_LIMITED_LONG:    (_REJECTED,      _REJECTED,         _REJECTED,       _REJECTED),
    Event.CREDENTIAL_REFUSED:   (_ONCE,          _ONCE,             _ONCE,           _ONCE),
    Event.REJECTED:             (_REJECTED,      _REJECTED,         _REJECTED,       _REJECTED),
    Event.REDIRECT:             (_REJECTED,      _UNKNOWN,          _UNKNOWN,        _UNKNOWN),
    Event.CUT_OFF:              (_RETRY_REFUSED, _RETRY_APPLIED,    _ASKED_APPLIED,  _APPLIED),
    Event.DAMAGED:              (_ONCE,          _APPLIED,          _APPLIED,        _APPLIED),
    Event.WRONG_SHAPE:          (_REJECTED,      _APPLIED,          _APPLIED,        _APPLIED),
    Event.UNDOCUMENTED_ERROR:   (_REJECTED,      _UNKNOWN,          _UNKNOWN,        _UNKNOWN),
}  # fmt: skip

_COLUMN = {safety: number for number, column in enumerate(COLUMNS) for safety in column}


def rule_for(event: Event, safety: Safety) -> Rule:
    """Return the rule for an event and a safety class."""
    return TABLE[event][_COLUMN[safety]]
