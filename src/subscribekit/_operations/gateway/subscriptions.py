"""Subscriptions, read from the gateway."""

from ..._core.client.described import describes, specification
from ..._core.operations.arguments import Pairs, Wire, flag, text
from ..._core.operations.operation import Operation, get
from ...errors import InvalidArgumentError
from ...models.billing import Subscription


@describes("gateway", "subscriptions.retrieve", source=specification("E6"))
def retrieve_subscription(
    subscription: str, *, partner_code: str | None = None, include_billing_plan_history: bool = False
) -> Operation[Subscription]:
    """Retrieve a subscription.

    The specification doesn't document the wire names of the arguments `partner_code` and
    `include_billing_plan_history`. To use `partner_code`, set its wire name with `WireNames(partner_code_header=...)`.
    To use `include_billing_plan_history`, set its wire name with `WireNames(billing_plan_history_param=...)`.

    Args:
        subscription: The subscription's `id` or `vid`, up to 128 characters.
        partner_code: The partner code, up to 32 printable ASCII characters.
        include_billing_plan_history: Request all billing plans that the subscription has had.

    Returns:
        The subscription.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        ConfigurationError: The client has no API key, or you passed an argument whose wire name isn't set.
        NotFoundError: The subscription doesn't exist.
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
        raise InvalidArgumentError("partner_code must be printable ASCII without leading or trailing spaces")
    return ((Wire("partner_code_header"), code),)


def _history(wanted: bool) -> Pairs:
    return ((Wire("billing_plan_history_param"), "1"),) if flag("include_billing_plan_history", wanted) else ()
