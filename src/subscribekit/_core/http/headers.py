"""Headers of a response: a read-only mapping whose names ignore case."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Self


class Headers(Mapping[str, str]):
    """Names in lower case; `Set-Cookie` is left out, since it may carry a session."""

    __slots__ = ("by_name",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.by_name: dict[str, str] = {}
        """Values by names in lower case, for the engine: a lookup without a detour."""
        for name, value in pairs:
            lower = name.lower()
            if lower != "set-cookie":
                self.by_name[lower] = f"{self.by_name[lower]}, {value}" if lower in self.by_name else value

    @classmethod
    def decoded(cls, pairs: Iterable[tuple[bytes, bytes]]) -> Self:
        """Decode the headers of a response; any byte is a character of Latin-1."""
        headers = cls.__new__(cls)
        items = headers.by_name = {}
        for raw_name, raw_value in pairs:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name != "set-cookie":
                items[name] = f"{items[name]}, {value}" if name in items else value
        return headers

    def __getitem__(self, name: str) -> str:
        return self.by_name[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)

    def __repr__(self) -> str:
        return f"Headers({', '.join(self.by_name)})"
