"""The names on the wire that the specification does not show, and those that only the client sets."""

import re
from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias

from ..._public import publish
from ...errors import ConfigurationError

__tracebackhide__ = True  # pytest shows the line of the caller instead

WireNameStatus: TypeAlias = Literal["published", "assumed", "configured", "unset"]


_PUBLISHED = ("accounts_email", "accounts_created_after", "accounts_created_before", "accounts_payment_method")
_ASSUMED = {"event_summaries_account": "account", "event_summaries_subscription": "subscription"}
WIRE_NAME: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
"""The pattern of a token (RFC 9110): a name of a header, of a cookie, or of a parameter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireNames:
    """The names on the wire that the specification does not show; `None` means not set.

    A field is published (the operator's public reference shows it: the four `accounts_*` defaults), assumed (a sibling
    list uses it: `event_summaries_account`, `event_summaries_subscription`) or unset. Using an unset one raises
    `ConfigurationError`; what an assumed one returns is checked item by item.

    Args:
        partner_code_header: Header of the partner code of E6.
        billing_plan_history_param: Query flag of E6 that asks for the whole billing plan history.
        custom_data_filter_param: Query parameter that carries the filter expression of E9.
        accounts_email: Filter of E3 (published).
        accounts_created_after: Filter of E3 (published).
        accounts_created_before: Filter of E3 (published).
        accounts_payment_method: Filter of E3 (published).
        accounts_boleto_fiscal_number: Filter of E3.
        accounts_carrier_billing_encoded_phone_number: Filter of E3.
        accounts_carrier_billing_phone_number: Filter of E3.
        accounts_credit_card_account: Filter of E3.
        accounts_direct_debit_account: Filter of E3.
        event_summaries_account: Filter of E4 (assumed).
        event_summaries_subscription: Filter of E4 (assumed).
        event_summaries_product: Filter of E4.
        event_summaries_rate_plan: Filter of E4.
        event_summaries_start: Filter of E4.
        event_summaries_end: Filter of E4.

    Raises:
        ConfigurationError: A name is not a word of letters, digits and the usual signs.
    """

    partner_code_header: str | None = None
    billing_plan_history_param: str | None = None
    custom_data_filter_param: str | None = None
    accounts_email: str | None = "email"
    accounts_created_after: str | None = "created_after"
    accounts_created_before: str | None = "created_before"
    accounts_payment_method: str | None = "payment_method"
    accounts_boleto_fiscal_number: str | None = None
    accounts_carrier_billing_encoded_phone_number: str | None = None
    accounts_carrier_billing_phone_number: str | None = None
    accounts_credit_card_account: str | None = None
    accounts_direct_debit_account: str | None = None
    event_summaries_account: str | None = "account"
    event_summaries_subscription: str | None = "subscription"
    event_summaries_product: str | None = None
    event_summaries_rate_plan: str | None = None
    event_summaries_start: str | None = None
    event_summaries_end: str | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and (not isinstance(value, str) or not re.fullmatch(WIRE_NAME, value)):
                raise ConfigurationError(f"WireNames.{each.name} must be a name of letters, digits, '_' and '-'")
            if isinstance(value, str) and value in RESERVED_PARAMETERS and each.name.startswith(_LISTS):
                raise ConfigurationError(f"WireNames.{each.name} must not be a parameter that moves through the list")
        if self.partner_code_header and self.partner_code_header.lower() in RESERVED_HEADERS:
            raise ConfigurationError("WireNames.partner_code_header must not be a header that the client sets itself")

    def status(self, name: str) -> WireNameStatus:
        """Tell where the value of a field comes from."""
        value = getattr(self, name)
        if value is None:
            return "unset"
        if name in _PUBLISHED and value == name.removeprefix("accounts_"):
            return "published"
        return "assumed" if _ASSUMED.get(name) == value else "configured"

    def resolve(self, name: str) -> str:
        """Give the name on the wire.

        Raises:
            ConfigurationError: It is not set.
        """
        value: str | None = getattr(self, name)
        if value is None:
            raise ConfigurationError(
                f"the specification does not show the wire name of this argument; give it as "
                f"wire_names=WireNames({name}='...') when the client is made"
            )
        return value


_LISTS = ("accounts_", "event_summaries_")
RESERVED_PARAMETERS = ("limit", "starting_after", "ending_before")
"""Query parameters that only a list itself sets."""
RESERVED_HEADERS = frozenset(
    {
        "accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
        "content-type", "cookie", "host", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "x-api-key", "x-api-version", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid",
        "x-b3-traceid", "x-b3-flags", "b3",
    }
)  # fmt: skip
"""Headers that only the client itself sets (lower case)."""


publish("subscribekit", WireNames)
