"""The four credential schemes, each bound to one origin.

A credential is put on a request at the last moment, by `signed`, after the request's origin was compared (H23). The
objects show nothing of it: no repr, no pickle, no copy (H30).
"""

import base64
import inspect
import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, TypeVar, cast

from ..._sealed import Sealed, SealedHeader, SealedHeaders, Secret
from ...errors import ConfigurationError, InvalidArgumentError
from .wire_names import WIRE_NAME

__tracebackhide__ = True  # pytest shows the line of the caller instead

Provider: TypeAlias = Secret | Callable[[], str] | Callable[[], Awaitable[str]]
CredentialSource: TypeAlias = str | Provider
T = TypeVar("T")
RawHeader: TypeAlias = tuple[bytes, bytes]
Scheme: TypeAlias = Literal["basic", "api_key", "session", "bearer", "none"]

_HEADER: dict[Scheme, str] = {
    "basic": "Authorization",
    "api_key": "X-API-KEY",
    "session": "Cookie",
    "bearer": "Authorization",
}
_MAX_CREDENTIAL = 8192


def sealed(value: str | None) -> Secret | None:
    """Wrap a credential before anything else is done, so that no frame of an error shows it (H31)."""
    return None if value is None else Secret(value)


def sealed_provider(value: CredentialSource | None) -> Provider | None:
    """Wrap a credential that may also be a callable."""
    return value if value is None or callable(value) else sealed(value) if not isinstance(value, Secret) else value


class _Given(Sealed[object]):
    """What a callable gave as a credential."""

    __slots__ = ()


def _text_of(given: Sealed[T]) -> Secret | None:
    """Return what was given as a credential if it is text."""
    return Secret.of(cast("Callable[[], str]", given.reveal)) if isinstance(given.reveal(), str) else None


def _problem(secret: Secret, *, ascii_only: bool = True) -> str | None:
    """Say what is wrong with a credential (H28), without the value."""
    if not 1 <= len(secret.reveal()) <= _MAX_CREDENTIAL:
        return f"must not be empty or longer than {_MAX_CREDENTIAL} characters"
    if secret.reveal().rstrip("\r\n").isprintable() and secret.reveal().endswith("\n"):
        return "must not end with a line break: write the value alone, or .strip() what was read from a file"
    if not secret.reveal().isprintable() or secret.reveal() != secret.reveal().strip():
        return "must be printable, without spaces at its ends"
    return "must be ASCII" if ascii_only and not secret.reveal().isascii() else None


_COOKIE = re.compile(rf"({WIRE_NAME})=([!#-+\--:<-\[\]-~]*)")


