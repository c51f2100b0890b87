"""The wire names that the specification doesn't document, and the names that only the SDK sets."""

import re
from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias

from ..._public import publish
from ...errors import ConfigurationError

__tracebackhide__ = True

WireNameStatus: TypeAlias = Literal["published", "assumed", "configured", "unset"]


_PUBLISHED = ("accounts_email", "accounts_created_after", "accounts_created_before", "accounts_payment_method")
_ASSUMED = {"event_summaries_account": "account", "event_summaries_subscription": "subscription"}
WIRE_NAME: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
"""The pattern of a token (RFC 9110): the name of a header, a cookie, or a parameter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireNames:
    """The wire names that the specification doesn't document; `None` for a name that isn't set.

    The defaults of four `accounts_*` names are published in the operator's public reference. The SDK assumes the
    defaults of `event_summaries_account` and `event_summaries_subscription`, because similar lists use these names. If
    you use an argument whose wire name isn't set, the SDK raises `ConfigurationError`. If the wire name of a filter is
    assumed, the SDK checks that each item of the list matches the filter.

    Args:
        partner_code_header: The header of the partner code (E6).
        billing_plan_history_param: The query parameter that requests the whole history of billing plans (E6).
        custom_data_filter_param: The query parameter of the filter expression (E9).
        accounts_email: The query parameter that filters accounts by email address (E3, published).
        accounts_created_after: The query parameter that filters accounts by the earliest creation time (E3, published).
        accounts_created_before: The query parameter that filters accounts by the latest creation time (E3, published).
        accounts_payment_method: The query parameter that filters accounts by payment method (E3, published).
        accounts_boleto_fiscal_number: The query parameter that filters accounts by the fiscal number of a boleto (E3).
        accounts_carrier_billing_encoded_phone_number: The query parameter that filters accounts by an encoded phone
            number of carrier billing (E3).
        accounts_carrier_billing_phone_number: The query parameter that filters accounts by a phone number of carrier
            billing (E3).
        accounts_credit_card_account: The query parameter that filters accounts by a credit card number (E3).
        accounts_direct_debit_account: The query parameter that filters accounts by the account number of a direct debit
            (E3).
        event_summaries_account: The query parameter that filters event summaries by account (E4, assumed).
        event_summaries_subscription: The query parameter that filters event summaries by subscription (E4, assumed).
        event_summaries_product: The query parameter that filters event summaries by product (E4).
        event_summaries_rate_plan: The query parameter that filters event summaries by rate plan (E4).
        event_summaries_start: The query parameter that filters event summaries by the start of the period (E4).
        event_summaries_end: The query parameter that filters event summaries by the end of the period (E4).

    Raises:
        ConfigurationError: A name contains a character that HTTP doesn't allow in a token, or is a name that the SDK
            itself sets.
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
                raise ConfigurationError(f"WireNames.{each.name} must contain only letters, digits, '_', and '-'")
            if isinstance(value, str) and value in RESERVED_PARAMETERS and each.name.startswith(_LISTS):
                raise ConfigurationError(
                    f"WireNames.{each.name} must not be a parameter that the SDK sets for paging, such as {value!r}"
                )
        if self.partner_code_header and self.partner_code_header.lower() in RESERVED_HEADERS:
            raise ConfigurationError("WireNames.partner_code_header can't be a header that the SDK itself sets")

    def status(self, name: str) -> WireNameStatus:
        """Return the source of a wire name.

        Args:
            name: The field, such as `accounts_email`.

        Returns:
            `published` or `assumed` for a default, `configured` for a name that you set, or `unset`.
        """
        value = getattr(self, name)
        if value is None:
            return "unset"
        if name in _PUBLISHED and value == name.removeprefix("accounts_"):
            return "published"
        return "assumed" if _ASSUMED.get(name) == value else "configured"

    def resolve(self, name: str) -> str:
        """Return a wire name.

        Args:
            name: The field, such as `accounts_email`.

        Raises:
            ConfigurationError: The wire name isn't set.
        """
        value: str | None = getattr(self, name)
        if value is None:
            raise ConfigurationError(
                "the specification doesn't document the wire name of this argument; ask the operator for the name, and "
                f"pass wire_names=WireNames({name}='...') to the client"
            )
        return value


_LISTS = ("accounts_", "event_summaries_")
RESERVED_PARAMETERS = ("limit", "starting_after", "ending_before")
"""The query parameters that the SDK sets for paging."""
RESERVED_HEADERS = frozenset(
    {
        "accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
        "content-type", "cookie", "host", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "x-api-key", "x-api-version", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid",
        "x-b3-traceid", "x-b3-flags", "b3",
    }
)  # fmt: skip
"""The headers that only the SDK sets, in lowercase."""


publish("subscribekit", WireNames)
