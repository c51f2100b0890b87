"""The pytest plugin has sync and async fixtures, and a guard against the real network."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import warnings

import pytest

from subscribekit.testing.guard import is_loopback

pytest_plugins = ("pytester",)


def run(pytester: pytest.Pytester, source: str, *arguments: str, **settings: str) -> pytest.RunResult:
    # pytest warns if a plugin is already imported, and other tests of this process import this one.
    ini = "[pytest]\naddopts = --strict-markers --strict-config\n"
    ini += "filterwarnings =\n  error\n  ignore::pytest.PytestAssertRewriteWarning\n"
    pytester.makeini(ini + "".join(f"{name} = {value}\n" for name, value in settings.items()))
    pytester.makepyfile(textwrap.dedent(source))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pytest.PytestAssertRewriteWarning)
        return pytester.runpytest_inprocess("-p", "subscribekit.testing", "-p", "no:cacheprovider", *arguments)


def test_fixtures_are_connected_to_one_fresh_sandbox(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        from decimal import Decimal
        from subscribekit.filters import field
        from subscribekit.models import EntitlementCharge

        def test_all(sandbox, billing_client, gateway_client, user_mgmt_client, storefront_client):
            assert billing_client.payments.reverse("pay-cash-0001").status == "Failure"
            assert gateway_client.partner_subscriptions.cancel("psub-billing-0001").billing_status == "CANCELLED"
            assert user_mgmt_client.accounts.list().total_count() == 25
            flags = {"payment_method_id": "pm-cash-0001", "primary": True, "active": True}
            assert storefront_client.payment_methods.update("acct-0001", **flags).primary
            assert len(sandbox.requests) == 4

        def test_fresh(sandbox, billing_client):
            assert sandbox.requests == []
            assert billing_client.environment == "sandbox"
        """,
    )
    result.assert_outcomes(passed=2)


def test_async_fixtures_need_no_plugin_for_async_tests(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import asyncio

        def test_all(
            sandbox, async_billing_client, async_gateway_client, async_user_mgmt_client, async_storefront_client
        ):
            async def story():
                assert (await async_billing_client.payments.reverse("pay-cash-0001")).status == "Failure"
                await async_gateway_client.partner_subscriptions.cancel("psub-billing-0001")
                assert await async_user_mgmt_client.accounts.list().total_count() == 25
                flags = {"payment_method_id": "pm-cash-0001", "primary": True, "active": True}
                await async_storefront_client.payment_methods.update("acct-0001", **flags)

            asyncio.run(story())
            assert len(sandbox.requests) == 4
        """,
    )
    result.assert_outcomes(passed=1)


def test_webhook_events_of_the_sandbox_are_received(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        from subscribekit import webhooks
        from subscribekit.sandbox.faults import duplicate_webhook

        def test_all(sandbox, billing_client, webhook_events, webhook_key):
            assert len(webhook_key) == 40
            sandbox.faults.add("transactions", duplicate_webhook())
            billing_client.payments.reverse("pay-cash-0001")
            assert [event.subject for event in webhook_events] == [("transaction", "txn-pay-cash-0001")] * 2
            seen = set()
            assert [webhooks.record_if_new(event, seen) for event in webhook_events] == [True, False]

        def test_fresh(sandbox, webhook_events):
            sandbox.advance(hours=1)
            assert webhook_events == []
        """,
    )
    result.assert_outcomes(passed=2)


def test_an_assertion_in_a_receiver_fails_the_test(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        def fail(body, signature):
            assert body == b"something else"

        def explode(body, signature):
            raise ValueError("a receiver that fails is what the test is about")

        def test_assertion(sandbox, billing_client):
            sandbox.webhooks.subscribe(fail, key="key")
            assert billing_client.payments.reverse("pay-cash-0001").status == "Failure"

        def test_error(sandbox, billing_client):
            sandbox.webhooks.subscribe(explode, key="key")
            assert billing_client.payments.reverse("pay-cash-0001").status == "Failure"
            assert sandbox.webhooks.deliveries[0].error
        """,
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*something else*"])


def test_a_merchants_own_fixture_named_sandbox_is_left_alone(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import pytest
        import subscribekit.sandbox

        @pytest.fixture
        def sandbox():
            return "a directory"

        def test_own(sandbox):
            assert sandbox == "a directory"
        """,
        subscribekit_faults_must_fire="true",
    )
    result.assert_outcomes(passed=1)