@dataclass(slots=True, eq=False, repr=False)
class Credential:
    """One credential of one origin.

    Attributes:
        scheme: How it is sent; `none` for a client without one.
        origin: The only origin that it goes to.
        provider: Its value, or a callable that gives it.
        name: The argument or variable that it came from, for errors.
        user: The user of group A, which stays when the key changes; `None` for the other groups.
        cookie: The name of a session's cookie.
        remedy: The fix if a call needs a credential and this is none.
        further: Further cookies of a session's header.
        fixed: The value that never changes; `None` when a callable gives it, so that a 401 may be met with a new one.
    """

    scheme: Scheme
    origin: str
    provider: Provider
    name: str = ""
    user: Secret | None = None
    cookie: str = ""
    remedy: str = ""
    further: tuple[tuple[str, Secret], ...] = ()
    fixed: Secret | None = field(init=False)
    _header: SealedHeader | None = field(init=False, default=None)
    _prefix: str = field(init=False)

    def __post_init__(self) -> None:
        self.fixed = self.provider if isinstance(self.provider, Secret) else None
        self._prefix = {"basic": "Basic ", "bearer": "Bearer ", "session": f"{self.cookie}="}.get(self.scheme, "")
        if self.fixed is None and not callable(self.provider):
            raise ConfigurationError(f"{self.name} must be text, or a callable that gives it")
        if self.fixed is not None and self.scheme != "none":
            self._checked(self.fixed)

    def __repr__(self) -> str:
        return f"<{self.scheme} credential of {self.origin}>"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")

    def obtain(self) -> Secret:
        """Get the present value, from the callable if there is one."""
        if isinstance(self.provider, Secret):
            return self.provider
        given = _Given.of(self.provider)
        if inspect.isawaitable(given.reveal()):
            if inspect.iscoroutine(given.reveal()):
                cast("Coroutine[object, object, object]", given.reveal()).close()
            raise ConfigurationError(f"{self.name} gives an awaitable, which only the async client can use")
        return self._checked(given)

    async def obtain_async(self) -> Secret:
        """Get the present value, from the callable or coroutine function if there is one."""
        if isinstance(self.provider, Secret):
            return self.provider
        given = _Given.of(self.provider)
        if inspect.isawaitable(given.reveal()):
            given = await _Given.awaited(cast("Awaitable[object]", given.reveal()))
        return self._checked(given)

    def signed(self, headers: list[RawHeader], origin: str, secret: Secret) -> SealedHeaders:
        """Return the headers of a request to `origin` with the one that carries the credential.

        Raises:
            ConfigurationError: The request goes to another origin than the credential's own.
        """
        if self.scheme == "none":
            return SealedHeaders(headers)
        if origin != self.origin:
            raise ConfigurationError("a credential was about to be sent to another origin; the request was not made")
        if secret is not self.fixed:
            written = self._written(secret)
        else:  # written once, as every request asks for it
            written = self._header = self._header or self._written(secret)
        return SealedHeaders.of(lambda: [*headers, written.reveal()])

    def beside(self, cookies: str | None) -> "Credential":
        """Give a session that is sent with further cookies in its header, or the same with none.

        Args:
            cookies: `name=value`, several of them parted by `; `.

        Raises:
            InvalidArgumentError: Not cookies, one name twice, or the name of the session.
        """
        if cookies is None and not self.further:
            return self
        found: list[tuple[str, Secret]] = []
        taken = {self.cookie.casefold(), "jsessionid"}
        for each in () if cookies is None else cookies.split("; "):
            match = _COOKIE.fullmatch(each)
            if match is None:
                raise InvalidArgumentError("the header Cookie must be name=value; several are parted by '; '")
            if match[1].casefold() in taken:
                raise InvalidArgumentError("the header Cookie must not hold the session, nor one name twice")
            taken.add(match[1].casefold())
            found.append((match[1], Secret(match[2])))
        return replace(self, further=tuple(found))

    def redacted(self) -> tuple[str, str] | None:
        """Return the header with its value masked, for prepared requests."""
        if self.scheme == "none":
            return None
        return _HEADER[self.scheme], self._prefix + "***" + "".join(f"; {name}=***" for name, _ in self.further)

    def _written(self, secret: Secret) -> SealedHeader:
        return SealedHeader.of(lambda: (_HEADER[self.scheme].encode("ascii"), self._text(secret).encode("ascii")))

    def _text(self, secret: Secret) -> str:
        if self.scheme == "basic":
            user = self.user or Secret("")
            return self._prefix + base64.b64encode(f"{user.reveal()}:{secret.reveal()}".encode()).decode()
        return self._prefix + secret.reveal() + "".join(f"; {name}={cookie.reveal()}" for name, cookie in self.further)

    def _checked(self, given: Sealed[T]) -> Secret:
        secret = _text_of(given)
        if secret is None:
            raise ConfigurationError(f"{self.name} must be text")
        problem = _problem(secret, ascii_only=self.scheme != "basic") or self._problem_in_scheme(secret)
        if problem is not None:
            raise ConfigurationError(f"{self.name} {problem}")
        return secret

    def _problem_in_scheme(self, secret: Secret) -> str | None:
        what, name = {"session": ("value", "JSESSIONID="), "bearer": ("token", "Bearer ")}.get(self.scheme, ("", ""))
        if what and secret.reveal().upper().startswith(name.upper()):
            return f"must be the {what} alone, without '{name.strip()}' before it"
        if self.scheme == "session" and set(secret.reveal()) & set(' ",;\\'):
            return "must not contain what ends a cookie (space, comma, semicolon, ...)"
        return "must not contain a space" if self.scheme == "bearer" and " " in secret.reveal() else None


def basic(origin: str, user: Secret, key: Provider, names: tuple[str, str] = ("api_user", "api_key")) -> Credential:
    """HTTP Basic of group A, as UTF-8; a user with a colon cannot be distinguished from its key (RFC 7617).

    `names` are those of the two in errors: the arguments, or where they came from.
    """
    given = _text_of(user)
    problem = "must be text" if given is None else _problem(given, ascii_only=False)
    if problem is None and ":" in user.reveal():
        problem = "must not contain a colon"
    if problem is not None:
        raise ConfigurationError(f"{names[0]} {problem}")
    return Credential("basic", origin, key, names[1], user=user)
