"""The platform in a box: a stateful stand-in for all four groups, in this process, without a socket.

    from subscribekit.sandbox import Sandbox

    sandbox = Sandbox()
    with sandbox.billing() as billing:
        for account in billing.accounts.list(email="customer-0001@example.com"):
            print(account.id)

The answers follow the specification: authentication, limits, paging rules and error bodies of each group. Beyond it the
sandbox shows what published samples of the platform show, and where neither says anything it refuses rather than
inventing a success; every module of this package says in its docstring what is specified, observed and assumed. The
seeded merchant is described in `subscribekit.sandbox.seed`.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from .._core.config.clock import Clock
from .._core.config.environments import SANDBOX, Environment
from .auth import credentials_of
from .call import Settings
from .clock import DEFAULT_START, SandboxClock
from .faults import FaultDirector
from .seed import seed as fill
from .service import Service
from .store import EntitlementCharge, Store
from .transport import AsyncSandboxTransport, SandboxTransport
from .values import Document, copy_document
from .wire import Answer, RecordedRequest, Request

if TYPE_CHECKING:
    from ..billing import AsyncBillingClient, BillingClient
    from ..gateway import AsyncGatewayClient, GatewayClient
    from ..storefront import AsyncStorefrontClient, StorefrontClient
    from ..user_mgmt import AsyncUserMgmtClient, UserMgmtClient

__all__ = [
    "DEFAULT_START",
    "Answer",
    "AsyncSandboxTransport",
    "EntitlementCharge",
    "RecordedRequest",
    "Request",
    "Sandbox",
    "SandboxTransport",
    "Settings",
    "Snapshot",
    "default_sandbox",
]


@dataclass(frozen=True, repr=False)
class Snapshot:
    """A kept state and time of a sandbox, for `Sandbox.restore`."""

    store: Store
    offset: timedelta


class Sandbox:
    """A merchant's whole platform in this process.

    The same seed, clock and ids give the same answers. Time stands still at `DEFAULT_START` unless a clock is given,
    and moves with `advance`; the back-off of connected clients passes at once. All methods may be called from any
    thread.

    Clients with settings of their own connect with `environment=sandbox.environment, transport=sandbox.transport` (or
    `async_transport`), or through `with_options`.

    Attributes:
        environment: Addresses, credentials and wire names of the sandbox.
        service: The service behind the transports.
        faults: The director of trouble, see `subscribekit.sandbox.faults`.

    Args:
        seed: Another seed gives other vids.
        clock: Where the time comes from; it tells aware datetimes.
        settings: Page sizes of group C, grace and retry days: what an operator sets for a merchant.
        ids: Where new identifiers of transactions, payments and refunds and new references of entitlement charges come
            from; counted numbers when left out. It is called by one thread at a time, and must not repeat itself: a
            call that would get a taken identifier fails with `ValueError`. The seeded merchant has its own identifiers.
            Vids are hashes and depend on the seed alone. `reset` and `restore` do not rewind it.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        clock: Callable[[], datetime] | None = None,
        settings: Settings | None = None,
        ids: Callable[[], str] | None = None,
    ) -> None:
        self.environment: Environment = SANDBOX
        self._seed = seed
        self._settings = settings or Settings()
        self._clock = SandboxClock(clock)
        self.service: Service = Service(self._seeded(), self._clock.now, credentials_of(SANDBOX), self._settings)
        self.service.store.ids = ids
        self.faults: FaultDirector = FaultDirector(self.service)

    def __repr__(self) -> str:
        return f"<Sandbox seed={self._seed} now={self.now.isoformat()} requests={len(self.requests)}>"

    def _seeded(self) -> Store:
        store = Store(self._seed)
        fill(store, self._clock.now(), self._settings)
        return store

    @property
    def now(self) -> datetime:
        """The sandbox's time."""
        return self._clock.now()

    @property
    def requests(self) -> list[RecordedRequest]:
        """The requests that arrived, oldest first, credentials redacted."""
        with self.service.lock:
            return list(self.service.requests)

    @property
    def charges(self) -> list[EntitlementCharge]:
        """The entitlement charges that were accepted (E8), oldest first, every repetition included."""
        with self.service.lock:
            return list(self.service.store.charges)

    def custom_data(self, user: str, array: str) -> list[Document]:
        """Return the items of a user's custom data array.

        Raises:
            KeyError: There is no such user or array.
        """
        with self.service.lock:
            store = self.service.store
            return [copy_document(item) for item in store.custom_data[store.users.get(user, user)][array]]

    def handle(self, request: Request) -> Answer:
        """Answer a request given as plain values; faults are for connected clients and do not happen here."""
        return self.service.handle(request)

    def snapshot(self) -> Snapshot:
        """Keep the present state and time."""
        with self.service.lock:
            return Snapshot(self.service.store.copy(), self._clock.offset)

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a kept state and time; recorded requests stay."""
        with self.service.lock:
            self.service.store.become(snapshot.store)
            self._clock.offset = snapshot.offset

    def advance(self, *, days: int = 0, hours: int = 0) -> datetime:
        """Move time ahead, and let happen what becomes due: billing, retries, the end of cancelled service.

        Returns:
            The new time.

        Raises:
            ValueError: Time does not move back.
        """
        ahead = timedelta(days=days, hours=hours)
        if ahead < timedelta():
            raise ValueError("time does not move back")
        with self.service.lock:
            self._clock.offset += ahead
            self.service.catch_up()
        return self.now

    def reset(self) -> None:
        """Return to the seeded state; recorded requests and faults are forgotten."""
        with self.service.lock:
            self._clock.offset = timedelta()
            self.service.store.become(self._seeded())
            self.service.requests.clear()
            self.service.api_version = None
            self.faults.clear()

    @cached_property
    def transport(self) -> SandboxTransport:
        """The transport of blocking clients."""
        return SandboxTransport(self.faults, self.environment, self._client_clock)

    @cached_property
    def async_transport(self) -> AsyncSandboxTransport:
        """The transport of asynchronous clients."""
        return AsyncSandboxTransport(self.faults, self.environment, self._client_clock)

    @cached_property
    def _client_clock(self) -> Clock:
        return Clock(
            monotonic=self._clock.monotonic,
            now=self._clock.now,
            sleep=self._clock.sleep,
            sleep_async=self._clock.sleep_async,
            uniform=random.Random(self._seed).uniform,  # noqa: S311  the jitter of a back-off that takes no time
        )

    def billing(self) -> BillingClient:
        """Return a connected client of group A."""
        from ..billing import BillingClient

        return BillingClient(environment=self.environment, transport=self.transport)

    def gateway(self) -> GatewayClient:
        """Return a connected client of group B."""
        from ..gateway import GatewayClient

        return GatewayClient(environment=self.environment, transport=self.transport)

    def user_mgmt(self) -> UserMgmtClient:
        """Return a connected client of group C."""
        from ..user_mgmt import UserMgmtClient

        return UserMgmtClient(environment=self.environment, transport=self.transport)

    def storefront(self) -> StorefrontClient:
        """Return a connected client of group D."""
        from ..storefront import StorefrontClient

        return StorefrontClient(environment=self.environment, transport=self.transport)

    def async_billing(self) -> AsyncBillingClient:
        """Return a connected asynchronous client of group A."""
        from ..billing import AsyncBillingClient

        return AsyncBillingClient(environment=self.environment, transport=self.async_transport)

    def async_gateway(self) -> AsyncGatewayClient:
        """Return a connected asynchronous client of group B."""
        from ..gateway import AsyncGatewayClient

        return AsyncGatewayClient(environment=self.environment, transport=self.async_transport)

    def async_user_mgmt(self) -> AsyncUserMgmtClient:
        """Return a connected asynchronous client of group C."""
        from ..user_mgmt import AsyncUserMgmtClient

        return AsyncUserMgmtClient(environment=self.environment, transport=self.async_transport)

    def async_storefront(self) -> AsyncStorefrontClient:
        """Return a connected asynchronous client of group D."""
        from ..storefront import AsyncStorefrontClient

        return AsyncStorefrontClient(environment=self.environment, transport=self.async_transport)


class _Default:
    lock = threading.Lock()
    sandbox: Sandbox | None = None


def default_sandbox() -> Sandbox:
    """Return the process-wide sandbox, the one behind `environment="sandbox"`."""
    with _Default.lock:
        if _Default.sandbox is None:
            _Default.sandbox = Sandbox()
        return _Default.sandbox
