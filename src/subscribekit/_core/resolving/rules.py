"""Rules by which `resolve` finds out whether a write was carried out.

The decorator `describes` registers each operation together with its rule. The module `checks` implements the tests of
the rules.
"""

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
    """The read that shows whether a call was carried out, and the test of its result.

    Attributes:
        test: The test that decides whether the resource shows the effect of the call.
        read: SDK name of the read.
        by_convention: Whether the read is undocumented, so that a 404 of the read proves nothing.
        listed: SDK name of a published list to search if the read fails.
        is_full: Whether the request replaces the full resource (E2), so that most sent values existed before the call.
    """

    test: Test
    read: str
    by_convention: bool = False
    listed: str = ""
    is_full: bool = False
