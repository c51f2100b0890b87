"""Subscriptions as the gateway shows them."""

from ..._core.client.described import describes, specification
from ..._core.operations.arguments import Pairs, Wire, flag, text
from ..._core.operations.operation import Operation, get
from ...errors import InvalidArgumentError
from ...models.billing import Subscription


@describes("gateway", "subscriptions.retrieve", source=specification("E6"))
def retrieve_subscription(
    subscription: str, *, partner_code: str | None = None, include_billing_plan_history: bool = False
) -> Operation[Subscription]:
    """Read a subscription.

    The specification does not show the names of the partner code header and of the history flag: set them with
    `WireNames(partner_code_header=..., billing_plan_history_param=...)` before they can be used.

    Args:
        subscription: Its id or vid, at most 128 characters.
        partner_code: The partner code, at most 32 printable ASCII characters.
        include_billing_plan_history: Ask for the whole billing plan history.

    Returns:
        The subscription.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        ConfigurationError: The client has no API key, or the wire name of an argument is not set.
        NotFoundError: There is no such subscription.
    """
    headers, query = _partner_code(partner_code), _history(include_billing_plan_history)
    return get(
        "/submgmt/v2/subscriptions/{subscription}", subscription, result=Subscription, query=query, headers=headers
    )


def _partner_code(code: str | None) -> Pairs:
    if code is None:
        return ()
    code = text("partner_code", code, 32)
    if not code.isascii() or not code.isprintable() or code != code.strip():
        raise InvalidArgumentError("partner_code must be printable ASCII without spaces at its ends")
    return ((Wire("partner_code_header"), code),)


def _history(wanted: bool) -> Pairs:
    return ((Wire("billing_plan_history_param"), "1"),) if flag("include_billing_plan_history", wanted) else ()
