"""The pytest plugin: a sandbox and connected clients for each test, and the guard against the real network.

Fixtures: `sandbox`, `billing_client`, `gateway_client`, `user_mgmt_client`, `storefront_client`, the same with `async_`
before the name, `webhook_events`, `webhook_key` and `no_network`. Markers: `no_network`, `allow_network`. Settings:
`subscribekit_no_network = true` puts the guard on every test; `subscribekit_faults_must_fire = true` fails a test whose
`sandbox` kept a fault that never happened. The option `--subscribekit-responses=published` gives the `sandbox` the
responses of published samples where they differ from the specification. A test whose assertion failed in a receiver of
push notifications of its `sandbox` fails, too.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from ..billing import AsyncBillingClient, BillingClient
    from ..gateway import AsyncGatewayClient, GatewayClient
    from ..sandbox import Sandbox
    from ..storefront import AsyncStorefrontClient, StorefrontClient
    from ..user_mgmt import AsyncUserMgmtClient, UserMgmtClient
    from ..webhooks import WebhookEvent
    from .guard import NetworkGuard

_SETTING = "subscribekit_no_network"
_FAULTS_SETTING = "subscribekit_faults_must_fire"
_guards: pytest.StashKey[NetworkGuard] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of the guard and of the faults, and the option of the sandbox's responses."""
    parser.addini(_SETTING, "fail every test that opens a socket to anything but loopback", type="bool", default=False)
    parser.addini(
        _FAULTS_SETTING, "fail a test whose sandbox has a fault that never happened", type="bool", default=False
    )
    parser.getgroup("subscribekit").addoption(
        "--subscribekit-responses",
        choices=("specification", "published"),
        default="specification",
        help="form of the sandbox's responses where specification and published samples differ (default: %(default)s)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known."""
    config.addinivalue_line("markers", "no_network: fail the test if it opens a socket to anything but loopback")
    config.addinivalue_line("markers", f"allow_network: let the test use the network in spite of {_SETTING}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin the sequence of random resources anew, and put the guard on before the first fixture runs."""
    factories = sys.modules.get("subscribekit.testing.factories")
    if factories is not None:
        factories.restart()
    wanted = item.get_closest_marker("no_network") is not None or bool(item.config.getini(_SETTING))
    if wanted and item.get_closest_marker("allow_network") is None:
        _guard(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail the test for an attempt that its code has swallowed, and for a fault that it never met."""
    result = yield
    guard = item.stash.get(_guards, None)
    if guard is not None:
        guard.check()
    sandbox = _sandbox_of(item)
    if sandbox is not None:
        if item.config.getini(_FAULTS_SETTING):
            _check_faults(sandbox)
        _check_receivers(sandbox)
    return result


def _check_faults(sandbox: Sandbox) -> None:
    """Fail a test that passed without meeting the fault it was about."""
    unfired = [rule for rule in sandbox.faults.pending if rule.fired == 0]
    if unfired:
        told = ", ".join(f"{rule.fault.name} for {rule.match}" for rule in unfired)
        pytest.fail(f"a fault of the sandbox never happened: {told}", pytrace=False)


def _check_receivers(sandbox: Sandbox) -> None:
    """Fail a test with what it asserted in a receiver: there it disturbs the sandbox as little as any other error."""
    for delivery in sandbox.webhooks.deliveries:
        if isinstance(delivery.error, AssertionError):
            raise delivery.error


def _sandbox_of(item: pytest.Item) -> Sandbox | None:
    """Return the sandbox of a test, unless a fixture of another kind has its name."""
    if "subscribekit.sandbox" not in sys.modules:
        return None
    from ..sandbox import Sandbox

    found: object = getattr(item, "funcargs", {}).get("sandbox")
    return found if isinstance(found, Sandbox) else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Take the guard off after the last fixture is done."""
    try:
        return (yield)
    finally:
        guard = item.stash.get(_guards, None)
        if guard is not None:
            guard.remove()


def _guard(item: pytest.Item) -> NetworkGuard:
    from .guard import NetworkGuard

    guard = item.stash.get(_guards, None)
    if guard is None:
        guard = item.stash[_guards] = NetworkGuard()
        guard.install()
    return guard


@pytest.fixture
def no_network(request: pytest.FixtureRequest) -> NetworkGuard:
    """Fail the test if it opens a socket to anything but loopback."""
    return _guard(cast("pytest.Item", request.node))


@pytest.fixture
def sandbox(pytestconfig: pytest.Config) -> Generator[Sandbox]:
    """A fresh sandbox with its seeded merchant, which `environment="sandbox"` leads to while the test runs."""
    from ..sandbox import Sandbox
    from ..sandbox.platform import as_default

    made = Sandbox(responses=pytestconfig.getoption("--subscribekit-responses"))
    with as_default(made):
        yield made


@pytest.fixture
def billing_client(sandbox: Sandbox) -> Generator[BillingClient]:
    """A client of the billing API (group A), connected to the test's sandbox."""
    with sandbox.billing() as client:
        yield client


@pytest.fixture
def gateway_client(sandbox: Sandbox) -> Generator[GatewayClient]:
    """A client of the gateway (group B), connected to the test's sandbox."""
    with sandbox.gateway() as client:
        yield client


@pytest.fixture
def user_mgmt_client(sandbox: Sandbox) -> Generator[UserMgmtClient]:
    """A client of the account lifecycle (group C), connected to the test's sandbox."""
    with sandbox.user_mgmt() as client:
        yield client


@pytest.fixture
def storefront_client(sandbox: Sandbox) -> Generator[StorefrontClient]:
    """A client of the storefront (group D), connected to the test's sandbox."""
    with sandbox.storefront() as client:
        yield client


@pytest.fixture
def webhook_key() -> str:
    """The key that the messages of `webhook_events` are signed with, as long as the service's keys are."""
    return "subscribekit-testing-key-of-40-character"


@pytest.fixture
def webhook_events(sandbox: Sandbox, webhook_key: str) -> list[WebhookEvent]:
    """The push notifications of the test's sandbox, verified and read, in the order in which they came."""
    from ..webhooks import unwrap

    events: list[WebhookEvent] = []
    sandbox.webhooks.subscribe(
        lambda body, signature: events.append(unwrap(body, signature, webhook_key)), key=webhook_key
    )
    return events


# The asynchronous fixtures are plain ones, so they work with any plugin for asynchronous tests and with none. The
# clients hold no separate connection, so nothing has to be awaited when the test is over.


@pytest.fixture
def async_billing_client(sandbox: Sandbox) -> AsyncBillingClient:
    """An asynchronous client of the billing API (group A), connected to the test's sandbox."""
    return sandbox.async_billing()


@pytest.fixture
def async_gateway_client(sandbox: Sandbox) -> AsyncGatewayClient:
    """An asynchronous client of the gateway (group B), connected to the test's sandbox."""
    return sandbox.async_gateway()


@pytest.fixture
def async_user_mgmt_client(sandbox: Sandbox) -> AsyncUserMgmtClient:
    """An asynchronous client of the account lifecycle (group C), connected to the test's sandbox."""
    return sandbox.async_user_mgmt()


@pytest.fixture
def async_storefront_client(sandbox: Sandbox) -> AsyncStorefrontClient:
    """An asynchronous client of the storefront (group D), connected to the test's sandbox."""
    return sandbox.async_storefront()
