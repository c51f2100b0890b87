"""The credentials of the four services, each bound to one origin.

`signed` adds a credential to a request just before the request is sent, and only if the request has the same origin
(H23). The repr of a `Credential` doesn't contain the credential's value, and a `Credential` can't be pickled or copied
(H30).
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

__tracebackhide__ = True

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
    """Wrap a credential.

    Clients call this function first, so that no traceback shows the credential in a frame (H31).
    """
    return None if value is None else Secret(value)


def sealed_provider(value: CredentialSource | None) -> Provider | None:
    """Wrap a credential that is a string, or return a callable unchanged."""
    return value if value is None or callable(value) else sealed(value) if not isinstance(value, Secret) else value


class _ProvidedValue(Sealed[object]):
    """The value that a callable returned as a credential."""

    __slots__ = ()


def _text_of(value: Sealed[T]) -> Secret | None:
    """Return the value as a credential, or `None` if it isn't a string."""
    return Secret.of(cast("Callable[[], str]", value.reveal)) if isinstance(value.reveal(), str) else None


def _problem(secret: Secret, *, ascii_only: bool = True) -> str | None:
    """Return the end of the error message for an invalid credential, without the credential's value (H28)."""
    if not 1 <= len(secret.reveal()) <= _MAX_CREDENTIAL:
        return f"must not be empty or longer than {_MAX_CREDENTIAL} characters"
    if secret.reveal().rstrip("\r\n").isprintable() and secret.reveal().endswith("\n"):
        return "must not end with a line break; if you read it from a file, call .strip()"
    if not secret.reveal().isprintable() or secret.reveal() != secret.reveal().strip():
        return "must be printable, and must not start or end with a space"
    return "must be ASCII" if ascii_only and not secret.reveal().isascii() else None


_COOKIE = re.compile(rf"({WIRE_NAME})=([!#-+\--:<-\[\]-~]*)")


