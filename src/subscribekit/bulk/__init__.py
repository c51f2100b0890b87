"""Bulk runs: send many writes from a ledger that survives crashes (extra `bulk`).

    from subscribekit.bulk import RateLimit, Run

    with Run("charges.db", gateway, rate_limit=RateLimit(50, per=1.0)) as run:
        run.add((row.order, gateway.prepare.entitlements.charge(row.subscription, row.charge)) for row in rows)
        for item in run.send(progress=True):
            print(item.key, item.state)

To resume a run after a crash, start the program again. The run sends an item again only if the earlier request was
certainly not carried out.
"""

try:
    import pyrate_limiter as _limiter
    import sqlalchemy as _sqlalchemy
except ModuleNotFoundError as _missing:
    raise ModuleNotFoundError(
        f"subscribekit.bulk requires the package {_missing.name}; run: pip install 'subscribekit[bulk]'",
        name=_missing.name,
    ) from None

from .._public import publish
from ._items import AsyncItem, Item
from ._ledger.money import Amounts
from ._preview import Preview, PreviewItem
from ._resolving import Resolved
from ._run import Run
from ._run_async import AsyncRun
from ._values import Counts, RateLimit, RecordedOutcome, State, StopPolicy

__all__ = [
    "Amounts",
    "AsyncItem",
    "AsyncRun",
    "Counts",
    "Item",
    "Preview",
    "PreviewItem",
    "RateLimit",
    "RecordedOutcome",
    "Resolved",
    "Run",
    "State",
    "StopPolicy",
]  # fmt: skip

publish(__name__, PreviewItem._of_preview)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  pickles name it
publish(
    __name__, Amounts, AsyncItem, AsyncRun, Counts, Item, PreviewItem, Preview, RateLimit, Resolved, Run, StopPolicy,
)  # fmt: skip

del _limiter, _sqlalchemy
