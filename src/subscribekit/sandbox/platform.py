"""The simulated platform: its state, time, faults, and transports.

The module `platform` doesn't import the clients.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import localcontext
from functools import cached_property
from weakref import WeakValueDictionary

from .._core.config.clock import Clock
from .._core.config.environments import SANDBOX, Environment, no_such_sandbox
from .._core.config.locks import Guard
from .clock import SandboxClock, time_ahead
from .faults import FaultDirector
from .http.auth import credentials_of
from .http.wire import RecordedRequest, SandboxRequest, SandboxResponse
from .seed import seed as fill
from .service import ARITHMETIC, Service
from .settings import Responses, Settings
from .store import RecordedCharge, Store
from .transport import AsyncSandboxTransport, SandboxTransport
from .values import Document, copied
from .webhooks import Webhooks
from .webhooks.dispatch import Dispatch


@dataclass(frozen=True, repr=False)
class Snapshot:
    """The state and the time of a sandbox when `Sandbox.snapshot` was called."""

    store: Store
    offset: timedelta


class Platform:
    """A simulated platform without the methods that return clients, which the subclass `Sandbox` adds."""

    def __init__(
        self,
        *,
        seed: int = 0,
        clock: Callable[[], datetime] | None = None,
        settings: Settings | None = None,
        ids: Callable[[], str] | None = None,
        responses: Responses | None = None,
    ) -> None:
        self.environment: Environment = replace(SANDBOX)
        _PLATFORMS[id(self.environment)] = self
        self._seed = seed
        self._settings = settings or Settings()
        if responses is not None:
            self._settings = replace(self._settings, responses=responses)
        self._clock = SandboxClock(clock)
        self.service: Service = Service(self._seeded(), self._clock.now, credentials_of(SANDBOX), self._settings)
        self.service.store.ids = ids
        self.faults: FaultDirector = FaultDirector(self.service)
        self._dispatch = Dispatch(self.service, self._clock.now, self.faults.of_change)
        self.service.observe, self.service.deliver = self._dispatch.observe, self._dispatch.deliver
        self.webhooks: Webhooks = Webhooks(self._dispatch)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} seed={self._seed} now={self.now.isoformat()} requests={len(self.requests)}>"

    def _seeded(self) -> Store:
        store = Store(self._seed)
        with localcontext(ARITHMETIC):
            fill(store, self._clock.now(), self._settings)
        return store

    @property
    def now(self) -> datetime:
        """The sandbox's current time."""
        return self._clock.now()

    @property
    def requests(self) -> list[RecordedRequest]:
        """The requests that reached the sandbox, oldest first, with redacted credentials."""
        with self.service.lock:
            return list(self.service.requests)

    @property
    def entitlement_charges(self) -> list[RecordedCharge]:
        """The entitlement charges that the sandbox accepted (E8), oldest first, including duplicate charges."""
        with self.service.lock:
            return list(self.service.store.entitlement_charges)

    def custom_data(self, user: str, array: str) -> list[Document]:
        """Return the items of a user's custom data array.

        Raises:
            KeyError: The user or the custom data array doesn't exist.
        """
        with self.service.lock:
            store = self.service.store
            return [copied(item) for item in store.custom_data[store.users.get(user, user)][array]]

    def handle(self, request: SandboxRequest) -> SandboxResponse:
        """Handle a request without applying faults, and send the webhooks that the request causes."""
        response = self.service.handle(request)
        self._dispatch.deliver()
        return response

    def snapshot(self) -> Snapshot:
        """Return a copy of the sandbox's current state and time, which you can pass to `restore`."""
        with self.service.lock:
            return Snapshot(self.service.store.copy(), self._clock.offset)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state and the time of a snapshot.

        The method keeps the recorded requests, the faults, and the webhook receivers, and drops the webhooks that wait
        to be sent.
        """
        with self.service.lock:
            self.service.store.become(snapshot.store)
            self._clock.offset = snapshot.offset
            self._dispatch.start_over(remove_receivers=False)

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> datetime:
        """Advance the sandbox's time, and carry out the steps that become due, such as bills, retries, and expirations.

        If a step fails because of an error in the sandbox, the sandbox logs the error. The sandbox carries out no more
        steps for the resource of a failed step, but continues with the steps of other resources.

        Returns:
            The sandbox's new time.

        Raises:
            TypeError: An argument isn't a number.
            ValueError: An argument isn't finite, the sum is negative, or the new time would be after January 1, 9000.
        """
        ahead = time_ahead(self.now, days=days, hours=hours, minutes=minutes, seconds=seconds)
        with self.service.lock:
            self._clock.offset += ahead
            self.service.catch_up()
        self._dispatch.deliver()
        return self.now

    def reset(self) -> None:
        """Restore the initial state and time. Remove the recorded requests, the faults, and the webhook receivers."""
        with self.service.lock:
            self._clock.offset = timedelta()
            self.service.store.become(self._seeded())
            self.service.requests.clear()
            self.service.api_version = None
            self.faults.clear()
            self._dispatch.start_over(remove_receivers=True)

    @cached_property
    def transport(self) -> SandboxTransport:
        """The httpx transport that connects sync clients to the sandbox."""
        return SandboxTransport(self.faults, self.environment, self._client_clock, self._dispatch)

    @cached_property
    def async_transport(self) -> AsyncSandboxTransport:
        """The httpx transport that connects async clients to the sandbox."""
        return AsyncSandboxTransport(self.faults, self.environment, self._client_clock, self._dispatch)

    @cached_property
    def _client_clock(self) -> Clock:
        return Clock(
            monotonic=self._clock.monotonic,
            now=self._clock.now,
            sleep=self._clock.sleep,
            sleep_async=self._clock.sleep_async,
            uniform=random.Random(self._seed).uniform,  # noqa: S311  the random numbers only change simulated waits
            is_service=True,
        )


# The keys are the `id()` values of the environments, because the environments of all sandboxes are equal to each other.
_PLATFORMS: WeakValueDictionary[int, Platform] = WeakValueDictionary()


def platform_of(environment: Environment | None) -> Platform:
    """Return the platform that has this environment object.

    For `SANDBOX`, return the process-wide platform.

    Raises:
        ConfigurationError: The environment doesn't belong to an existing sandbox.
    """
    if environment is SANDBOX:
        return default_platform()
    found = _PLATFORMS.get(id(environment))
    if found is None:
        raise no_such_sandbox()
    return found


class _Default:
    guard = Guard()
    platform: Platform | None = None


def default_platform() -> Platform:
    """Return the platform that all clients with `environment="sandbox"` in this process share."""
    with _Default.guard.lock:
        if _Default.platform is None:
            _Default.platform = Platform()
        return _Default.platform


@contextmanager
def as_default(platform: Platform) -> Generator[None]:
    """Make a platform the process-wide platform within a `with` block, for example during one test."""
    with _Default.guard.lock:
        previous, _Default.platform = _Default.platform, platform
    try:
        yield
    finally:
        with _Default.guard.lock:
            _Default.platform = previous