@dataclass(slots=True, eq=False, repr=False)
class Credential:
    """A credential that the SDK sends only to one origin.

    Attributes:
        scheme: The form in which the credential is sent; `none` for a client without a credential.
        origin: The only origin that receives the credential.
        provider: The credential's value, or a callable that returns the value.
        name: The name of the argument or variable that contained the credential, for errors.
        user: The user name for the billing API, which stays the same if the API key changes; `None` for the other
            services.
        cookie: The name of the session cookie.
        remedy: The advice in the error message if a call needs a credential and the client has none.
        further: Other cookies to send in the `Cookie` header, besides the session cookie.
        fixed: The credential's value; `None` if a callable returns the value, which can change after a 401.
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
            raise ConfigurationError(f"{self.name} must be a str, or a callable that returns a str")
        if self.fixed is not None and self.scheme != "none":
            self._checked(self.fixed)

    def __repr__(self) -> str:
        return f"<{self.scheme} credential of {self.origin}>"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential can't be pickled or copied; create the client in the process that uses it")

    def obtain(self) -> Secret:
        """Return the credential's current value, which `provider` returns if it's a callable."""
        if isinstance(self.provider, Secret):
            return self.provider
        value = _ProvidedValue.of(self.provider)
        if inspect.isawaitable(value.reveal()):
            if inspect.iscoroutine(value.reveal()):
                cast("Coroutine[object, object, object]", value.reveal()).close()
            raise ConfigurationError(f"{self.name} returned an awaitable; use the async client, or return a str")
        return self._checked(value)

    async def obtain_async(self) -> Secret:
        """Return the credential's current value, which `provider` returns if it's a callable."""
        if isinstance(self.provider, Secret):
            return self.provider
        value = _ProvidedValue.of(self.provider)
        if inspect.isawaitable(value.reveal()):
            value = await _ProvidedValue.awaited(cast("Awaitable[object]", value.reveal()))
        return self._checked(value)

    def signed(self, headers: list[RawHeader], origin: str, secret: Secret) -> SealedHeaders:
        """Return the headers of a request to `origin`, with the header that contains the credential.

        Raises:
            ConfigurationError: The credential and the request have different origins.
        """
        if self.scheme == "none":
            return SealedHeaders(headers)
        if origin != self.origin:
            raise ConfigurationError(
                "the credential and the request have different origins; nothing was sent. Create a client for the base "
                "URL of the request"
            )
        if secret is not self.fixed:
            header = self._build_header(secret)
        else:  # the header of a fixed credential is built only once, because every request needs it
            header = self._header = self._header or self._build_header(secret)
        return SealedHeaders.of(lambda: [*headers, header.reveal()])

    def with_cookies(self, cookies: str | None) -> "Credential":
        """Return a copy of a session credential that sends the session cookie and the cookies in `cookies`.

        Args:
            cookies: A cookie as `name=value`, or several cookies separated by `; `; `None` for only the session cookie.

        Raises:
            InvalidArgumentError: The cookies contain a malformed pair, a repeated name, or the name of the session
                cookie.
        """
        if cookies is None and not self.further:
            return self
        found: list[tuple[str, Secret]] = []
        used_names = {self.cookie.casefold(), "jsessionid"}
        for each in () if cookies is None else cookies.split("; "):
            match = _COOKIE.fullmatch(each)
            if match is None:
                raise InvalidArgumentError(
                    "the Cookie header must be name=value, or several such pairs separated by '; '"
                )
            if match[1].casefold() in used_names:
                raise InvalidArgumentError(
                    "the Cookie header must contain neither the session cookie nor two cookies with the same name"
                )
            used_names.add(match[1].casefold())
            found.append((match[1], Secret(match[2])))
        return replace(self, further=tuple(found))

    def redacted(self) -> tuple[str, str] | None:
        """Return the header with its value masked, for prepared requests."""
        if self.scheme == "none":
            return None
        return _HEADER[self.scheme], self._prefix + "***" + "".join(f"; {name}=***" for name, _ in self.further)

    def _build_header(self, secret: Secret) -> SealedHeader:
        return SealedHeader.of(lambda: (_HEADER[self.scheme].encode("ascii"), self._text(secret).encode("ascii")))

    def _text(self, secret: Secret) -> str:
        if self.scheme == "basic":
            user = self.user or Secret("")
            return self._prefix + base64.b64encode(f"{user.reveal()}:{secret.reveal()}".encode()).decode()
        return self._prefix + secret.reveal() + "".join(f"; {name}={cookie.reveal()}" for name, cookie in self.further)

    def _checked(self, value: Sealed[T]) -> Secret:
        secret = _text_of(value)
        if secret is None:
            raise ConfigurationError(f"{self.name} must be a str")
        problem = _problem(secret, ascii_only=self.scheme != "basic") or self._problem_in_scheme(secret)
        if problem is not None:
            raise ConfigurationError(f"{self.name} {problem}")
        return secret

    def _problem_in_scheme(self, secret: Secret) -> str | None:
        noun, prefix = {"session": ("value", "JSESSIONID="), "bearer": ("token", "Bearer ")}.get(self.scheme, ("", ""))
        if noun and secret.reveal().upper().startswith(prefix.upper()):
            return f"must be only the {noun}; remove '{prefix.strip()}' at its start"
        if self.scheme == "session" and set(secret.reveal()) & set(' ",;\\'):
            return "must not contain spaces, double quotes, commas, semicolons, or backslashes"
        return "must not contain a space" if self.scheme == "bearer" and " " in secret.reveal() else None


def basic(origin: str, user: Secret, key: Provider, names: tuple[str, str] = ("api_user", "api_key")) -> Credential:
    """Return the credential of the billing API, which is HTTP Basic, encoded as UTF-8.

    The user name can't contain a colon, because a colon separates it from the key (RFC 7617). `names` are the names of
    the two arguments or variables, for errors.
    """
    text = _text_of(user)
    problem = "must be a str" if text is None else _problem(text, ascii_only=False)
    if problem is None and ":" in user.reveal():
        problem = "must not contain a colon"
    if problem is not None:
        raise ConfigurationError(f"{names[0]} {problem}")
    return Credential("basic", origin, key, names[1], user=user)
