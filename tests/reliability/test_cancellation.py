"""A cancellation reaches the caller immediately, and the client loses only the connection of the canceled call."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from reliability.kit import Run, TimedNetwork, hazard, is_stalled, sent
from reliability.operations import E6, E8, E9, E11, Op, every_operation
from subscribekit import Limits, Timeouts
from subscribekit._core.http.connections.route import Route
from subscribekit._core.http.transport import RawRequest


@pytest.fixture
def loop() -> Iterator[Run]:
    """Async clients only."""
    run = Run("async")
    yield run
    run.close()


@hazard("H11")
@every_operation
def test_a_canceled_call_ends_immediately_and_notes_the_outcome_of_a_write(
    loop: Run, srv: FaultServer, op: Op, caplog: pytest.LogCaptureFixture
) -> None:
    srv.script(f.stall_before_headers())
    client = loop.client(op.group, srv)
    begun = loop.begin(client, op.use)
    loop.arrived(srv, 1)
    begun.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        loop.end(begun)
    assert len(srv.requests) == 1
    notes = getattr(caught.value, "__notes__", [])
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    if op.writes:
        assert f"outcome unknown, reconcile by {op.key!r}" in notes[0]
        assert f"outcome unknown, phase body_sent, reconcile by {op.key!r}" in warnings[0]
    assert (len(notes), len(warnings)) == ((1, 1) if op.writes else (0, 0))


@hazard("H11")
def test_a_timeout_of_the_caller_raises_the_caller_s_timeout_error(loop: Run, srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    client = loop.client("gateway", srv)

    async def impatient() -> None:
        async with asyncio.timeout(0.1):
            await E8.use(client)

    with pytest.raises(TimeoutError) as caught:
        loop.wait(impatient())
    # In the first releases of Python 3.11, the cancellation is only the context.
    assert isinstance(caught.value.__cause__ or caught.value.__context__, asyncio.CancelledError)
    assert len(srv.requests) == 1


@hazard("H11")
@pytest.mark.parametrize("op", [E6, E11], ids=str)
def test_a_cancelled_retry_is_not_retried(loop: Run, srv: FaultServer, op: Op) -> None:
    srv.script(f.status(500), f.stall_before_headers())
    begun = loop.begin(loop.client(op.group, srv), op.use)
    loop.arrived(srv, 2)
    begun.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.end(begun)
    assert len(srv.requests) == 2


@hazard("H11")
def test_a_retry_that_is_interrupted_is_not_retried(srv: FaultServer) -> None:
    class Interrupted(TimedNetwork):
        def send(self, request: RawRequest) -> Any:
            response = super().send(request)
            if len(srv.requests) == 2:
                response.body.close()
                raise KeyboardInterrupt
            return response

    run = Run("blocking")
    network = Interrupted(Route(Limits()), run.time.clock())
    srv.script(f.status(500))
    for op in (E6, E11):
        srv.forget()
        with pytest.raises(KeyboardInterrupt) as caught:
            run(run.client(op.group, srv, transport=network), op.use)
        assert len(srv.requests) == 2
        assert ("outcome unknown" in "".join(getattr(caught.value, "__notes__", []))) == op.writes
    network.close()
    run.close()


@hazard("H11")
@pytest.mark.parametrize(
    ("fault", "outcome"), [(f.close_after_request(), "unknown"), (f.rate_limited("3"), "rejected")], ids=str
)
def test_a_call_can_be_interrupted_while_it_waits_for_a_retry(
    run: Run, srv: FaultServer, fault: Step, outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt if run.style == "blocking" else asyncio.CancelledError

    run.time.while_asleep = interrupt
    srv.script(fault)
    with pytest.raises((KeyboardInterrupt, asyncio.CancelledError)) as caught:
        run(run.client("storefront", srv), E11.use)
    assert f"outcome {outcome}, reconcile by 'a1'" in caught.value.__notes__[0]
    assert f"outcome {outcome}" in caplog.records[-1].getMessage()
    assert len(srv.requests) == 1


@hazard("H11", "H83")
def test_a_call_that_is_canceled_while_it_waits_for_a_connection_is_not_sent(loop: Run, srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    client = loop.client("gateway", srv, limits=Limits(max_connections=1))
    first = loop.begin(client, E6.use)
    loop.arrived(srv, 1)
    second = loop.begin(client, E8.use)
    loop.wait(asyncio.sleep(0.01))
    second.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        loop.end(second)
    assert "outcome not_sent" in caught.value.__notes__[0]
    srv.release()
    loop.end(first)
    assert sent(srv) == 1


@hazard("H80")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_canceled_calls_lose_no_connection_permanently(loop: Run, tls: bool) -> None:
    draw = random.Random(80)  # cancels in the pool, and while connecting, shaking hands, writing, or reading
    count = 300 if tls else 1500
    with FaultServer(f.ok(), tls=tls) as srv:
        client = loop.client("gateway", srv, timed=False, limits=Limits(max_connections=5))

        async def cancelled() -> None:
            task = asyncio.ensure_future(E6.use(client))
            for _ in range(draw.randrange(40)):
                await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

        async def wave(size: int) -> None:
            await asyncio.gather(*(cancelled() for _ in range(size)))

        async def five() -> list[Any]:
            return await asyncio.gather(*(E6.use(client) for _ in range(5)))

        for _ in range(count // 50):
            loop.wait(wave(50))
        assert [each.id for each in loop.wait(five())] == ["a1"] * 5
        (connections,) = client._driver.transport._pool._loops.values()
        assert not connections.permits
        assert len(connections.idle) <= 5
        loop.wait(client.aclose())
        loop.disconnected(srv)
        assert not [task for task in asyncio.all_tasks(loop.loop) if not task.done()]
    gc.collect()  # an open socket emits a warning, and warnings are errors


@hazard("H80")
@pytest.mark.parametrize("how", ["connect", "handshake", "write", "head", "body"])
def test_a_call_cancelled_at_a_certain_step_leaves_no_connection(loop: Run, how: str) -> None:
    step = {
        "connect": f.never_read(), "handshake": f.tls_stall(), "write": f.never_read(),
        "head": f.stall_before_headers(), "body": f.stall_mid_body(),
    }[how]  # fmt: skip
    with FaultServer(step, tls=how == "handshake") as srv:
        client = loop.client(
            "billing", srv, timed=False, timeouts=Timeouts(connect=30), limits=Limits(max_connections=1)
        )
        many = 8_000 if how == "write" else 1
        begun = loop.begin(client, lambda c: c.request("POST", "/things", json={"value": ["v" * 1000] * many}))

        async def reached() -> None:
            while not is_stalled(srv):
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.01)

        loop.wait(reached())
        begun.cancel()
        with pytest.raises(asyncio.CancelledError):
            loop.end(begun)
        gc.collect()
        srv.script(f.ok())
        srv.release()
        assert loop(client, E6_BILLING) == {"id": "a1", "vid": "s1", "transactionReferenceId": "ref-1"}


def E6_BILLING(client: Any) -> Any:  # noqa: N802
    return client.request("GET", "/things/t1")


@hazard("H80")
def test_a_call_cancelled_twice_leaves_no_connection(loop: Run, srv: FaultServer) -> None:
    srv.script(f.stall_mid_body())
    client = loop.client("gateway", srv, timed=False, limits=Limits(max_connections=1))

    async def twice() -> None:
        for steps in range(12):
            task = asyncio.ensure_future(E6.use(client))
            while not is_stalled(srv):
                await asyncio.sleep(0.001)
            task.cancel()
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await asyncio.to_thread(srv.release)
            srv.script(f.stall_mid_body())

    loop.wait(twice())
    srv.script(f.ok())
    assert loop(client, E6.use).id == "a1"
    gc.collect()


@hazard("H80", "H439")
@pytest.mark.parametrize("step", [f.stall_before_headers(), f.stall_mid_body()], ids=str)
def test_a_call_in_a_cancel_scope_of_anyio_notes_its_outcome_and_leaves_no_connection(
    loop: Run, srv: FaultServer, step: Step
) -> None:
    client = loop.client("gateway", srv, timed=False, limits=Limits(max_connections=1))

    async def cancelled(number: int) -> BaseException:
        with anyio.CancelScope() as scope:
            asyncio.get_running_loop().create_task(cancel(scope, number))
            try:
                await E8.use(client)
            except asyncio.CancelledError as error:
                caught = error
                raise
        assert scope.cancelled_caught
        return caught

    async def cancel(scope: anyio.CancelScope, number: int) -> None:
        while len(srv.requests) < number:
            await asyncio.sleep(0.001)
        scope.cancel()

    for number in (1, 2, 3):
        srv.script(step)
        assert "outcome unknown" in loop.wait(cancelled(number)).__notes__[0]
        srv.release()
    srv.script(f.ok())
    assert loop(client, E6.use).id == "a1"
    gc.collect()


@hazard("H11", "H80")
def test_a_canceled_list_resumes_from_its_checkpoint(loop: Run, srv: FaultServer) -> None:
    client = loop.client("billing", srv)
    srv.script(f.page([{"id": "a1"}, {"id": "a2"}], "/accounts?starting_after=a2"), f.stall_before_headers())
    pager = client.accounts.list()
    found: list[str] = []
    keep = found.append

    async def read() -> None:
        async for account in pager:
            keep(account.id)  # item by item, because the read is canceled in the middle

    begun = loop.loop.create_task(read())
    loop.arrived(srv, 2)
    begun.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.end(begun)
    srv.script(f.page([{"id": "a3"}]))
    rest = loop(client.accounts.list(checkpoint=pager.checkpoint))
    assert found + [account.id for account in rest] == ["a1", "a2", "a3"]


@hazard("H11")
def test_a_delete_by_filter_that_is_cancelled_is_not_repeated(loop: Run, srv: FaultServer) -> None:
    srv.script(f.stall_before_headers())
    begun = loop.begin(loop.client("user_mgmt", srv), E9.use)
    loop.arrived(srv, 1)
    begun.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.end(begun)
    srv.assert_no_duplicate()
