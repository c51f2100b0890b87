"""How an operation is resolved, as data that is beside its definition; `looks` says what each test looks for."""

from typing import Literal, NamedTuple, TypeAlias

Test: TypeAlias = Literal[
    "created",
    "values",
    "refunded",
    "credited",
    "recorded",
    "child",
    "no_child",
    "entitled",
    "not_entitled",
    "captured",
    "transaction_cancelled",
    "reversed",
    "subscription_cancelled",
    "billing_day",
    "finished",
]


class Rule(NamedTuple):
    """Which read shows what became of a call, and what to look for in it.

    Attributes:
        test: The condition to look for.
        read: SDK name of the read.
        by_convention: No source documents the read, so that its 404 proves nothing.
        listed: SDK name of a published list to look through if such a read gets no response.
        is_full: The body is the full resource (E2), most of which was there before.
    """

    test: Test
    read: str
    by_convention: bool = False
    listed: str = ""
    is_full: bool = False
