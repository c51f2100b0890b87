"""The comparison for sync clients."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from types import TracebackType
from typing import Generic, Self, TypeVar

from .._core.calls.driver import Driver
from .._core.lists.listing import Listing
from .._core.lists.pager import Pager
from .._generated.sync.billing.resources import BillingResources
from ..errors import InvalidArgumentError, NotFoundError
from ..models._base import Model
from ._core import Candidate, Core
from ._difference import Counts, Difference
from ._fields import Fields
from ._progress import ListDisplay, Progress
from ._report import html_of, write_report
from ._rows import Rows, batches

M = TypeVar("M", bound=Model)


class Reconciliation(Generic[M]):
    """Compares your table with a list of the service. Sends only reads.

    Call `read`, then `compare`, then `differences`. The file stores the list and the progress of `read`. If your
    program crashes, run it again, and `read` continues after the last stored page. Only one process and one thread at a
    time can use a file.

    Args:
        path: The file of the comparison. A new file gets mode 0600.
        pager: A complete list, such as `billing.subscriptions.list()`.
        key: The field that identifies a resource, and the column with the same name. Keys are compared as text.
        fields: A mapping of paths in the resource to columns. If your value and the service's value have different
            forms, add a function that converts the service's value: `{"status": ("state", to_our_state)}`. Both
            `compare` and `differences` call the function. The values of a path through a list, such as
            `items[].product.id`, are compared as a set.
        compare_scale: Whether to report equal amounts with different scales, such as 19.9 and 19.90, as a difference.
        concurrency: The number of resources that `differences` retrieves in parallel, from 1 to 64.

    Raises:
        InvalidArgumentError: A path in `fields` doesn't exist in the model, or another argument is invalid. Nothing was
            sent.
        ReconcileError: The file isn't a file of this comparison, can't be opened, or is in use.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        pager: Pager[M],
        *,
        key: str,
        fields: Fields,
        compare_scale: bool = False,
        concurrency: int = 8,
    ) -> None:
        if not isinstance(pager, Pager):
            raise InvalidArgumentError(
                "pager must be a pager of a sync client, such as billing.subscriptions.list(); for a pager of an "
                "async client, use AsyncReconciliation"
            )
        self._core: Core[M, Driver, M] = Core(
            path, pager, key, fields, compare_scale=compare_scale, concurrency=concurrency, resources=BillingResources
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Reconciliation of {self._core.name} in {self._core.store.path.name}>"

    def _repr_html_(self) -> str:
        return html_of(self._core)

    def close(self) -> None:
        """Close the file, but not the client."""
        self._core.store.close()

    def read(self, *, progress: Progress = False) -> None:
        """Read the service's list into the file.

        If an earlier call of `read` was interrupted, this call continues after the last stored page. If the file
        already contains the whole list, this call does nothing. To read the list again, call `reset` first.

        Args:
            progress: `True` to show a line on standard error, or a function that is called with the number of items
                read and the total (`None` if the service doesn't return the total).

        Raises:
            ReconcileError: A resource has no key, or two resources have the same key. The file can't be written.
            SubscribekitError: A page can't be read. The next call of `read` resumes at this page.
        """
        shown = ListDisplay(progress)
        if self._core.is_read:
            return
        pager = self._pager(self._core.rest())
        for page in pager.pages():
            self._core.keep(page, pager.checkpoint, shown)
        self._core.finish(shown)

    def compare(self, rows: Rows) -> None:
        """Compare your rows with the list. A further call of `compare` replaces the result.

        Args:
            rows: Mappings in any order, such as a `csv.DictReader`, rows of a database, or an Arrow table.

        Raises:
            InvalidArgumentError: A key is repeated or missing, or a column is missing. You haven't called `read` yet. A
                value or the result of a function can't be compared, such as a float, a time without a time zone, a
                string instead of a Boolean, or NaT. The error message contains the row and the column. Nothing was
                sent, and the earlier result is kept.
            ReconcileError: The file can't be written, or another call of this comparison hasn't ended.
        """
        with self._core.comparing() as add:
            for batch in batches(rows):
                add(batch)

    def differences(self) -> Iterator[Difference[M]]:
        """Check each difference again, and return the remaining differences with the newest values. Sends only reads.

        The SDK sends one `retrieve` for each key that differs, at most `concurrency` in parallel. If a URL path can't
        contain the ID, the request contains the vid. The SDK reads the whole list again if the list has filters, if the
        resource has no `retrieve`, or if the SDK knows neither an ID nor a vid that a URL path can contain. Each call
        checks all differences again.

        Returns:
            A difference for each field that differs, and for each key that only your table or only the service has.

        Raises:
            InvalidArgumentError: You haven't called `compare` yet.
            ReconcileError: You called `compare` or `differences` before this iteration ended.
            SubscribekitError: A read failed. Call `differences` again.
        """
        return self._differences(self._core.begin())

    def _differences(self, turn: int) -> Iterator[Difference[M]]:
        with ThreadPoolExecutor(self._core.concurrency, "subscribekit-reconcile") as threads:
            for candidates in self._core.retrievable():
                reads = [threads.submit(copy_context().run, self._retrieve, each) for each in candidates]
                yield from self._core.classify(turn, candidates, [each.result() for each in reads])
        if self._core.needs_list:
            for page in self._pager(self._core.listing).pages():
                yield from self._core.classify_page(turn, page)
        yield from self._core.end(turn)

    def _retrieve(self, candidate: Candidate) -> M | None:
        try:
            return self._core.retrieve(candidate)
        except NotFoundError as error:
            self._core.check_absent(error)
            return None

    def _pager(self, listing: Listing[M]) -> Pager[M]:
        return Pager(self._core.driver, listing, self._core.name)

    def counts(self) -> Counts:
        """Return the number of keys of each kind. After you iterate over all `differences`, the numbers are final.

        Raises:
            InvalidArgumentError: You haven't called `compare` yet.
        """
        return self._core.counts()

    def report(self, path: str | os.PathLike[str], *, include_personal: bool = False) -> int:
        """Write the differences to a CSV file with mode 0600.

        `report` calls `differences` first, unless you have already iterated over all differences.

        If a spreadsheet would treat a text as a formula, the report contains an apostrophe before the text.

        Args:
            path: The path of the report. If the file exists, the report replaces the file.
            include_personal: Whether to include the values that models mask.

        Returns:
            The number of differences in the report.

        Raises:
            ReconcileError: The report can't be written.
            SubscribekitError: A request of `differences` failed.
        """
        if not self._core.is_final:
            for _ in self.differences():
                pass
        return write_report(path, self._core.found(), include_personal=include_personal)

    def reset(self) -> None:
        """Empty the file, so that the next `read` starts from the beginning.

        Raises:
            ReconcileError: The file can't be written.
        """
        self._core.store.reset()
