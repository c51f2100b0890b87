"""Finds the name that the caller probably meant.

Error messages contain only names and no values, because a value may be a credential.
"""

import re
from collections.abc import Iterable

FAMILIES = {
    "BillingClient": (
        "accounts", "activities", "billing_plans", "campaigns", "entitlements", "event_summaries", "events",
        "invoices", "payment_methods", "payments", "products", "rate_plans", "refunds", "season_sets",
        "subscriptions", "transactions",
    ),
    "GatewayClient": ("campaigns", "entitlements", "partner_subscriptions", "subscriptions"),
    "UserMgmtClient": ("accounts", "custom_data", "entities"),
    "StorefrontClient": ("payment_methods",),
}  # fmt: skip
"""The names of each client's resources."""

_SENDING = {"results": "send", "once": "send_once"}
"""Wrong method names that callers may use on a run, and the right names."""


def nearest(wrong: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that is most similar to a wrong name, unless the known name has the opposite meaning."""
    from difflib import get_close_matches  # only misspelled names need this module

    found = next(iter(get_close_matches(wrong, list(known), n=1, cutoff=cutoff)), None)
    positive = re.sub("^(un|de|dis|non)_?", "", wrong)
    return None if positive == found != wrong else found  # never suggest `cancel` for `uncancel`


def did_you_mean(wrong: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return a suggestion for the end of an error message. If no known name is similar, return an empty string."""
    found = nearest(wrong, known, cutoff)
    return f"; did you mean {found!r}?" if found else ""


def instead_of_attribute(owner: type, wrong: str) -> str:
    """Return the end of an error message for a missing attribute of a client, a resource, or a run."""
    own = {name for name in dir(owner) if not name.startswith("_")}
    if _SENDING.get(wrong) in own:
        return f"; did you mean {_SENDING[wrong]!r}?"
    # Search the names of all clients, because another client may have a more similar name than this client.
    found = nearest(wrong, own.union(*FAMILIES.values()), 0.75)
    if found is None or found in own:
        return f"; did you mean {found!r}?" if found else ""
    return f"; write {' or '.join(f'{client}().{found}' for client, names in FAMILIES.items() if found in names)}"