def test_a_client_is_closed_after_its_test_and_the_sandbox_stays_usable(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import pytest
        from subscribekit.errors import ClientClosedError

        kept = []

        def test_first(billing_client, sandbox):
            kept.extend((billing_client, sandbox))

        def test_second():
            with pytest.raises(ClientClosedError):
                kept[0].payments.reverse("pay-cash-0001")
            assert kept[1].billing().payments.reverse("pay-cash-0001").status == "Failure"
        """,
    )
    result.assert_outcomes(passed=2)


def test_random_resources_are_the_same_in_every_order(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        from subscribekit.models import Account
        from subscribekit.testing import make

        seen = []

        def test_first():
            seen.append(make(Account))

        def test_second():
            assert make(Account) == seen[0]
        """,
    )
    result.assert_outcomes(passed=2)


OUTSIDE = """
import asyncio, socket, threading
import pytest

def connect():
    with socket.socket() as sock:
        sock.connect(("192.0.2.1", 443))

def connect_ex():
    with socket.socket() as sock:
        sock.connect_ex(("192.0.2.1", 443))

def connect_six():
    with socket.socket(socket.AF_INET6) as sock:
        sock.connect(("2001:db8::1", 443, 0, 0))

def send_to():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(b"", ("192.0.2.1", 53))

def send_message():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendmsg([b""], [], 0, ("192.0.2.1", 53))

def create_connection():
    socket.create_connection(("192.0.2.1", 443), timeout=1)

def look_up():
    socket.getaddrinfo("billing.example.com", 443)

def look_up_old():
    socket.gethostbyname("billing.example.com")

def asynchronous():
    asyncio.run(asyncio.open_connection("192.0.2.1", 443))

def asynchronous_name():
    asyncio.run(asyncio.open_connection("billing.example.com", 443))

def swallowed():
    try:
        connect()
    except BaseException:
        pass

def real_client():
    from subscribekit import BillingClient
    with BillingClient(base_url="https://192.0.2.1", api_user="u", api_key="k") as billing:
        try:
            billing.payments.reverse("p")
        except Exception:
            pass

WAYS = [connect, connect_ex, connect_six, send_to, send_message, create_connection, look_up, look_up_old, asynchronous,
        asynchronous_name, swallowed, real_client]
"""


def test_the_guard_fails_every_kind_of_connection(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        OUTSIDE
        + textwrap.dedent("""
        @pytest.mark.parametrize("way", WAYS)
        @pytest.mark.no_network
        def test_marked(way):
            way()

        @pytest.mark.parametrize("way", WAYS)
        def test_with_the_fixture(way, no_network):
            way()
        """),
    )
    result.assert_outcomes(failed=24)
    result.stdout.fnmatch_lines(
        [
            "*this test tried to reach 192.0.2.1:443, but subscribekit's network guard allows only loopback addresses*",
            "*this test tried to reach billing.example.com:443*",
        ]
    )


