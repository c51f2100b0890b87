"""Headers of a response: a read-only mapping whose names ignore case."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Self


class Headers(Mapping[str, str]):
    """Names in lower case; `Set-Cookie` is left out, since it may carry a session."""

    __slots__ = ("_items",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._items: dict[str, str] = {}
        for name, value in pairs:
            lower = name.lower()
            if lower != "set-cookie":
                self._items[lower] = f"{self._items[lower]}, {value}" if lower in self._items else value

    @classmethod
    def decoded(cls, pairs: Iterable[tuple[bytes, bytes]]) -> Self:
        """Decode the headers of a response; any byte is a character of Latin-1."""
        return cls((name.decode("latin-1"), value.decode("latin-1")) for name, value in pairs)

    def __getitem__(self, name: str) -> str:
        return self._items[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"Headers({', '.join(self._items)})"
