"""Credentials as values that nothing shows."""

import hashlib

from ..._sealed import Sealed


class Secret(Sealed[str]):
    """A credential."""

    __slots__ = ()

    def digest(self, salt: bytes) -> str:
        """Return a digest that recognizes the value; each guess at the value costs some milliseconds."""
        return hashlib.pbkdf2_hmac("sha256", self._value.encode(), salt, 20_000, 16).hex()

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")


def secret_of(value: str | Secret | None) -> Secret | None:
    return Secret(value) if isinstance(value, str) else value
