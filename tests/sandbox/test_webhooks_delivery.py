"""Tests the delivery of webhooks: faults, receivers that fail, and loopback URLs (H118, H119)."""

from __future__ import annotations

import asyncio
import http.client
import logging
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from subscribekit import BillingClient, webhooks
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import FaultRule, delayed_webhook, duplicate_webhook, proxy_page, reordered_webhook
from subscribekit.sandbox.server import SandboxServer

KEY = "a key"


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def subject_ids(sandbox: Sandbox) -> list[str | None]:
    """Return the IDs of the subjects, in the order of the received webhooks."""
    arrived: list[str | None] = []

    def receive(body: bytes, signature: str) -> None:
        event = webhooks.unwrap(body, signature, KEY)
        arrived.append(None if event.subject is None else event.subject[1])

    sandbox.webhooks.subscribe(receive, key=KEY, classes=["accounts"])
    return arrived


def change(sandbox: Sandbox, *numbers: int) -> None:
    with sandbox.billing() as billing:
        for number in numbers:
            name = (billing.accounts.retrieve(f"acct-000{number}").name or "") + "x"
            billing.accounts.update(f"acct-000{number}", Account(name=name))


def test_a_webhook_can_be_duplicated(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    rule = sandbox.faults.add("accounts", duplicate_webhook())
    change(sandbox, 1, 2)
    assert subject_ids == ["acct-0001", "acct-0001", "acct-0002"]
    first, second, third = sandbox.webhooks.deliveries
    assert (first.message_id, first.body, first.signature) == (second.message_id, second.body, second.signature)
    assert first.message_id != third.message_id
    assert rule.fired == 1
    assert sandbox.faults.pending == []


def test_a_webhook_can_be_delayed(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    sandbox.faults.add("accounts", delayed_webhook(hours=3))
    happened = sandbox.now
    change(sandbox, 1, 2)
    assert subject_ids == ["acct-0002"]
    sandbox.advance(hours=2)
    assert subject_ids == ["acct-0002"]
    sandbox.advance(hours=1)
    assert subject_ids == ["acct-0002", "acct-0001"]
    sent = sandbox.webhooks.deliveries[-1]
    assert webhooks.unwrap(sent.body, sent.signature, KEY).timestamp == happened
    with pytest.raises(webhooks.WebhookSignatureError, match="older"):
        webhooks.unwrap(sent.body, sent.signature, KEY, max_age=3_600, now=sandbox.now)


def test_webhooks_can_be_reordered(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    sandbox.faults.add("accounts", reordered_webhook(), times=2)
    change(sandbox, 1, 2)
    assert subject_ids == []
    change(sandbox, 3, 4)
    assert subject_ids == ["acct-0003", "acct-0002", "acct-0001", "acct-0004"]


def test_one_function_may_subscribe_twice(sandbox: Sandbox) -> None:
    arrived: list[bytes] = []

    def receive(body: bytes, signature: str) -> None:
        arrived.append(body)

    for _ in range(2):
        sandbox.webhooks.subscribe(receive, key=KEY, classes=["accounts"])
    sandbox.faults.add("accounts", reordered_webhook())
    change(sandbox, 1, 2)
    subject_ids = [webhooks.unwrap(each.body, each.signature, KEY).subject for each in sandbox.webhooks.deliveries]
    assert subject_ids == [("account", f"acct-000{number}") for number in (2, 1, 2, 1)]
    assert len(arrived) == 4


def test_a_fault_of_webhooks_needs_a_receiver(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    rule = sandbox.faults.add("transactions", duplicate_webhook())
    sandbox.billing().payments.reverse("pay-cash-0001")
    assert rule.fired == 0
    assert subject_ids == []


def test_a_webhook_without_a_later_one_is_released(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    sandbox.faults.add("accounts", reordered_webhook())
    sandbox.faults.add("accounts", delayed_webhook())
    change(sandbox, 1, 2)
    sandbox.webhooks.release()
    assert subject_ids == ["acct-0001", "acct-0002"]
    sandbox.webhooks.release()
    sandbox.advance(days=1)
    assert len(subject_ids) == 2


def test_a_fault_matches_an_event_or_the_events_of_a_request(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    sandbox.faults.add(("accounts", "data change"), duplicate_webhook())
    change(sandbox, 1)
    sandbox.faults.add("POST /accounts/{account}", duplicate_webhook())
    change(sandbox, 2)
    sandbox.faults.add(("POST", "/accounts/acct-0003"), duplicate_webhook())
    change(sandbox, 3)
    sandbox.faults.add(lambda request: request.path.endswith("0004"), duplicate_webhook())
    change(sandbox, 4)
    assert subject_ids == [f"acct-000{number}" for number in (1, 1, 2, 2, 3, 3, 4, 4)]
    sandbox.faults.add(("accounts", "melted"), duplicate_webhook())
    sandbox.faults.add("transactions", duplicate_webhook())
    sandbox.faults.add("/payments", duplicate_webhook())
    change(sandbox, 5)
    assert subject_ids[8:] == ["acct-0005"]
    assert [rule.fired for rule in sandbox.faults.pending] == [0, 0, 0]
    assert sandbox.advance(days=1)  # events of time aren't caused by a request


def test_faults_of_webhooks_and_of_requests_are_separate(sandbox: Sandbox) -> None:
    waiting: FaultRule = sandbox.faults.add("POST /accounts/{account}", duplicate_webhook())
    with sandbox.billing() as billing:
        assert billing.accounts.update("acct-0001", Account(name="Ann")).name == "Ann"
    assert waiting.fired == 0  # there is no receiver
    for match in ("accounts", "autobills"):
        with pytest.raises(ValueError, match="no operation"):
            sandbox.faults.add(match, proxy_page())
    with pytest.raises(ValueError, match="no operation"):
        sandbox.faults.add("account", duplicate_webhook())
    with pytest.raises(ValueError, match="hours must be at least 1"):
        delayed_webhook(hours=0)


def test_held_webhooks_are_dropped_with_their_subscription(sandbox: Sandbox) -> None:
    arrived: list[bytes] = []
    made = sandbox.webhooks.subscribe(lambda body, _: arrived.append(body), key=KEY)
    sandbox.faults.add("accounts", delayed_webhook(), times=None)
    change(sandbox, 1)
    sandbox.webhooks.unsubscribe(made)
    sandbox.webhooks.subscribe(lambda body, _: arrived.append(body), key=KEY)
    sandbox.advance(days=1)
    assert b"".join(arrived).count(b'"accounts"') == 0


class ReceiverError(Exception):
    """An exception that a receiver raises."""


def test_a_failing_receiver_does_not_affect_the_call(sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    def fail(body: bytes, signature: str) -> None:
        raise ReceiverError

    arrived: list[bytes] = []
    sandbox.webhooks.subscribe(fail, key=KEY)
    sandbox.webhooks.subscribe(lambda body, _: arrived.append(body), key=KEY)
    with caplog.at_level(logging.ERROR, "subscribekit.sandbox"):
        change(sandbox, 1)
    assert sandbox.billing().accounts.retrieve("acct-0001").name
    assert len(arrived) == 1
    failed, reached = sandbox.webhooks.deliveries
    assert isinstance(failed.error, ReceiverError)
    assert reached.error is None
    assert "accounts / data change" in caplog.text
    assert "acct-0001" not in caplog.messages[0]


def test_an_interrupt_ends_the_call_and_nothing_else(sandbox: Sandbox) -> None:
    arrived: list[bytes] = []

    def interrupt(body: bytes, signature: str) -> None:
        arrived.append(body)
        if len(arrived) == 1:
            raise KeyboardInterrupt

    sandbox.webhooks.subscribe(interrupt, key=KEY)
    with pytest.raises(KeyboardInterrupt):
        change(sandbox, 1)
    change(sandbox, 2)
    assert len(arrived) == 2


def test_a_receiver_may_use_the_sandbox(sandbox: Sandbox) -> None:
    """The webhook for the receiver's own call comes after the webhook that it's handling."""
    order: list[str] = []

    def answer(body: bytes, signature: str) -> int:
        subject = webhooks.unwrap(body, signature, KEY).subject
        assert subject is not None
        order.append(f"begin {subject[1]}")
        if subject[1] == "acct-0001":
            change(sandbox, 2)
            sandbox.advance(hours=1)
        order.append(f"end {subject[1]}")
        return 200

    sandbox.webhooks.subscribe(answer, key=KEY, classes=["accounts"])
    change(sandbox, 1)
    assert order == ["begin acct-0001", "end acct-0001", "begin acct-0002", "end acct-0002"]
    assert [each.status for each in sandbox.webhooks.deliveries] == [200, 200]


def test_another_thread_can_use_the_sandbox_during_a_delivery(sandbox: Sandbox) -> None:
    def answer(body: bytes, signature: str) -> None:
        if webhooks.unwrap(body, signature, KEY).subject == ("account", "acct-0001"):
            thread = threading.Thread(target=change, args=(sandbox, 2))
            thread.start()
            thread.join(10)
            assert not thread.is_alive()

    sandbox.webhooks.subscribe(answer, key=KEY, classes=["accounts"])
    change(sandbox, 1)
    assert [each.error for each in sandbox.webhooks.deliveries] == [None, None]


WRONG: list[tuple[object, dict[str, object], type[Exception]]] = [
    (print, {"key": ""}, ValueError),
    (print, {"key": " "}, ValueError),
    (print, {"key": None}, ValueError),
    (print, {"key": b"bytes"}, ValueError),
    (print, {"key": "\ud800"}, ValueError),
    (print, {"key": KEY, "classes": []}, ValueError),
    (print, {"key": KEY, "classes": ["account"]}, ValueError),
    (print, {"key": KEY, "format": "xml"}, ValueError),
    (asyncio.sleep, {"key": KEY}, TypeError),
    (7, {"key": KEY}, TypeError),
    (None, {"key": KEY}, TypeError),
]  # fmt: skip


@pytest.mark.parametrize(("to", "settings", "kind"), WRONG)
def test_a_subscription_is_checked_when_it_is_made(
    sandbox: Sandbox, to: object, settings: dict[str, object], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        sandbox.webhooks.subscribe(to, **settings)  # type: ignore[arg-type]  # the wrong type is the subject of the test
    change(sandbox, 1)
    assert sandbox.webhooks.deliveries == []


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/", "http://10.0.0.1/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
        "http://127.0.0.1@example.com/", "http://user:secret@127.0.0.1/", "https://127.0.0.1/", "ftp://127.0.0.1/",
        "file:///etc/passwd", "127.0.0.1:8000/hooks", "http://", "http:///hooks", "http://127.1/", "http://0.0.0.0/",
        "http://2130706433/", "http://[::]/", "http://[::ffff:10.0.0.1]/", "http://127.0.0.1:0/",
        "http://127.0.0.1:99999/", "http://127.0.0.1/#part", "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX-Evil: 1",
        "http://127.0.0.1/\u00e9", "http://127.0.0.1\\@example.com/", "http://[::1", "", " http://127.0.0.1/",
    ],
)  # fmt: skip
def test_webhooks_are_sent_only_to_this_machine(sandbox: Sandbox, url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|machine"):
        sandbox.webhooks.subscribe(url, key=KEY)
    assert not sandbox.webhooks.deliveries


class Receiver(HTTPServer):
    """A merchant's application, which handles one request at a time."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.arrived: list[webhooks.WebhookEvent] = []
        self.kinds: list[str | None] = []
        self.status = 204
        self.hold: threading.Event | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hooks?from=sandbox"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Receiver)
        if server.hold is not None:
            server.hold.wait(10)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.arrived.append(webhooks.unwrap(body, self.headers["X-Webhook-Signature"], KEY))
        server.kinds.append(self.headers["Content-Type"])
        assert self.path == "/hooks?from=sandbox"
        self.send_response_only(server.status)
        if server.status == 307:
            self.send_header("Location", "http://example.com/")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_url_is_posted_to(sandbox: Sandbox, receiver: Receiver) -> None:
    sandbox.webhooks.subscribe(receiver.url, key=KEY, classes=["accounts"])
    sandbox.webhooks.subscribe(receiver.url, key=KEY, classes=["accounts"], format="urlencoded")
    change(sandbox, 1, 2)
    assert [each.subject for each in receiver.arrived] == [("account", f"acct-000{number}") for number in (1, 1, 2, 2)]
    assert receiver.kinds == ["application/json", "application/x-www-form-urlencoded"] * 2
    assert [each.status for each in sandbox.webhooks.deliveries] == [204] * 4
    assert not [each for each in threading.enumerate() if each.name == "sandbox-webhooks"]


@pytest.mark.parametrize("status", [307, 404, 500])
def test_the_receivers_status_is_stored_and_redirects_are_not_followed(
    sandbox: Sandbox, receiver: Receiver, status: int
) -> None:
    receiver.status = status
    sandbox.webhooks.subscribe(receiver.url, key=KEY)
    change(sandbox, 1)
    assert [each.status for each in sandbox.webhooks.deliveries] == [status]
    assert len(receiver.arrived) == 1


def test_an_unreachable_receiver_does_not_affect_the_call(sandbox: Sandbox) -> None:
    with Receiver() as closed:
        url = closed.url
    sandbox.webhooks.subscribe(url, key=KEY)
    change(sandbox, 1)
    (delivery,) = sandbox.webhooks.deliveries
    assert isinstance(delivery.error, OSError)
    assert delivery.status is None


def test_nothing_is_sent_to_a_name_that_resolves_to_another_machine(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`localhost` is resolved like any other name, so it can resolve to another machine."""

    class Elsewhere:
        def getpeername(self) -> tuple[str, int]:
            return "192.0.2.1", 80

        def sendall(self, sent: bytes) -> None:
            pytest.fail(f"the sandbox sent {sent!r} to another machine")

        def close(self) -> None:
            pass

    def connect(connection: http.client.HTTPConnection) -> None:
        connection.sock = Elsewhere()  # type: ignore[assignment]  # replaces the socket

    monkeypatch.setattr(http.client.HTTPConnection, "connect", connect)
    sandbox.webhooks.subscribe("http://localhost:8000/", key=KEY)
    change(sandbox, 1)
    (delivery,) = sandbox.webhooks.deliveries
    assert "another machine" in str(delivery.error)


def test_a_receiver_without_http_does_not_affect_the_call(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(10_000)
                connection.sendall(b"SSH-2.0-OpenSSH\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        sandbox.webhooks.subscribe(f"http://127.0.0.1:{server.getsockname()[1]}/", key=KEY)
        change(sandbox, 1)
        thread.join()
    assert isinstance(sandbox.webhooks.deliveries[0].error, http.client.HTTPException | OSError)


def test_a_busy_receiver_delays_the_call_only_briefly(
    sandbox: Sandbox, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receiver may be busy with the request that caused the event."""
    from subscribekit.sandbox.webhooks.dispatch import Dispatch

    monkeypatch.setattr(Dispatch.deliver, "__kwdefaults__", {"longest": 0.01})
    receiver.hold = threading.Event()
    sandbox.webhooks.subscribe(receiver.url, key=KEY)
    change(sandbox, 1)
    assert receiver.arrived == []
    assert not sandbox.webhooks.wait(0)
    receiver.hold.set()
    assert sandbox.webhooks.wait()
    assert len(receiver.arrived) == 1


def test_calls_of_async_clients_send_webhooks_too(
    sandbox: Sandbox, subject_ids: list[str | None], receiver: Receiver
) -> None:
    sandbox.webhooks.subscribe(receiver.url, key=KEY, classes=["accounts"])

    async def story() -> None:
        async with sandbox.async_billing() as billing:
            await billing.accounts.update("acct-0001", Account(name="Ann"))
            assert len(receiver.arrived) == 1

    asyncio.run(story())
    assert subject_ids == ["acct-0001"]


def test_a_server_in_the_same_loop_is_reached(sandbox: Sandbox) -> None:
    arrived: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.splitlines() if line.lower().startswith(b"content-len"))
        arrived.append(await reader.readexactly(length))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async def story() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server, sandbox.async_billing() as billing:
            port = server.sockets[0].getsockname()[1]
            sandbox.webhooks.subscribe(f"http://localhost:{port}/", key=KEY)
            await billing.accounts.update("acct-0001", Account(name="Ann"))
            assert len(arrived) == 1

    asyncio.run(story())


def test_the_served_sandbox_sends_webhooks_too(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    with (
        SandboxServer(sandbox, plain=True) as server,
        BillingClient(environment=server.environment, allow_insecure_loopback=True) as billing,
    ):
        billing.accounts.update("acct-0001", Account(name="Ann"))
    assert subject_ids == ["acct-0001"]


def test_requests_without_a_client_send_webhooks_too(sandbox: Sandbox, subject_ids: list[str | None]) -> None:
    from .wire import Wire

    Wire(sandbox).call("billing", "POST", "/accounts/acct-0001", body={"name": "Ann"})
    assert subject_ids == ["acct-0001"]
