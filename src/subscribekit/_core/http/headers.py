"""The headers of a response, as a read-only mapping with case-insensitive names."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Self


class Headers(Mapping[str, str]):
    """The headers of a response by lowercase name.

    The SDK leaves out `Set-Cookie`, because this header may contain a session.
    """

    __slots__ = ("by_name",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.by_name: dict[str, str] = {}
        """The values by lowercase names. The SDK's own code uses this dictionary directly, because that's faster."""
        for name, value in pairs:
            lower = name.lower()
            if lower != "set-cookie":
                self.by_name[lower] = f"{self.by_name[lower]}, {value}" if lower in self.by_name else value

    @classmethod
    def decoded(cls, pairs: Iterable[tuple[bytes, bytes]]) -> Self:
        """Decode the headers of a response as Latin-1, which accepts any byte."""
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
