"""Rules that say how to resolve an operation. Each rule is a part of the operation's definition.

The module `checks` implements the tests.
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
        test: The test of the resource that was read.
        read: SDK name of the read.
        by_convention: Whether no source documents the read, so that its 404 proves nothing.
        listed: SDK name of a published list to search if such a read gets no response.
        is_full: Whether the body is the full resource (E2), most of which existed before the call.
    """

    test: Test
    read: str
    by_convention: bool = False
    listed: str = ""
    is_full: bool = False
