"""Calculates totals, taxes, and refundable amounts from responses.

The results are exact, because the SDK doesn't round amounts.
"""

from collections.abc import Iterable
from decimal import Decimal, Inexact, Overflow

from .._decimals import own_context
from ._base import Model
from .billing import Refund, Transaction, TransactionItem

__all__ = ["item_tax", "item_total", "items_total", "refundable_amount", "tax_total"]

_TOTAL_TAX = "Total Tax"
_EXACT = own_context(200, Inexact, Overflow)  # the default context of `decimal` would round long sums without an error
_ZERO = Decimal(0)


def item_tax(item: TransactionItem) -> Decimal:
    """Return the sum of the taxes of an item.

    Raises:
        TypeError: `item` isn't a `TransactionItem`.
    """
    _need(TransactionItem, item, "item_tax")
    return _sum(tax.amount for tax in item.tax or ())


def item_total(item: TransactionItem) -> Decimal:
    """Return the total of an item: the subtotal, the discount (which is negative), and the added tax.

    If the item contains a total from the service, the result is that total. Tax that is included in the price
    (`Inclusive Sales`) isn't added.

    Raises:
        TypeError: `item` isn't a `TransactionItem`.
        ValueError: The item has taxes, but its `tax_type` doesn't determine whether the taxes are added or included.
    """
    _need(TransactionItem, item, "item_total")
    if item.total is not None:
        return item.total
    subtotal = item.subtotal
    if subtotal is None:
        quantity = Decimal(1) if item.quantity is None else item.quantity
        subtotal = _EXACT.multiply(item.price or _ZERO, quantity)
    return _sum((subtotal, item.discount, _added_tax(item)))


def items_total(items: Iterable[TransactionItem]) -> Decimal:
    """Return the total amount of the items of a transaction.

    The sum excludes the item `Total Tax`, which repeats tax that the totals of the other items already include.

    Raises:
        TypeError: An element of `items` isn't a `TransactionItem`.
        ValueError: An item has taxes, but its `tax_type` doesn't determine whether the taxes are added or included.
    """
    return _sum(item_total(item) for item in items if not _is_total_tax(item, "items_total"))


def tax_total(items: Iterable[TransactionItem]) -> Decimal:
    """Return the total tax of the items of a transaction.

    The sum excludes the item `Total Tax`, which repeats the taxes of the other items.

    Raises:
        TypeError: An element of `items` isn't a `TransactionItem`.
    """
    return _sum(item_tax(item) for item in items if not _is_total_tax(item, "tax_total"))


def refundable_amount(transaction: Transaction, refunds: Iterable[Refund]) -> Decimal:
    """Return the amount of a transaction that can still be refunded.

    Failed refunds don't reduce the amount. The result is 0 for a declined or canceled transaction. An amount that is
    only authorized counts as captured, because the response may be older than the capture.

    Args:
        transaction: The transaction, as you received it.
        refunds: All refunds of the transaction.

    Raises:
        TypeError: `transaction` isn't a `Transaction` (for example, it's an ID), or a refund isn't a `Refund`.
        ValueError: An amount is missing, a refund has another currency or belongs to another transaction, or the amount
            of a partial refund doesn't include its tax.
    """
    given: object = transaction
    if not isinstance(given, Transaction):
        raise TypeError(
            f"transaction must be a Transaction, not {type(given).__name__}; pass billing.transactions.retrieve(id)"
        )
    if transaction.amount is None:
        raise ValueError("the transaction has no amount; pass the result of billing.transactions.retrieve(id)")
    if _was_cancelled(transaction):
        return _ZERO
    refunded = _sum(_refunded(transaction, refund) for refund in refunds)
    return max(_EXACT.subtract(transaction.amount, refunded), _ZERO)


def _need(kind: type[Model], given: object, function: str) -> None:
    if not isinstance(given, kind):
        raise TypeError(f"{function} requires {kind.__name__}, not {type(given).__name__}")


def _was_cancelled(transaction: Transaction) -> bool:
    if transaction.status is not None:
        return transaction.status == "Cancelled"
    return any(each.status == "Cancelled" for each in transaction.status_log or ())


def _refunded(transaction: Transaction, refund: Refund) -> Decimal:
    _need(Refund, refund, "refundable_amount")
    if refund.status == "Failed":
        return _ZERO
    amount = refund.amount
    if amount is None:
        raise ValueError("a refund has no amount; pass the result of billing.refunds.list(transaction_id)")
    if refund.currency is not None and transaction.currency is not None and refund.currency != transaction.currency:
        raise ValueError("a refund and the transaction have different currencies; pass only refunds of the transaction")
    if refund.transaction is not None and _differ(refund.transaction, transaction):
        raise ValueError("a refund belongs to another transaction; pass only refunds of the transaction")
    if refund.amount_includes_tax is not False:
        return amount
    if transaction.items is not None:
        with_tax = _sum((amount, tax_total(transaction.items)))
        if with_tax in (amount, transaction.amount):  # the transaction has no tax, or was refunded completely
            return with_tax
    raise ValueError(
        "the amount of a partial refund doesn't include its tax, so the total refunded amount is unknown; to refund "
        "the rest, call billing.refunds.create without an amount"
    )


def _differ(one: Transaction, other: Transaction) -> bool:
    if one.vid is not None and other.vid is not None:
        return one.vid != other.vid
    return one.id is not None and other.id is not None and one.id != other.id


def _added_tax(item: TransactionItem) -> Decimal:
    tax = item_tax(item)
    if tax == 0 or (item.tax_type is not None and item.tax_type.startswith("Inclusive")):
        return _ZERO
    if item.tax_type is not None and item.tax_type.startswith("Exclusive"):
        return tax
    raise ValueError(
        "the item has taxes, but its tax_type doesn't show whether the taxes are added or included; set tax_type to "
        "'Exclusive Sales' or 'Inclusive Sales'"
    )


def _is_total_tax(item: TransactionItem, function: str) -> bool:
    _need(TransactionItem, item, function)
    return item.sku == _TOTAL_TAX


def _sum(amounts: Iterable[Decimal | None]) -> Decimal:
    total = _ZERO
    for amount in amounts:
        if amount is not None:
            total = _EXACT.add(total, amount)
    return total
