"""Decimal contexts for the SDK's own calculations.

The SDK doesn't use Python's current and default decimal contexts, because the application can change those contexts.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, DecimalException, DivisionByZero, InvalidOperation


def own_context(digits: int, *traps: type[DecimalException]) -> Context:
    """Return a decimal context that doesn't depend on the application's settings.

    Args:
        digits: The precision, in significant digits.
        traps: Decimal signals that raise an exception, in addition to `InvalidOperation` and `DivisionByZero`.
    """
    return Context(
        prec=digits,
        rounding=ROUND_HALF_EVEN,
        Emin=MIN_EMIN,
        Emax=MAX_EMAX,
        capitals=1,
        clamp=0,
        flags=[],
        traps=[DivisionByZero, InvalidOperation, *traps],
    )
