"""Credentials as values that nothing shows."""

import hashlib
from typing import ClassVar


class Secret:
    """A credential that no repr, log, copy or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Give the text; only the code that sets the header calls this."""
        return self._value

    def digest(self, salt: bytes) -> str:
        """Return a digest that recognizes the value; each guess at the value costs some milliseconds."""
        return hashlib.pbkdf2_hmac("sha256", self._value.encode(), salt, 20_000, 16).hex()

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a hash could be compared with guesses

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")


def secret_of(value: str | Secret | None) -> Secret | None:
    return Secret(value) if isinstance(value, str) else value
