"""Request bodies for the documented changes of a subscription.

Each function returns the body of an update, which contains only the subscription's ID and the change. Items that the
body doesn't contain stay unchanged. The functions in this module don't send anything. To send the change, pass the
returned body to `subscriptions.update`.
"""

from .billing import BillingPlan, Product, Subscription, SubscriptionItem
from .payment_method import PaymentMethod

__all__ = ["add_item", "change_payment_method", "change_plan", "combine", "redeem", "remove_item", "replace_item"]


def add_item(
    subscription: str,
    product: str,
    *,
    item: str | None = None,
    quantity: int | None = None,
    campaign_code: str | None = None,
) -> Subscription:
    """Return the request body that adds a product to a subscription.

    Args:
        subscription: The merchant's ID of the subscription.
        product: The ID of the product.
        item: The ID of the new item. If you leave `item` out, the new item has only the `vid` that the service
            assigns.
        quantity: The number of units; the service uses 1 if you leave `quantity` out.
        campaign_code: The campaign code to redeem on the item.
    """
    return _items(subscription, _new_item(product, item, quantity, campaign_code))


def replace_item(
    subscription: str,
    old_product: str,
    new_product: str,
    *,
    item: str | None = None,
    quantity: int | None = None,
    campaign_code: str | None = None,
) -> Subscription:
    """Return the request body that replaces a product of a subscription with another product.

    Args:
        subscription: The merchant's ID of the subscription.
        old_product: The ID of the product to remove.
        new_product: The ID of the product to add.
        item: The ID of the new item. If you leave `item` out, the new item has only the `vid` that the service
            assigns.
        quantity: The number of units of the new product; the service uses 1 if you leave `quantity` out.
        campaign_code: The campaign code to redeem on the new item.
    """
    change = _new_item(new_product, item, quantity, campaign_code)
    change.replaces = SubscriptionItem(object="SubscriptionItem", product=_product(old_product))
    return _items(subscription, change)


def remove_item(subscription: str, *, item: str | None = None, product: str | None = None) -> Subscription:
    """Return the request body that removes an item from a subscription.

    Args:
        subscription: The merchant's ID of the subscription.
        item: The ID of the item. Pass either `item` or `product`.
        product: The ID of the item's product.

    Raises:
        ValueError: You passed neither `item` nor `product`, or you passed both arguments.
    """
    if (item is None) == (product is None):
        raise ValueError("pass either item or product, not both")
    if product is not None:
        nothing = SubscriptionItem(object="SubscriptionItem")
        change = SubscriptionItem(object="SubscriptionItem", product=_product(product), replaced_by=nothing)
    else:
        change = SubscriptionItem(object="SubscriptionItem", id=item, replaced_by=SubscriptionItem())
    return _items(subscription, change)


def redeem(subscription: Subscription, code: str, *, product: str | None = None) -> Subscription:
    """Return the request body that redeems a campaign code on a product that the subscription already has.

    The body replaces the item with a new item for the same product, and redeems the campaign code on the new item. Do
    not add a second item with the code, because the service would bill the product twice. A campaign code on an
    unchanged item could have no effect. Send the body with `effective_date="nextBill"`, so that the service bills
    nothing now. No source says how to redeem a code for an existing item, so the SDK assumes that this body works.

    Args:
        subscription: The subscription as you received it, with its items.
        code: The campaign code.
        product: The ID of the product to discount; required if the subscription has several items.

    Returns:
        The body for `subscriptions.update`.

    Raises:
        TypeError: `subscription` isn't a `Subscription`; for example, it's an ID.
        ValueError: `subscription` has no ID, no running item that matches `product`, or several items that match.
    """
    _need_subscription("redeem", subscription)
    running = [item for item in subscription.items or () if item.ends is None and item.product is not None]
    products = [item.product.id for item in running if item.product is not None and item.product.id is not None]
    fitting = [each for each in products if product in (None, each)]
    if subscription.id is None or len(fitting) != 1:
        raise ValueError(
            "subscription must have one running item with the product to discount; pass the subscription as you "
            "received it, and set product if the subscription has several items"
        )
    quantity = next(item.quantity for item in running if item.product is not None and item.product.id == fitting[0])
    return replace_item(subscription.id, fitting[0], fitting[0], quantity=quantity, campaign_code=code)


def change_plan(subscription: str, billing_plan: str, *, campaign_code: str | None = None) -> Subscription:
    """Return the request body that changes a subscription's billing plan, with an optional campaign code."""
    change = _subscription(subscription)
    change.billing_plan = BillingPlan(object="BillingPlan", id=billing_plan)
    if campaign_code is not None:
        change.billing_plan_campaign_code = campaign_code
    return change


def change_payment_method(
    subscription: str, *, vid: str | None = None, payment_method: str | None = None
) -> Subscription:
    """Return the request body that changes the payment method of a subscription to another payment method on file.

    Args:
        subscription: The merchant's ID of the subscription.
        vid: The service's ID of the payment method. Pass either `vid` or `payment_method`.
        payment_method: The merchant's ID of the payment method.

    Raises:
        ValueError: You passed neither `vid` nor `payment_method`, or you passed both arguments.
    """
    if (vid is None) == (payment_method is None):
        raise ValueError("pass either vid or payment_method, not both")
    reference = PaymentMethod(object="PaymentMethod")
    if vid is not None:
        reference.vid = vid
    else:
        reference.id = payment_method
    change = _subscription(subscription)
    change.payment_method = reference
    return change


def combine(first: Subscription, *others: Subscription) -> Subscription:
    """Combine several changes of one subscription into one body, such as a new plan and a new item.

    Raises:
        TypeError: A change isn't a `Subscription`.
        ValueError: The changes are for different subscriptions, or two changes set the same field to different values.
    """
    for each in (first, *others):
        _need_subscription("combine", each)
    joined = first.model_copy()
    for other in others:
        for name in sorted(other.model_fields_set - {"object", "items"}):
            value = getattr(other, name)
            if name not in joined.model_fields_set:
                setattr(joined, name, value)
            elif getattr(joined, name) != value:
                raise ValueError(
                    f"the changes set {name} to different values; combine only changes of one subscription that set "
                    "different fields"
                )
        if other.items is not None:
            joined.items = [*(joined.items or ()), *other.items]
    return joined


def _need_subscription(function: str, given: object) -> None:
    if not isinstance(given, Subscription):
        raise TypeError(
            f"{function} requires a Subscription, not {type(given).__name__}; pass billing.subscriptions.retrieve(id)"
        )


def _subscription(identifier: str) -> Subscription:
    return Subscription(object="Subscription", id=identifier)


def _items(subscription: str, change: SubscriptionItem) -> Subscription:
    body = _subscription(subscription)
    body.items = [change]
    return body


def _product(identifier: str) -> Product:
    return Product(object="Product", id=identifier)


def _new_item(product: str, item: str | None, quantity: int | None, campaign_code: str | None) -> SubscriptionItem:
    change = SubscriptionItem(object="SubscriptionItem", product=_product(product))
    if item is not None:
        change.id = item
    if quantity is not None:
        change.quantity = quantity
    if campaign_code is not None:
        change.campaign_code = campaign_code
    return change
