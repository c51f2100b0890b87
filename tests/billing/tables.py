"""All cases together."""

from __future__ import annotations

from . import cases_catalog, cases_customers, cases_money, cases_others

CONVENTIONAL = cases_others.CONVENTIONAL
BILLING = (*cases_customers.CASES, *cases_catalog.CASES, *cases_money.CASES, *CONVENTIONAL)
ALL = (*BILLING, *cases_others.GROUPS_B_TO_D, *cases_others.ENTITIES)
