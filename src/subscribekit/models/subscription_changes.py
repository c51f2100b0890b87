"""Partial bodies of the documented changes of a subscription.

Each function returns what is sent to update the subscription: its identifier and what changes, nothing else. Items that
a body does not name stay as they are.
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
    """Add a product to a subscription.

    Args:
        subscription: Identifier of the subscription, chosen by the caller.
        product: Identifier of the product.
        item: Identifier for the new item; without one the service's `vid` identifies it.
        quantity: Number of the product; the service takes 1 when none is given.
        campaign_code: Coupon or promotion code to redeem on the item.
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
    """Put a product in the place of another one of the subscription.

    Args:
        subscription: Identifier of the subscription, chosen by the caller.
        old_product: Identifier of the product that goes.
        new_product: Identifier of the product that comes.
        item: Identifier for the new item; without one the service's `vid` identifies it.
        quantity: Number of the new product; the service takes 1 when none is given.
        campaign_code: Coupon or promotion code to redeem on the new item.
    """
    change = _new_item(new_product, item, quantity, campaign_code)
    change.replaces = SubscriptionItem(object="SubscriptionItem", product=_product(old_product))
    return _items(subscription, change)


def remove_item(subscription: str, *, item: str | None = None, product: str | None = None) -> Subscription:
    """Remove an item from a subscription, named by its own identifier or by its product.

    Raises:
        ValueError: Neither an item nor a product is named, or both are.
    """
    if (item is None) == (product is None):
        raise ValueError("name either the item or its product")
    if product is not None:
        nothing = SubscriptionItem(object="SubscriptionItem")
        change = SubscriptionItem(object="SubscriptionItem", product=_product(product), replaced_by=nothing)
    else:
        change = SubscriptionItem(object="SubscriptionItem", id=item, replaced_by=SubscriptionItem())
    return _items(subscription, change)


def redeem(subscription: Subscription, code: str, *, product: str | None = None) -> Subscription:
    """Discount what a customer has already: replace an item by the same product, with a coupon or promotion code.

    A new item with the code would bill the product a second time, and a code on an item that stays is ignored. Send it
    with `effective_date="nextBill"`, so that nothing is billed now; convention: no source shows this body by itself.

    Args:
        subscription: The subscription as it was read, with its items.
        code: Coupon or promotion code.
        product: Identifier of the product to discount; needed where the subscription has several items.

    Returns:
        The body of the update.

    Raises:
        TypeError: It isn't a subscription, but for example its ID.
        ValueError: The subscription was not read, or no item or several ones fit.
    """
    _need_subscription("redeem", subscription)
    running = [item for item in subscription.items or () if item.ends is None and item.product is not None]
    products = [item.product.id for item in running if item.product is not None and item.product.id is not None]
    fitting = [each for each in products if product in (None, each)]
    if subscription.id is None or len(fitting) != 1:
        raise ValueError("give the subscription as it was read, and name the one item's product that the code is for")
    quantity = next(item.quantity for item in running if item.product is not None and item.product.id == fitting[0])
    return replace_item(subscription.id, fitting[0], fitting[0], quantity=quantity, campaign_code=code)


def change_plan(subscription: str, billing_plan: str, *, campaign_code: str | None = None) -> Subscription:
    """Move a subscription to another billing plan, with an optional coupon or promotion code for the plan."""
    change = _subscription(subscription)
    change.billing_plan = BillingPlan(object="BillingPlan", id=billing_plan)
    if campaign_code is not None:
        change.billing_plan_campaign_code = campaign_code
    return change


def change_payment_method(
    subscription: str, *, vid: str | None = None, payment_method: str | None = None
) -> Subscription:
    """Pay a subscription by another payment method on file, named by its `vid` or by its own identifier.

    Raises:
        ValueError: Neither a `vid` nor an identifier is given, or both are.
    """
    if (vid is None) == (payment_method is None):
        raise ValueError("name the payment method either by its vid or by its own identifier")
    reference = PaymentMethod(object="PaymentMethod")
    if vid is not None:
        reference.vid = vid
    else:
        reference.id = payment_method
    change = _subscription(subscription)
    change.payment_method = reference
    return change


def combine(first: Subscription, *others: Subscription) -> Subscription:
    """Join changes of one subscription into one body, such as a new plan together with a new item.

    Raises:
        TypeError: A change isn't a subscription.
        ValueError: The changes are of different subscriptions, or two of them set the same field.
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
                raise ValueError(f"the changes disagree on {name}")
        if other.items is not None:
            joined.items = [*(joined.items or ()), *other.items]
    return joined


def _need_subscription(function: str, given: object) -> None:
    if not isinstance(given, Subscription):
        raise TypeError(
            f"{function} takes a Subscription, not {type(given).__name__}: write "
            f"billing.subscriptions.retrieve(id) in place of an ID"
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
