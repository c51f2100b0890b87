"""The pytest plugin: a sandbox and connected clients for each test, and the network guard.

The fixtures are `sandbox`, `billing_client`, `gateway_client`, `user_mgmt_client`, `storefront_client`, the same
clients with the prefix `async_`, `webhook_events`, `webhook_key`, and `no_network`. The markers are `no_network` and
`allow_network`.

Settings: `subscribekit_no_network = true` applies the guard to every test. `subscribekit_faults_must_fire = true` fails
a test if a fault that the test set in its `sandbox` never happened. With the option
`--subscribekit-responses=published`, the `sandbox` returns the response of the published samples if a sample differs
from the specification.

If an assertion fails in a webhook receiver of a test's `sandbox`, the test also fails.
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
    """Add the plugin's settings and its command-line option."""
    parser.addini(_SETTING, "Fail every test that connects to another machine.", type="bool", default=False)
    parser.addini(
        _FAULTS_SETTING, "Fail a test if its sandbox has a fault that never happened.", type="bool", default=False
    )
    parser.getgroup("subscribekit").addoption(
        "--subscribekit-responses",
        choices=("specification", "published"),
        default="specification",
        help="The source of the sandbox's responses where the specification and the published samples differ "
        "(default: %(default)s).",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    config.addinivalue_line("markers", "no_network: Fail the test if it connects to another machine.")
    config.addinivalue_line("markers", f"allow_network: Allow the test to use the network, even with {_SETTING}.")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Restart the sequence of random models, and install the guard before the first fixture runs."""
    factories = sys.modules.get("subscribekit.testing.factories")
    if factories is not None:
        factories.restart()
    wanted = item.get_closest_marker("no_network") is not None or bool(item.config.getini(_SETTING))
    if wanted and item.get_closest_marker("allow_network") is None:
        _guard(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail the test if it tried to open a connection, if a fault wasn't used, or if a webhook receiver failed."""
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
    """Fail a test that passed although a fault of the test never happened."""
    unfired = [rule for rule in sandbox.faults.pending if rule.fired == 0]
    if unfired:
        faults = ", ".join(f"{rule.fault.name} for {rule.match}" for rule in unfired)
        pytest.fail(
            f"a fault of the sandbox never happened: {faults}. Send a matching request, or remove the fault",
            pytrace=False,
        )


def _check_receivers(sandbox: Sandbox) -> None:
    """Raise the assertion error of a webhook receiver, because the sandbox only records such errors."""
    for delivery in sandbox.webhooks.deliveries:
        if isinstance(delivery.error, AssertionError):
            raise delivery.error


def _sandbox_of(item: pytest.Item) -> Sandbox | None:
    """Return the `Sandbox` of a test, or `None` if the project's own fixture `sandbox` has another value."""
    if "subscribekit.sandbox" not in sys.modules:
        return None
    from ..sandbox import Sandbox

    found: object = getattr(item, "funcargs", {}).get("sandbox")
    return found if isinstance(found, Sandbox) else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Remove the guard after the last fixture is torn down."""
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
    """Fail the test if it connects to another machine."""
    return _guard(cast("pytest.Item", request.node))


@pytest.fixture
def sandbox(pytestconfig: pytest.Config) -> Generator[Sandbox]:
    """A new sandbox with sample data. During the test, clients with `environment="sandbox"` also use this sandbox."""
    from ..sandbox import Sandbox
    from ..sandbox.platform import as_default

    made = Sandbox(responses=pytestconfig.getoption("--subscribekit-responses"))
    with as_default(made):
        yield made


@pytest.fixture
def billing_client(sandbox: Sandbox) -> Generator[BillingClient]:
    """A client of the billing API, connected to the test's sandbox."""
    with sandbox.billing() as client:
        yield client


@pytest.fixture
def gateway_client(sandbox: Sandbox) -> Generator[GatewayClient]:
    """A client of the gateway, connected to the test's sandbox."""
    with sandbox.gateway() as client:
        yield client


@pytest.fixture
def user_mgmt_client(sandbox: Sandbox) -> Generator[UserMgmtClient]:
    """A client of the account-lifecycle API, connected to the test's sandbox."""
    with sandbox.user_mgmt() as client:
        yield client


@pytest.fixture
def storefront_client(sandbox: Sandbox) -> Generator[StorefrontClient]:
    """A client of the storefront, connected to the test's sandbox."""
    with sandbox.storefront() as client:
        yield client


@pytest.fixture
def webhook_key() -> str:
    """The key that signs the webhooks of `webhook_events`. The key has 40 characters, like the service's keys."""
    return "subscribekit-testing-key-of-40-character"


@pytest.fixture
def webhook_events(sandbox: Sandbox, webhook_key: str) -> list[WebhookEvent]:
    """The verified webhook events of the test's sandbox, in the order in which they arrived."""
    from ..webhooks import unwrap

    events: list[WebhookEvent] = []
    sandbox.webhooks.subscribe(
        lambda body, signature: events.append(unwrap(body, signature, webhook_key)), key=webhook_key
    )
    return events


# The fixtures of async clients are sync functions, so that the fixtures work without a plugin for async tests. The
# fixtures don't close the clients, because a client of the sandbox has no connections.


@pytest.fixture
def async_billing_client(sandbox: Sandbox) -> AsyncBillingClient:
    """An async client of the billing API, connected to the test's sandbox."""
    return sandbox.async_billing()


@pytest.fixture
def async_gateway_client(sandbox: Sandbox) -> AsyncGatewayClient:
    """An async client of the gateway, connected to the test's sandbox."""
    return sandbox.async_gateway()


@pytest.fixture
def async_user_mgmt_client(sandbox: Sandbox) -> AsyncUserMgmtClient:
    """An async client of the account-lifecycle API, connected to the test's sandbox."""
    return sandbox.async_user_mgmt()


@pytest.fixture
def async_storefront_client(sandbox: Sandbox) -> AsyncStorefrontClient:
    """An async client of the storefront, connected to the test's sandbox."""
    return sandbox.async_storefront()
