"""One example of three lines for every operation, with its heading in the words of who needs it.

The examples of a family run in order, in one namespace, against one fresh sandbox. What they print and what they send
and receive is written into the pages.
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
