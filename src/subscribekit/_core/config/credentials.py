"""The four credential schemes, each bound to one origin.

A credential is put on a request at the last moment, by `header`, after the request's origin was compared (H23). The
objects show nothing of it: no repr, no pickle, no copy (H30).
"""

import base64
import inspect
import re
from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

from ...errors import ConfigurationError, RequestError
from .secret import Secret

__tracebackhide__ = True  # pytest shows the line of the caller instead

CredentialSource: TypeAlias = str | Secret | Callable[[], str] | Callable[[], Awaitable[str]]
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


def sealed_provider(value: CredentialSource | None) -> CredentialSource | None:
    """Wrap a credential that may also be a callable."""
    return value if value is None or callable(value) else sealed(value) if not isinstance(value, Secret) else value


def _problem(value: object, *, ascii_only: bool = True) -> str | None:
    """Say what is wrong with a credential (H28), without the value."""
    if not isinstance(value, str):
        return "must be text"
    if not 1 <= len(value) <= _MAX_CREDENTIAL:
        return f"must not be empty or longer than {_MAX_CREDENTIAL} characters"
    if value.rstrip("\r\n").isprintable() and value.endswith("\n"):
        return "must not end with a line break: write the value alone, or .strip() what was read from a file"
    if not value.isprintable() or value != value.strip():
        return "must be printable, without spaces at its ends"
    return "must be ASCII" if ascii_only and not value.isascii() else None


_COOKIE = re.compile(r"([A-Za-z0-9!#$%&'*+.^_`|~-]+)=([!#-+\--:<-\[\]-~]*)")


