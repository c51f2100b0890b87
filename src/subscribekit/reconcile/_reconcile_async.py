"""The comparison in an event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterable, AsyncIterator, Awaitable
from types import TracebackType
from typing import Generic, Self, TypeVar

from .._core.calls.driver_async import AsyncDriver
from .._core.calls.driving import gathered
from .._core.lists.listing import Listing
from .._core.lists.pager_async import AsyncPager
from .._generated.aio.billing.resources import AsyncBillingResources
from ..errors import InvalidArgumentError, NotFoundError
from ..models._base import Model
from ._core import Candidate, Core
from ._difference import Counts, Difference
from ._fields import Fields
from ._progress import ListDisplay, Progress
from ._report import html_of, write_report
from ._rows import Row, Rows, batches_async

M = TypeVar("M", bound=Model)


class AsyncReconciliation(Generic[M]):
    """Compares a table of yours with a list of an async client, by reads only: `Reconciliation`, awaited.

    Args:
        path: The file of the comparison, made with mode 0600.
        pager: A whole list: `billing.subscriptions.list()`.
        key: The field that tells resources apart, and the column of the same name; compared as text.
        fields: From a path of the resource to a column; with a function of the service's value where the two differ:
            `{"status": ("state", to_our_state)}`. Each `compare` applies the function. A path through a list is
            compared as a set: `items[].product.id`.
        compare_scale: Whether amounts also differ by their scale, as 19.9 and 19.90 do.
        concurrency: How many resources `differences` looks at again at once, 1 to 64.

    Raises:
        InvalidArgumentError: No resource has such a path, or another argument is refused; nothing was sent.
        ReconcileError: The file is of another kind or another comparison, or is in use.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        pager: AsyncPager[M],
        *,
        key: str,
        fields: Fields,
        compare_scale: bool = False,
        concurrency: int = 8,
    ) -> None:
        if not isinstance(pager, AsyncPager):
            raise InvalidArgumentError(
                "a comparison takes a list of an async client; Reconciliation takes lists of a blocking one: "
                "billing.subscriptions.list()"
            )
        self._core: Core[M, AsyncDriver, Awaitable[M]] = Core(
            path,
            pager,
            key,
            fields,
            compare_scale=compare_scale,
            concurrency=concurrency,
            resources=AsyncBillingResources,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<AsyncReconciliation of {self._core.name} in {self._core.store.path.name}>"

    def _repr_html_(self) -> str:
        return html_of(self._core)

    async def aclose(self) -> None:
        """Close the file; the client stays open."""
        self._core.store.close()

    async def read(self, *, progress: Progress = False) -> None:
        """Read the service's list, from where an earlier reading stopped; a finished one is kept until `reset`.

        Args:
            progress: `True` for a line on standard error, or a callable that is given how many were read, and of how
                many (`None` when the service does not say).

        Raises:
            ReconcileError: A resource has no key, two have the same key or the same ID and different vids, or the file
                can't be written.
            SubscribekitError: A page could not be read; the next call goes on there.
        """
        shown = ListDisplay(progress)
        if self._core.is_read:
            return
        pager = self._pager(self._core.rest())
        async for page in pager.pages():
            self._core.keep(page, pager.checkpoint, shown)
        self._core.finish(shown)

    async def compare(self, rows: Rows | AsyncIterable[Row]) -> None:
        """Compare rows with the list; a further call replaces the comparison.

        Args:
            rows: Mappings in any order: `csv.DictReader`, rows of a database, batches of Arrow, or an async iterable.

        Raises:
            InvalidArgumentError: A key repeats or is missing, a column is missing, a value or the result of a function
                can't be compared (a float, a time without a time zone, a text for a boolean, NaT), or the list isn't
                read. The message names row and column. Nothing was sent, and the comparison before stays.
            ReconcileError: The file can't be written, or another call of this comparison hasn't ended.
        """
        with self._core.comparing() as add:
            async for batch in batches_async(rows):
                add(batch)
                await asyncio.sleep(0)

    def differences(self) -> AsyncIterator[Difference[M]]:
        """Look at each difference again and give those that are left, with the newest values.

        Sends one `retrieve` for each key that differs, `concurrency` at once, by the vid if no path can name the ID.
        Reads the whole list once more if it has no `retrieve` or has filters, or if no path can name a key. Each call
        looks anew.

        Returns:
            One difference for each field that differs, and for each key that only one side has.

        Raises:
            InvalidArgumentError: Nothing was compared.
            ReconcileError: `compare` or `differences` was called before this iteration ended.
            SubscribekitError: A read failed; call it again.
        """
        return self._differences(self._core.begin())

    async def _differences(self, turn: int) -> AsyncIterator[Difference[M]]:
        for candidates in self._core.retrievable():
            found = await gathered(map(self._retrieve, candidates))
            for difference in self._core.classify(turn, candidates, found):
                yield difference
        if self._core.needs_list:
            async for page in self._pager(self._core.listing).pages():
                for difference in self._core.classify_page(turn, page):
                    yield difference
        for difference in self._core.end(turn):
            yield difference

    async def _retrieve(self, candidate: Candidate) -> M | None:
        try:
            return await self._core.retrieve(candidate)
        except NotFoundError as error:
            self._core.check_absent(error)
            return None

    def _pager(self, listing: Listing[M]) -> AsyncPager[M]:
        return AsyncPager(self._core.driver, listing, self._core.name)

    async def counts(self) -> Counts:
        """Count keys; final once all `differences` were read.

        Raises:
            InvalidArgumentError: Nothing was compared.
        """
        return self._core.counts()

    async def report(self, path: str | os.PathLike[str], *, include_personal: bool = False) -> int:
        """Write the differences as CSV, for you alone (mode 0600); they are looked at first unless they were before.

        Texts that a spreadsheet takes for a formula begin with an apostrophe.

        Args:
            path: Where to; a file that is there is replaced.
            include_personal: Also write what models mask.

        Returns:
            How many differences are in it.

        Raises:
            ReconcileError: The report cannot be written.
            SubscribekitError: As `differences`.
        """
        if not self._core.is_final:
            async for _ in self.differences():
                pass
        return write_report(path, self._core.found(), include_personal=include_personal)

    async def reset(self) -> None:
        """Empty the file, so that the next `read` begins anew.

        Raises:
            ReconcileError: The file cannot be written.
        """
        self._core.store.reset()
