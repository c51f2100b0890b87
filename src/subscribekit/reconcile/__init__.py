"""Compares your table with a list of the service, even if the list changes meanwhile. Sends only reads.

from subscribekit.reconcile import Reconciliation

with Reconciliation("nightly.db", billing.subscriptions.list(), key="id", fields={"status": "state"}) as check:
    check.read()
    check.compare(rows)
    for difference in check.differences():
        print(difference)
"""

from .._public import publish
from ._difference import Counts, Difference
from ._reconcile import Reconciliation
from ._reconcile_async import AsyncReconciliation
from ._store import ReconcileError

__all__ = ["AsyncReconciliation", "Counts", "Difference", "ReconcileError", "Reconciliation"]

publish(__name__, AsyncReconciliation, Counts, Difference, Reconciliation, ReconcileError)