class Credential:
    """One credential of one origin.

    Attributes:
        scheme: How it is sent; `none` for a client without one.
        origin: The only origin that it goes to.
        fixed: The value that never changes; `None` when a callable gives it, so that a 401 may be met with a new one.
        remedy: The fix if a call needs a credential and this is none.
        user: The user of group A, which stays when the key changes; `None` for the other groups.
    """

    __slots__ = (
        "_beside",
        "_cookie",
        "_field",
        "_header",
        "_prefix",
        "_provider",
        "fixed",
        "origin",
        "remedy",
        "scheme",
        "user",
    )

    def __init__(
        self,
        scheme: Scheme,
        origin: str,
        provider: CredentialSource = "",
        *,
        field: str = "",
        user: Secret | None = None,
        cookie: str = "",
        remedy: str = "",
    ) -> None:
        self.scheme: Scheme = scheme
        self.remedy: str = remedy
        self.origin: str = origin
        self._provider = Secret(provider) if isinstance(provider, str) else provider
        self.fixed: Secret | None = self._provider if isinstance(self._provider, Secret) else None
        self._header: Secret | None = None
        self._field, self._cookie = field, cookie
        self._prefix = {"basic": "Basic ", "bearer": "Bearer ", "session": f"{cookie}="}.get(scheme, "")
        self.user: Secret | None = user
        self._beside: tuple[tuple[str, Secret], ...] = ()
        if isinstance(self._provider, Secret) and scheme != "none":
            self._check(self._provider)
        elif not isinstance(self._provider, Secret) and not callable(self._provider):
            raise ConfigurationError(f"{field} must be text, or a callable that gives it")

    def __repr__(self) -> str:
        return f"<{self.scheme} credential of {self.origin}>"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a credential cannot be pickled or copied; make the client where it is used")

    def obtain(self) -> Secret:
        """Get the present value, from the callable if there is one."""
        if isinstance(self._provider, Secret):
            return self._provider
        value = self._provider()
        if inspect.isawaitable(value):
            if inspect.iscoroutine(value):
                value.close()
            raise ConfigurationError(f"{self._field} gives an awaitable, which only the async client can use")
        return self._check(Secret(value))

    async def obtain_async(self) -> Secret:
        """Get the present value, from the callable or coroutine function if there is one."""
        if isinstance(self._provider, Secret):
            return self._provider
        value = self._provider()
        return self._check(Secret(await value if inspect.isawaitable(value) else value))

    def header(self, origin: str, value: Secret) -> tuple[bytes, bytes] | None:
        """Give the header that carries a value, for a request to `origin`.

        Raises:
            ConfigurationError: The request goes to another origin than the credential's own.
        """
        if self.scheme == "none":
            return None
        if origin != self.origin:
            raise ConfigurationError("a credential was about to be sent to another origin; the request was not made")
        if value is not self.fixed:
            return _HEADER[self.scheme].encode("ascii"), self._text(value.reveal()).encode("ascii")
        if self._header is None:  # written once, as every request asks for it
            self._header = Secret(self._text(value.reveal()))
        return _HEADER[self.scheme].encode("ascii"), self._header.reveal().encode("ascii")

    def beside(self, cookies: str | None) -> "Credential":
        """Give a session that is sent with further cookies in its header, or the same with none.

        Args:
            cookies: `name=value`, several of them parted by `; `.

        Raises:
            RequestError: Not cookies, one name twice, or the name of the session.
        """
        if cookies is None and not self._beside:
            return self
        found: list[tuple[str, Secret]] = []
        taken = {self._cookie.casefold(), "jsessionid"}
        for each in () if cookies is None else cookies.split("; "):
            match = _COOKIE.fullmatch(each)
            if match is None:
                raise RequestError("the header Cookie must be name=value; several are parted by '; '")
            if match[1].casefold() in taken:
                raise RequestError("the header Cookie must not hold the session, nor one name twice")
            taken.add(match[1].casefold())
            found.append((match[1], Secret(match[2])))
        copy = Credential(
            self.scheme,
            self.origin,
            self._provider,
            field=self._field,
            user=self.user,
            cookie=self._cookie,
            remedy=self.remedy,
        )
        copy._beside = tuple(found)
        return copy

    def redacted(self) -> tuple[str, str] | None:
        """Give the header with its value masked, for plans."""
        if self.scheme == "none":
            return None
        return _HEADER[self.scheme], self._prefix + "***" + "".join(f"; {name}=***" for name, _ in self._beside)

    def _text(self, value: str) -> str:
        if self.scheme == "basic":
            user = self.user.reveal() if self.user else ""
            value = base64.b64encode(f"{user}:{value}".encode()).decode()
        return self._prefix + value + "".join(f"; {name}={cookie.reveal()}" for name, cookie in self._beside)

    def _check(self, secret: Secret) -> Secret:
        problem = _problem(secret.reveal(), ascii_only=self.scheme != "basic") or self._problem_in_scheme(
            secret.reveal()
        )
        if problem is not None:
            raise ConfigurationError(f"{self._field} {problem}")
        return secret

    def _problem_in_scheme(self, value: str) -> str | None:
        what, name = {"session": ("value", "JSESSIONID="), "bearer": ("token", "Bearer ")}.get(self.scheme, ("", ""))
        if what and value.upper().startswith(name.upper()):
            return f"must be the {what} alone, without '{name.strip()}' before it"
        if self.scheme == "session" and set(value) & set(' ",;\\'):
            return "must not contain what ends a cookie (space, comma, semicolon, ...)"
        return "must not contain a space" if self.scheme == "bearer" and " " in value else None


def basic(
    origin: str, user: Secret, key: CredentialSource, names: tuple[str, str] = ("api_user", "api_key")
) -> Credential:
    """HTTP Basic of group A, as UTF-8; a user with a colon cannot be distinguished from its key (RFC 7617).

    `names` are those of the two in errors: the arguments, or where they came from.
    """
    problem = _problem(user.reveal(), ascii_only=False)
    if problem is None and ":" in user.reveal():
        problem = "must not contain a colon"
    if problem is not None:
        raise ConfigurationError(f"{names[0]} {problem}")
    return Credential("basic", origin, key, field=names[1], user=user)
