"""Opaque objects for credentials and bodies.

Tools that record the local variables of a traceback store the contents of strings, bytes, lists, and mappings, but only
the `repr` of other objects. Therefore, the SDK keeps credentials and bodies in instances of the classes in this module,
whose `repr` is `***`. Call `reveal` only in the expression that passes the value to a socket or a library, so that no
variable contains the value.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import ClassVar, Generic, Self, TypeVar, cast

T = TypeVar("T")


class Sealed(Generic[T]):
    """A value that can't be copied or pickled, and whose `repr` is `***`."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    @classmethod
    def of(cls, make: Callable[[], T]) -> Self:
        """Return an instance that contains the result of a function, without storing the result in a variable."""
        made = cls.__new__(cls)
        made._value = make()  # noqa: SLF001  the object is an instance of this class
        return made

    @classmethod
    async def awaited(cls, value: Awaitable[T]) -> Self:
        """Return an instance that contains an awaited value, without storing the value in a variable."""
        made = cls.__new__(cls)
        made._value = await value  # noqa: SLF001  the object has this class
        return made

    def reveal(self) -> T:
        """Return the value, which the caller must use in the same expression and not assign to a variable."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and cast("Sealed[object]", other).reveal() == self._value

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # someone could compare a hash with guesses

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a sealed value can't be pickled or copied")


class Secret(Sealed[str]):
    """A credential."""

    __slots__ = ()

    def digest(self, salt: bytes) -> str:
        """Return a digest that identifies the credential.

        The digest is slow to compute, so that nobody can find the credential by trying possible values.
        """
        return hashlib.pbkdf2_hmac("sha256", self._value.encode(), salt, 20_000, 16).hex()

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential can't be pickled or copied; create the client in the process that uses it")


class SealedHeader(Sealed[tuple[bytes, bytes]]):
    """The name and the value of a header."""

    __slots__ = ()


class SealedHeaders(Sealed[list[tuple[bytes, bytes]]]):
    """The headers of a request, including the header with the credential."""

    __slots__ = ()


class Content(Sealed[bytes]):
    """Bytes of a request or a response that may contain a body or a credential."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self._value)

    def part(self, start: int, stop: int | None = None) -> "Content":
        """Return the bytes from `start` up to, but not including, `stop`."""
        if not start and (stop is None or stop >= len(self._value)):
            return self
        return Content.of(lambda: self._value[start:stop])


NOTHING = Content(b"")


def revealed(content: Content | None) -> bytes | None:
    """Return a body as bytes, for code that stores or shows the body, or return `None` if there's no body."""
    return None if content is None else content.reveal()


def content_of(value: bytes | None) -> Content | None:
    """Return a body as `Content`, or return `None` if there's no body."""
    return None if value is None else Content(value)


def secret_of(value: str | Secret | None) -> Secret | None:
    """Return a credential as a `Secret` if it's a string, and return any other value unchanged."""
    return Secret(value) if isinstance(value, str) else value
