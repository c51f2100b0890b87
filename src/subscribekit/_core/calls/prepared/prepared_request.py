"""The result of `client.prepare`: a request that you can inspect, store, and send."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ...._public import publish
from .prepared_call import PreparedCall, Visible

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class PreparedRequest(Generic[T_co]):
    """The exact request that a call would send, before it's sent.

    `client.send(request)` sends the request unchanged and returns the result of the call. You can pickle the request
    and send it in another process, with a client for the same service, base URL, and environment. If another version
    of the SDK can't read the pickle, unpickling raises `InvalidArgumentError`. The request contains no credential, but
    the body and the URL may contain personal data.

    Attributes:
        operation: The SDK's name of the operation, such as `accounts.create`.
        method: HTTP method.
        url: The full URL, including the query.
        headers: The headers in order. The credential is masked, and each attempt is sent with a new span ID.
        body: The exact body, or `None`.
        path_template: Path of the operation, without identifiers.
    """

    operation: str
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    path_template: str
    _prepared: PreparedCall[T_co] | None = field(default=None, repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        from .pickled import pickled  # this module is imported here, because few processes pickle requests

        visible = Visible(self.operation, self.method, self.url, self.headers, self.body, self.path_template)
        return PreparedRequest._of_pickle, pickled(visible, self._prepared)

    @staticmethod
    def _of_pickle(name: str, version: str, form: int, *parts: object) -> "PreparedRequest[object]":
        """Return a prepared request from the content of a pickle. Pickles contain the public name of this function."""
        from .pickled import unpickled

        visible, prepared = unpickled(name, version, form, *parts)
        return PreparedRequest(*visible, _prepared=prepared)

    def __str__(self) -> str:
        return (
            f"{self.operation}: {self.method} {self.path_template} ({self._size()}; headers {', '.join(self.headers)})"
        )

    def _size(self) -> str:
        return "no body" if self.body is None else f"{len(self.body)} bytes"

    def _repr_html_(self) -> str:
        from ....models._html import table  # `_html` is imported here, because only notebooks need it

        rows = {"method": self.method, "path_template": self.path_template, "body": self._size()}
        names = ", ".join(self.headers)
        return table(f"PreparedRequest {self.operation}", [*rows.items(), ("headers", names)])


# Do not change the public name of `_of_pickle`, because pickles contain that name.
publish("subscribekit", PreparedRequest, PreparedRequest._of_pickle)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
