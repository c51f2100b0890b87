"""An example of at most three lines for every operation, with a heading in the words of a merchant.

The examples of a resource run in order, in one namespace, against one new sandbox. The pages show their output, and the
requests and responses.
"""

from __future__ import annotations

from .kit import Example, Family

__all__ = ["FAMILIES", "Example", "Family"]

from . import catalogue, customers, money, others, usage

FAMILIES: tuple[Family, ...] = (
    *customers.FAMILIES,
    *money.FAMILIES,
    *catalogue.FAMILIES,
    *usage.FAMILIES,
    *others.FAMILIES,
)
"""All families, in the order of the navigation."""
