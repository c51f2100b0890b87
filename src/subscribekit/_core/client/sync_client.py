"""Base class of the sync clients."""

from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, TypeVar

from ..calls.driver import ConnectionState, Driver
from ..calls.prepared.prepared_request import PreparedRequest
from ..config.credentials import Credential
from ..config.target import Target
from ..http.backends import choice
from ..http.backends.httpx_transport import HttpxTransport
from ..http.given import HttpTransport
from ..resolving.verdict import Recorded, Verdict
from .base import Base, check_http_client, is_in_process, resolving_of, settings_and_route
from .options import Options
from .resources import driver_of

__tracebackhide__ = True

T = TypeVar("T")


class BlockingClient(Base[Driver]):
    """Base class of the sync clients."""

    @staticmethod
    def _open(target: Target, credential: Credential, options: Options, transport: HttpTransport | None) -> Driver:
        check_http_client(target, options, transport)
        if is_in_process(target, options, transport):
            from ...sandbox.platform import platform_of

            transport = platform_of(target.environment).transport
        given = None if transport is None else choice.given(transport)
        if options.http_client is not None:
            given = HttpxTransport.by_client(options.http_client)
        settings, route = settings_and_route(target, credential, options, transport)
        return Driver(settings, given or choice.own(route, target.address.origin), ConnectionState(owned=given is None))

    def send(self, request: PreparedRequest[T]) -> T:
        """Send a prepared request unchanged, and return the result of the call.

        The client adds the credential when it sends the request, and each attempt gets its own span in the request's
        trace. The settings of this client determine the retries, the deadline, and the observers. If you send a
        prepared request twice, the service receives two requests.

        Args:
            request: The result of `client.prepare`, from this process or another process.

        Returns:
            The result of the call. If the call is a list, the result is the first page.

        Raises:
            InvalidArgumentError: `request` isn't a prepared request, or was modified. The SDK also raises
                `InvalidArgumentError` if `request` was prepared for another service, base URL, or environment than the
                client's. Nothing was sent.
            SubscribekitError: The call failed. The error is the same as for a call without `prepare`.
        """
        return self._driver.send_prepared(request).data

    def resolve(
        self, error: BaseException | Recorded, *, not_applied_after: float = 30.0, wait: bool = True
    ) -> Verdict:
        """Find out whether a call with an unknown outcome was carried out. Sends only reads.

        Because the request may still be in flight when `resolve` reads, `resolve` returns `not_applied` only if two
        reads agree. The two reads are 2 seconds apart, and the last read is at least `not_applied_after` seconds after
        the request was sent. The SDK measures the time since the request with a clock that nobody can set: the
        monotonic clock in the process that sent the request, the boot clock on the same machine, or the service's clock
        in the `Date` headers. If the SDK can use none of the three clocks, it measures the time since you called
        `resolve`. `resolve` ignores responses from a cache.

        Args:
            error: An `OutcomeUnknownError`, also after pickling or from another process; the exception that interrupted
                the call, such as a cancellation or Ctrl-C; or an item of a bulk run whose outcome is unknown.
            not_applied_after: Seconds after which the request can no longer be in flight. If reads after this time show
                no effect of the request, the verdict is `not_applied`.
            wait: Whether to wait until `not_applied_after` seconds have passed. If `False`, `resolve` reads only once.
                If that single read shows no effect of the request, the verdict is `undecided`, and `evidence` contains
                the time to wait.

        Returns:
            The verdict, which is `undecided` if a read fails.

        Raises:
            InvalidArgumentError: The outcome is known, or the call was sent to another service or base URL than the
                client's. The SDK also raises `InvalidArgumentError` if `not_applied_after` or `wait` is invalid. The
                `outcome` of the `InvalidArgumentError` is the outcome of the call.
            ClientClosedError: The client is closed.
        """
        return resolve(self, error, not_applied_after, wait)

    def close(self) -> None:
        """Close the connections. Later calls raise `ClientClosedError`."""
        self._driver.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    if not TYPE_CHECKING:  # hide these methods, so that type checkers report an `async with` statement as an error

        def __aenter__(self) -> NoReturn:
            raise TypeError(
                f"{type(self).__name__} is a sync client; write 'with' instead of 'async with', or use "
                f"Async{type(self).__name__}"
            )

        async def __aexit__(self, *_: object) -> None:
            """Do nothing. Python requires this method, but never runs it, because `__aenter__` raises an error."""


def resolve(
    client: BlockingClient, error: BaseException | Recorded, after: float, wait: bool, begun: float | None = None
) -> Verdict:
    """Resolve a call as `client.resolve` does. A bulk run passes the monotonic time of its first check as `begun`."""
    from ..resolving.resolve import run

    settings, steps = resolving_of(client, error, after, wait, begun)
    return run(driver_of(client).with_settings(settings), steps)
