"""A table of yours compared with a list of the service, by reads only, however much changes meanwhile.

from subscribekit.reconcile import Reconcile

with Reconcile("nightly.db", billing.subscriptions.list(), key="id", fields={"status": "state"}) as check:
    check.read()
    check.compare(rows)
    for difference in check.differences():
        print(difference)
"""

from .._public import publish
from ._difference import Counts, Difference
from ._reconcile import Reconcile
from ._reconcile_async import AsyncReconcile
from ._store import ReconcileError

__all__ = ["AsyncReconcile", "Counts", "Difference", "Reconcile", "ReconcileError"]

publish(__name__, AsyncReconcile, Counts, Difference, Reconcile, ReconcileError)
