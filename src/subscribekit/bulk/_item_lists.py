"""The items of a ledger while they are read: their number is not known, and is asked for otherwise."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from typing import TYPE_CHECKING, TypeVar

from ._values import State

T = TypeVar("T")


class _ItemList:
    """Items that are not read yet."""

    __slots__ = ("_state",)
    _counts = "run.counts()"

    def __init__(self, state: State | None) -> None:
        self._state = state

    if not TYPE_CHECKING:  # a type checker reports it itself

        def __len__(self):
            given = repr(self._state) if self._state else ""
            raise TypeError(
                f"run.items({given}) reads items as they are asked for and has no length: write "
                f"{self._counts}.{self._state or 'total'}"
            )


class Items(_ItemList, Iterator[T]):
    """The items of a `Run`."""

    __slots__ = ("_each",)

    def __init__(self, each: Generator[T, None, None], state: State | None) -> None:
        super().__init__(state)
        self._each = each

    def __next__(self) -> T:
        return next(self._each)

    def close(self) -> None:
        """Read no more."""
        self._each.close()


class AsyncItems(_ItemList, AsyncIterator[T]):
    """The items of an `AsyncRun`."""

    __slots__ = ("_each",)
    _counts = "(await run.counts())"

    def __init__(self, each: AsyncGenerator[T, None], state: State | None) -> None:
        super().__init__(state)
        self._each = each

    async def __anext__(self) -> T:
        return await anext(self._each)

    async def aclose(self) -> None:
        """Read no more."""
        await self._each.aclose()