def test_the_setting_guards_every_test_and_a_marker_removes_the_guard(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import socket
        import pytest

        def is_guarded():
            return "connect" in vars(socket.socket)

        @pytest.fixture
        def looks_up():
            socket.getaddrinfo("billing.example.com", 443)

        def test_guarded():
            assert is_guarded()

        def test_fixtures_are_guarded_too(looks_up):
            pass

        @pytest.mark.allow_network
        def test_allowed():
            assert not is_guarded()
        """,
        subscribekit_no_network="true",
    )
    result.assert_outcomes(passed=2, errors=1)


FAULTS = """
    from subscribekit.sandbox.faults import server_error

    def test_never_fired(sandbox, billing_client):
        sandbox.faults.add("GET /payment_methods", server_error())
        billing_client.accounts.list().first()

    def test_fired(sandbox, billing_client):
        sandbox.faults.add("GET /accounts", server_error(), times=None)
        try:
            billing_client.accounts.list().first()
        except Exception:
            pass

    def test_fired_once_of_twice(sandbox, billing_client):
        sandbox.faults.add("GET /accounts", server_error(), times=9)
        try:
            billing_client.accounts.list().first()
        except Exception:
            pass

    def test_no_fault(sandbox):
        pass

    def test_no_sandbox():
        pass
    """


def test_a_fault_that_never_happened_fails_the_test_if_the_setting_is_on(pytester: pytest.Pytester) -> None:
    run(pytester, FAULTS).assert_outcomes(passed=5)
    result = run(pytester, FAULTS, subscribekit_faults_must_fire="true")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*a fault of the sandbox never happened: server_error for GET /payment_methods*"])


def test_the_guard_is_off_by_default_and_removed_after_a_test(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import socket

        before = (dict(vars(socket.socket)), socket.getaddrinfo, socket.gethostbyname)

        def is_untouched():
            return (dict(vars(socket.socket)), socket.getaddrinfo, socket.gethostbyname) == before

        def test_off():
            assert is_untouched()

        def test_on(no_network):
            assert not is_untouched()
            assert no_network.attempts == []

        def test_off_again():
            assert is_untouched()
        """,
    )
    result.assert_outcomes(passed=3)


def test_loopback_is_allowed(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import asyncio, socket
        import pytest

        pytestmark = pytest.mark.no_network

        def test_tcp():
            with socket.create_server(("127.0.0.1", 0)) as server:
                port = server.getsockname()[1]
                for host in ("127.0.0.1", "localhost", b"127.0.0.1"):
                    with socket.create_connection((host, port)) as client, server.accept()[0] as accepted:
                        client.sendall(b"x")
                        assert accepted.recv(1) == b"x"

        def test_udp_and_pairs():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
                receiver.bind(("127.0.0.1", 0))
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                    assert sender.sendto(b"x", receiver.getsockname()) == 1
            left, right = socket.socketpair()
            with left, right:
                assert left.sendmsg([b"x"]) == 1

        def test_loop():
            async def story():
                server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
                async with server:
                    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
                    assert await reader.read() == b""
                    writer.close()
                    await writer.wait_closed()

            asyncio.run(story())

        def test_sandbox(billing_client):
            assert billing_client.accounts.list().total_count() == 25
        """,
    )
    result.assert_outcomes(passed=4)


def test_loading_the_plugin_imports_little() -> None:
    program = """
import sys
import pytest
import subscribekit.testing, subscribekit.testing.plugin
heavy = {"httpx", "respx", "hypothesis", "pydantic", "subscribekit.sandbox", "subscribekit.models"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_unknown_names_are_refused() -> None:
    import subscribekit.testing

    with pytest.raises(AttributeError, match="has no attribute 'fake'"):
        _ = subscribekit.testing.fake  # type: ignore[attr-defined]  # the name doesn't exist


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        (None, True),
        ("", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("::1%lo", True),
        ("0.0.0.0", True),
        ("::", True),
        ("::ffff:127.0.0.1", True),
        (b"127.0.0.1", True),
        ("::ffff:192.0.2.1", False),
        ("192.0.2.1", False),
        ("10.0.0.1", False),
        ("2001:db8::1", False),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        (b"\xff", False),
    ],
)
def test_loopback_hosts_are_recognized(host: object, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.parametrize(("option", "has_billing"), [((), True), (("--subscribekit-responses=published",), False)])
def test_an_option_chooses_the_form_of_responses(
    pytester: pytest.Pytester, option: tuple[str, ...], has_billing: bool
) -> None:
    result = run(
        pytester,
        f"""
        def test_form(billing_client):
            read = billing_client.subscriptions.retrieve("sub-basic-0001")
            assert (read.most_recent_billing is not None) is {has_billing}
        """,
        *option,
    )
    result.assert_outcomes(passed=1)
