"""Opaque objects for credentials and bodies.

Tools that record the local variables of a traceback write the contents of texts, bytes, lists, and mappings, and the
`repr` of anything else. So these classes are none of those. Their content is revealed in the expression that passes it
to a socket or to a library, and no variable holds it.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import ClassVar, Generic, Self, TypeVar, cast

T = TypeVar("T")


class Sealed(Generic[T]):
    """A value that no repr, log, copy, or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    @classmethod
    def of(cls, make: Callable[[], T]) -> Self:
        """Keep what a function returns, without a variable that holds it meanwhile."""
        made = cls.__new__(cls)
        made._value = make()  # noqa: SLF001  of this class
        return made

    @classmethod
    async def awaited(cls, value: Awaitable[T]) -> Self:
        """Keep the result of an awaitable in the same way."""
        made = cls.__new__(cls)
        made._value = await value  # noqa: SLF001  of this class
        return made

    def reveal(self) -> T:
        """Return the value; use it in the same expression."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and cast("Sealed[object]", other).reveal() == self._value

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a hash could be compared with guesses

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a sealed value cannot be pickled or copied")


class Secret(Sealed[str]):
    """A credential."""

    __slots__ = ()

    def digest(self, salt: bytes) -> str:
        """Return a digest that recognizes the value; each guess at the value costs some milliseconds."""
        return hashlib.pbkdf2_hmac("sha256", self._value.encode(), salt, 20_000, 16).hex()

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")


class SealedHeader(Sealed[tuple[bytes, bytes]]):
    """A header with its value."""

    __slots__ = ()


class SealedHeaders(Sealed[list[tuple[bytes, bytes]]]):
    """The headers of a request, the credential's among them."""

    __slots__ = ()


class Content(Sealed[bytes]):
    """A body, or other bytes of a request or of a response that may hold a body or a credential."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self._value)

    def part(self, start: int, stop: int | None = None) -> "Content":
        """Return the bytes from one position to another."""
        if not start and (stop is None or stop >= len(self._value)):
            return self
        return Content.of(lambda: self._value[start:stop])


NOTHING = Content(b"")


def revealed(content: Content | None) -> bytes | None:
    """Return a body for code that stores it or shows it; `None` is no body."""
    return None if content is None else content.reveal()


def content_of(value: bytes | None) -> Content | None:
    """Seal a body; `None` is no body."""
    return None if value is None else Content(value)


def secret_of(value: str | Secret | None) -> Secret | None:
    """Seal a credential that is given as text."""
    return Secret(value) if isinstance(value, str) else value
