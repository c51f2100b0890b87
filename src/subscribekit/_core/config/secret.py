"""Credentials as values that nothing shows."""

from typing import ClassVar


class Secret:
    """A credential that no repr, log, copy or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Give the text; only the code that sets the header calls this."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a hash could be compared with guesses

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")


def secret_of(value: str | Secret | None) -> Secret | None:
    return Secret(value) if isinstance(value, str) else value
