"""The cases of all modules, in one table."""

from __future__ import annotations

from . import cases_catalog, cases_customers, cases_money, cases_others

BY_CONVENTION = (*cases_others.BY_CONVENTION, *cases_others.GENERIC)
BILLING = (*cases_customers.CASES, *cases_catalog.CASES, *cases_money.CASES, *BY_CONVENTION)
ALL = (*BILLING, *cases_others.GROUPS_B_TO_D, *cases_others.ENTITIES)
WITH_ROWS = tuple(case for case in ALL if case.shows is not None)
"""The cases that other tests use as rows of their tables."""
