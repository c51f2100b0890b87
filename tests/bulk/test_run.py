"""A run sends each item once, keeps each outcome, and resumes where it stopped (H156, H157, H177)."""

from __future__ import annotations

import copy
import csv
import json
import pickle
import stat
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from bulk.kit import KEY, Ledgered, charge, client_of, files, jobs, opened
from kit.clocks import FakeTime
from subscribekit import BillingClient, GatewayClient
from subscribekit.bulk import Counts, RateLimit, Run, StopPolicy
from subscribekit.bulk._sending.session import Session
from subscribekit.errors import (
    BadRequestError,
    BulkError,
    ConfigurationError,
    InvalidArgumentError,
    LedgerError,
    OutcomeUnknownError,
    RateLimitError,
    SubscribekitError,
)
from subscribekit.models import EntitlementChargeReceipt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


def test_each_item_is_sent_once_and_returns_its_result(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client) as run:
        assert run.add(jobs(client, 30)) == 30
        assert run.counts() == Counts(ready=30)
        items = list(run.send())
        assert run.counts() == Counts(done=30)
        assert run.stopped is None
    assert {item.key for item in items} == {f"order-{each}" for each in range(30)}
    assert {item.state for item in items} == {"done"}
    assert service.effects == {f"t{each}": 1 for each in range(30)}
    (one,) = [item for item in items if item.key == "order-7"]
    assert isinstance(one.result, EntitlementChargeReceipt)
    assert one.result.transaction_reference_id == "ref-t7"
    assert (one.attempts, one.error, one.operation, one.method) == (1, None, "entitlements.charge", "POST")
    assert one.request_id == "q-ref-t7"
    assert one.trace_id is not None
    assert one.added_at <= one.sent_at <= one.ended_at  # type: ignore[operator]


def test_stored_items_are_read_back_unchanged(path: Path) -> None:
    with client_of() as client:
        with opened(path, client) as run:
            run.add(jobs(client, 3))
            given = {item.key: item for item in run.send()}
        with opened(path, client) as run:
            assert list(run.send()) == []
            for item in run.items("done"):
                same = given[item.key]
                assert item.result == same.result
                assert (item.request_id, item.trace_id, item.attempts) == (same.request_id, same.trace_id, 1)


def test_a_run_resumes_where_an_earlier_one_stopped(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 50))
            for number, _ in enumerate(run.send()):
                if number == 9:
                    break
            counts = run.counts()
            assert counts.sent == counts.unknown == 0
            assert counts.done < 50
            assert run.stopped == "the loop over run.send() was left"
        with opened(path, client) as run:
            assert run.add(jobs(client, 60)) == 10
            assert len(list(run.send())) == 60 - counts.done
            assert run.counts() == Counts(done=60)
    assert set(service.effects.values()) == {1}
    assert len(service.effects) == 60


def test_a_key_stands_for_one_request(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        request = client.prepare.entitlements.charge("ps-1", charge(1))
        other = client.prepare.entitlements.charge("ps-1", charge(1, "2.00"))
        assert run.add([("a", request), ("a", request)]) == 1
        assert run.add([("a", request)]) == 0
        with pytest.raises(BulkError, match="'a' was already used for another request"):
            run.add([("b", request), ("a", other)])
        with pytest.raises(BulkError, match="'c' was already used"):
            run.add([("c", request), ("c", other)])
        assert run.counts().total == 1


@pytest.mark.parametrize("key", ["", "a\n", "\ud800", "x" * 256, 7, None])
def test_an_invalid_key_is_refused(path: Path, key: Any) -> None:
    with client_of() as client, opened(path, client) as run:
        request = client.prepare.entitlements.charge("ps-1", charge(1))
        with pytest.raises(InvalidArgumentError, match="key"):
            run.add([("ok", request), (key, request)])
        assert run.counts().total == 0


def test_only_prepared_writes_are_accepted(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        for wrong, message in (
            (client.prepare.subscriptions.retrieve("s"), "is a read"),
            ("request", "must be a prepared request"),
            (BillingClient(environment="sandbox").prepare.payments.reverse("p"), "prepared by BillingClient"),
            (client_other().prepare.entitlements.charge("p", charge(1)), "was prepared for"),
        ):
            with pytest.raises(InvalidArgumentError, match=message):
                run.add([("a", wrong)])  # type: ignore[list-item]
        with pytest.raises(InvalidArgumentError, match="pairs"):
            run.add(["a"])  # type: ignore[list-item]
        assert run.counts().total == 0


def client_other() -> GatewayClient:
    return GatewayClient(base_url="https://other.test", api_key=KEY)


def test_outcomes_are_kept_with_their_errors(path: Path) -> None:
    answers: dict[str, Any] = {
        "t0": httpx.Response(400, json={"code": "invalid-request", "message": "no"}, headers={"Request-Id": "q9"}),
        "t1": httpx.ReadError("lost"),
        "t2": httpx.Response(500, json={"code": "server-error"}),
        "t3": httpx.Response(402, json={"message": "declined"}),
    }
    service = Ledgered(answers.get)
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 6))
            live = {item.key: item for item in run.send()}
        with opened(path, client) as run:
            assert list(run.send()) == []
            kept = {item.key: item for item in run.items()}
            assert run.counts() == Counts(done=2, rejected=2, unknown=2)
    for items in (live, kept):
        states = [items[f"order-{each}"].state for each in range(6)]
        assert states == ["rejected", "unknown", "unknown", "rejected", "done", "done"]
        error = items["order-0"].error
        assert isinstance(error, BadRequestError)
        assert (error.status_code, error.code, error.message, error.outcome) == (
            400,
            "invalid-request",
            "no",
            "rejected",
        )
        assert error.operation == "entitlements.charge"
        lost = items["order-1"].error
        assert isinstance(lost, OutcomeUnknownError)
        assert (lost.outcome, lost.reconcile_key, lost.method) == ("unknown", "t1", "POST")
        assert lost.sent_at is not None
        assert items["order-1"].result is None
    assert str(live["order-1"].error) == str(kept["order-1"].error)
    assert set(service.effects.values()) == {1}
    assert len(service.arrived) == 6


def test_an_unsent_item_is_retried_and_then_stays_ready(path: Path) -> None:
    tries = {"t0": 2, "t1": 99}

    def refuse(charged: str) -> Exception | None:
        tries[charged] = tries.get(charged, 0) - 1
        return httpx.ConnectError("refused") if tries[charged] >= 0 else None

    service = Ledgered(refuse)
    with clocked(service) as client, opened(path, client, max_attempts=4) as run:
        run.add(jobs(client, 3))
        items = {item.key: item for item in run.send()}
        assert {key: item.state for key, item in items.items()} == {
            "order-0": "done", "order-1": "ready", "order-2": "done",
        }  # fmt: skip
        assert items["order-1"].attempts == 4
        assert items["order-1"].error is not None
        assert items["order-1"].error.outcome == "not_sent"
        assert run.counts() == Counts(done=2, ready=1)
        tries["t1"] = 0
        assert [item.state for item in run.send()] == ["done"]
    assert set(service.effects.values()) == {1}


def test_an_item_that_is_retried_immediately_is_still_in_flight(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An item that is claimed again in the same commit stays in flight (H186)."""
    deliver = Session.deliver

    def deliver_late(session: Session, entry: Any, result: Any, kept: Any = None) -> None:
        for thread in threading.enumerate():
            if thread.name == "subscribekit-worker":
                thread.join(0.05)
        deliver(session, entry, result, kept)

    monkeypatch.setattr(Session, "deliver", deliver_late)
    service = Ledgered(lambda _: httpx.ConnectError("refused"))
    with clocked(service) as client, opened(path, client, max_attempts=2, concurrency=1) as run:
        run.add(jobs(client, 1))
        assert [(item.state, item.ended_at) for item in run.send()] == [("ready", None)]


def clocked(service: Ledgered) -> GatewayClient:
    """Return a client with a fake clock, so that nothing waits."""
    service.clock = FakeTime().clock()  # type: ignore[attr-defined]
    return client_of(service)


def test_all_workers_wait_after_429(path: Path) -> None:
    time = FakeTime()
    answers: list[Any] = [httpx.Response(429, headers={"Retry-After": "17"}, json={"code": "slow"})]
    service = Ledgered(lambda _: answers.pop() if answers else None)
    service.clock = time.clock()  # type: ignore[attr-defined]
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 3))
        states = [item.state for item in run.send()]
        assert states == ["rejected", "done", "done"]
        assert 17 in time.slept
        (refused,) = run.items("rejected")
        assert isinstance(refused.error, RateLimitError)
        assert refused.error.retry_after == 17
        assert str(refused.error).endswith(
            "The run paused because of this response. To send this item again, call item.record_outcome('not_applied')."
        )
        refused.record_outcome("not_applied", note="too fast")
        assert [item.key for item in run.send()] == [refused.key]


@pytest.mark.parametrize(
    ("stop", "reason"),
    [(StopPolicy(max_rejected=3), "3 items are rejected"), (StopPolicy(max_items=3), "3 items were sent")],
)
def test_a_run_stops_and_keeps_the_reason(path: Path, stop: StopPolicy, reason: str) -> None:
    service = Ledgered(lambda _: httpx.Response(400, json={"code": "invalid-request"}))
    with client_of(service) as client, opened(path, client, stop=stop, concurrency=1) as run:
        run.add(jobs(client, 9))
        assert len(list(run.send())) == 3
        assert run.stopped == reason
        assert run.counts() == Counts(ready=6, rejected=3)
        assert len(list(run.send())) == 3


def test_a_canary_sends_no_extra_item(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client, stop=StopPolicy(max_items=5), concurrency=16) as run:
        run.add(jobs(client, 40))
        assert len(list(run.send())) == 5
        assert len(service.arrived) == 5


def test_a_stopped_run_explains_the_effect_of_another_send(path: Path) -> None:
    """A second loop over `run.send()` sends the next items."""
    with client_of() as client, opened(path, client, stop=StopPolicy(max_items=3)) as run:
        run.add(jobs(client, 5))
        assert len(list(run.send())) == 3
        reason = "; stopped: 3 items were sent; another run.send() sends up to 3 more"
        assert repr(run) == f"<Run on the ledger charges.db{reason}>"
        assert "another run.send() sends up to 3 more" in run._repr_html_()
        assert len(list(run.send())) == 2
        assert repr(run) == "<Run on the ledger charges.db>"
    service = Ledgered(lambda _: httpx.Response(400, json={"code": "invalid-request"}))
    with client_of(service) as client, opened(path.with_name("s.db"), client, stop=StopPolicy(max_rejected=1)) as run:
        run.add(jobs(client, 9))
        list(run.send())
        assert repr(run).endswith("; another run.send() sends the rest>")


def test_a_refused_credential_stops_the_run(path: Path) -> None:
    service = Ledgered(lambda _: httpx.Response(401, json={"code": "authentication-required"}))
    with client_of(service) as client, opened(path, client, concurrency=2) as run:
        run.add(jobs(client, 100))
        assert len(list(run.send())) <= 2
        assert "credential" in (run.stopped or "")
        assert run.counts().ready >= 98


def test_an_error_that_affects_every_item_is_raised_and_nothing_is_lost(path: Path) -> None:
    client = client_of()
    with opened(path, client) as run:
        run.add(jobs(client, 10))
        client.close()
        with pytest.raises(SubscribekitError, match="closed"):
            list(run.send())
        assert run.counts() == Counts(ready=10)


def test_an_unexpected_error_is_raised_and_the_outcome_is_unknown(path: Path) -> None:
    def fall(_: str) -> None:
        raise RuntimeError("a bug in a transport")

    with client_of(Ledgered(fall)) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 5))
        with pytest.raises(RuntimeError, match="a bug"):
            list(run.send())
        assert run.counts() == Counts(ready=4, unknown=1)


def test_a_recorded_outcome_decides_the_state_of_an_item(path: Path) -> None:
    answers: dict[str, Any] = {"t0": httpx.ReadError("x"), "t1": httpx.ReadError("x"), "t2": httpx.Response(400)}
    service = Ledgered(answers.get)
    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, 4))
        items = {item.key: item for item in run.send()}
        items["order-0"].record_outcome("applied", note="ticket 88")
        assert (items["order-0"].state, items["order-0"].note) == ("done", "ticket 88")
        assert items["order-0"].ended_at is not None
        with pytest.raises(BulkError, match="no outcome was recorded"):
            items["order-0"].record_outcome("not_applied")
        with pytest.raises(BulkError, match="no outcome was recorded"):
            items["order-3"].record_outcome("not_applied")
        with pytest.raises(InvalidArgumentError, match="state must be"):
            items["order-1"].record_outcome("maybe")  # type: ignore[arg-type]
        with pytest.raises(InvalidArgumentError, match="note"):
            items["order-1"].record_outcome("applied", note="\0")
        stale = next(iter(run.items("unknown")))
        items["order-1"].record_outcome("not_applied", note="the operator says so")
        assert items["order-1"].ended_at is None
        with pytest.raises(BulkError, match="is now ready"):
            stale.record_outcome("applied")
        answers.clear()
        assert [item.key for item in run.send()] == ["order-1"]
        items["order-2"].record_outcome("rejected")
        assert run.counts() == Counts(done=3, rejected=1)
    assert service.effects["t1"] == 2  # because the recorded outcome allowed it


def test_send_once_sends_one_item_and_later_returns_its_outcome(path: Path) -> None:
    answers: dict[str, Any] = {"t1": httpx.Response(400), "t2": httpx.ReadError("lost"), "t3": httpx.ConnectError("x")}
    service = Ledgered(answers.get)

    def use(run: Run, client: GatewayClient, number: int) -> EntitlementChargeReceipt:
        return run.send_once(f"order-{number}", client.prepare.entitlements.charge(f"ps-{number}", charge(number)))

    with client_of(service) as client:
        for _ in range(3):
            with opened(path, client) as run:
                assert use(run, client, 0).transaction_reference_id == "ref-t0"
                with pytest.raises(BadRequestError):
                    use(run, client, 1)
                with pytest.raises(OutcomeUnknownError) as caught:
                    use(run, client, 2)
                assert caught.value.reconcile_key == "t2"
                with pytest.raises(BulkError, match="another request"):
                    run.send_once("order-0", client.prepare.entitlements.charge("ps-9", charge(0)))
        with opened(path, client) as run:
            with pytest.raises(SubscribekitError) as unsent:
                use(run, client, 3)
            assert unsent.value.outcome == "not_sent"
            answers.clear()
            assert use(run, client, 3).transaction_reference_id == "ref-t3"
            assert run.counts() == Counts(done=2, rejected=1, unknown=1)
    assert service.arrived.count("t0") == service.arrived.count("t1") == service.arrived.count("t2") == 1


def test_send_once_in_many_threads_sends_once(path: Path) -> None:
    service, results = Ledgered(), list[str | None]()
    with client_of(service) as client, opened(path, client) as run:

        def use() -> None:
            found = run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1)))
            results.append(found.transaction_reference_id)

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == ["ref-t1"] * 8
    assert service.arrived == ["t1"]


def test_the_report_has_a_line_for_each_item(path: Path, tmp_path: Path) -> None:
    answers: dict[str, Any] = {"t0": httpx.Response(400, json={"message": "=1+1"}), "t1": httpx.ReadError("x")}
    with client_of(Ledgered(answers.get)) as client, opened(path, client) as run:
        run.add(jobs(client, 3))
        list(run.send())
        assert run.report(tmp_path / "report.csv") == 3
    text = (tmp_path / "report.csv").read_text()
    lines = {line["key"]: line for line in csv.DictReader(text.splitlines())}
    assert lines["order-0"]["state"] == "rejected"
    assert lines["order-0"]["error_class"] == "BadRequestError"
    assert lines["order-1"]["outcome"] == "unknown"
    assert lines["order-2"]["request_id"] == "q-ref-t2"
    assert lines["order-2"]["trace_id"]
    money = {key: (line["amount"], line["currency"], line["receipt"]) for key, line in lines.items()}
    assert money == {"order-0": ("", "", ""), "order-1": ("", "", ""), "order-2": ("1.50", "USD", "ref-t2")}
    assert stat.S_IMODE((tmp_path / "report.csv").stat().st_mode) == 0o600


def test_the_preview_shows_requests_as_they_will_be_sent(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, 5))
        requests = run.preview(2)
        assert [request.url for request in requests] == [
            f"https://gateway.test/v1/entitlement/ps-{each}/charge" for each in (0, 1)
        ]
        assert json.loads(requests[0].body or b"", parse_float=Decimal)["amount"] == Decimal("1.50")
        assert requests[0].headers["x-api-key"] == "***"
        assert service.arrived == []
        with pytest.raises(ConfigurationError, match="n must"):
            run.preview(0)


@pytest.mark.hazard("H388")
@pytest.mark.parametrize("shown", [repr, Run._repr_html_, str])
def test_a_run_is_shown_without_a_query(place: str, shown: Callable[[Run], str]) -> None:
    with client_of() as client, opened(place, client, stop=StopPolicy(max_items=1)) as run:
        run.add(jobs(client, 2))
        list(run.send())
        name, queries = run._open().database.name, list[str]()

        def note(_connection: object, _cursor: object, query: str, *_: object) -> None:
            queries.append(query)

        event.listen(run._open().database.engine, "before_cursor_execute", note)
        assert f"Run on {name}; stopped: 1 items were sent" in shown(run)
        assert queries == []
        run.counts()
        assert queries != []


def test_a_run_and_its_items_are_shown(path: Path) -> None:
    with client_of() as client:
        with opened(path, client) as run:
            run.add(jobs(client, 2))
            assert repr(run) == "<Run on the ledger charges.db>"
            assert run._repr_html_() == "<code>&lt;Run on the ledger charges.db&gt;</code>"
            (item,) = list(run.items("ready"))[:1]
            assert repr(item) == "<Item 'order-0' ready entitlements.charge>"
            assert "<td>order-0</td>" in item._repr_html_()
        assert repr(run) == "<Run that is closed>"


@pytest.mark.parametrize("duplicate", [copy.copy, pickle.dumps])
def test_a_run_cannot_be_copied(path: Path, duplicate: Callable[[object], object]) -> None:
    with client_of() as client, opened(path, client) as run:
        with pytest.raises(
            TypeError,
            match=r"a Run contains a client and an open ledger, .* create a new Run with the same ledger",
        ):
            duplicate(run)
        run.add(jobs(client, 1))
    assert run._repr_html_() == "<code>&lt;Run that is closed&gt;</code>"


def test_progress_is_reported(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reported: list[Counts] = []
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 5))
        assert len(list(run.send(progress=reported.append))) == 5
        assert reported[0].ready + reported[0].sent + reported[0].done == 5
        assert reported[-1] == Counts(done=5)
        run.add(jobs(client, 5, 5))
        list(run.send(progress=True))
        assert "10/10" in capsys.readouterr().err
        with pytest.raises(InvalidArgumentError, match="progress"):
            run.send(progress=7)  # type: ignore[arg-type]


def test_the_ledger_is_its_owner_s_and_holds_no_credential(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 20))
        results = run.send()
        next(results)
        assert len(files(path)) == 3
        for file in files(path):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
            assert KEY.encode() not in file.read_bytes()


def secret_receipt() -> httpx.Response:
    return httpx.Response(200, json={"transactionReferenceId": "SECRET-RESULT"})


def test_purging_removes_every_byte(path: Path) -> None:
    service = Ledgered(lambda charged: httpx.ReadError("x") if charged == "t5" else secret_receipt())
    with client_of(service) as client, opened(path, client) as run:
        requests = [
            (f"k{each}", client.prepare.entitlements.charge(f"SECRET-PERSON-{each}", charge(each))) for each in range(8)
        ]
        run.add(requests)
        list(run.send())
        held = b"".join(file.read_bytes() for file in files(path))
        assert held.count(b"SECRET-RESULT") >= 7
        assert run.purge_data() == 7
        left = b"".join(file.read_bytes() for file in files(path))
        assert b"SECRET-RESULT" not in left
        assert b"SECRET-PERSON-5" in left  # this item is unknown and must still be resolved, so it keeps its data
        assert all(b"SECRET-PERSON-%d" % each not in left for each in range(8) if each != 5)
        assert run.purge_data() == 0
        assert run.add(requests) == 0
        assert run.counts() == Counts(done=7, unknown=1)
        with pytest.raises(BulkError, match="purge_data"):
            run.send_once(*requests[0])
        with pytest.raises(BulkError, match="another request"):
            run.send_once("k0", requests[1][1])


def test_invalid_arguments_are_refused(path: Path) -> None:
    with client_of() as client:
        for options in (
            {"rate_limit": 5}, {"stop": 3}, {"concurrency": 0}, {"lease": 0}, {"lease": "1"}, {"max_attempts": True},
        ):  # fmt: skip
            with pytest.raises(ConfigurationError):
                Run(path, client, **options)  # type: ignore[arg-type]
        for make in (
            lambda: RateLimit(0),
            lambda: RateLimit(5, per=0),
            lambda: StopPolicy(max_items=0),
            lambda: StopPolicy(max_unknown=1.5),
        ):  # type: ignore[arg-type]
            with pytest.raises(ConfigurationError):
                make()
        for place in ("", ":memory:", "mysql://x/y", "file:x", 7):
            with pytest.raises((ConfigurationError, LedgerError)):
                Run(place, client)  # type: ignore[arg-type]
        with pytest.raises(ConfigurationError, match="AsyncRun"):
            Run(path, "client")  # type: ignore[arg-type]
        assert not path.exists()


def test_items_are_read_in_pages_without_scanning_earlier_ones(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 30))
        ledger = run._open()
        with ledger.database.write() as connection:
            connection.exec_driver_sql("UPDATE subscribekit_items SET due = id % 3")
        keys = [entry.key for page in ledger.pages("ready", 4) for entry in page]
        assert len(keys) == len(set(keys)) == 30
        assert [entry.key for page in ledger.pages(None, 7) for entry in page] == [
            f"order-{each}" for each in range(30)
        ]
        plans: list[str] = []

        def explain(statement: str, parameters: Any) -> None:
            if statement.startswith("SELECT"):
                with ledger.database.engine.connect() as asked:
                    rows = asked.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
                    plans.extend(row[3] for row in rows)  # type: ignore[union-attr]

        from sqlalchemy import event

        event.listen(ledger.database.engine, "after_cursor_execute", lambda *each: explain(each[2], each[3]))
        first = ledger.page("ready", None, 4)
        ledger.page("ready", first[-1], 4)
        assert any("state=? AND due=? AND rowid>?" in plan or "state=? AND due=? AND id>?" in plan for plan in plans)
        assert not any("SCAN subscribekit_items" in plan for plan in plans)


def test_a_call_without_prepare_sends_one_charge_and_says_so(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client) as run:

        def forgotten() -> Any:
            for each in range(20):
                yield f"order-{each}", client.entitlements.charge("ps-1", charge(each))

        for _ in range(2):
            with pytest.raises(InvalidArgumentError, match=r"(?s)'order-0'.*client\.prepare.*was already carried out"):
                run.add(forgotten())
        assert service.arrived == ["t0", "t0"]  # only the two calls were sent, nothing beyond them
        for result in (client.with_raw_response.entitlements.charge("ps-1", charge(9)), None, {"a": 1}):
            with pytest.raises(InvalidArgumentError, match="was already carried out"):
                run.add([("a", result)])  # type: ignore[list-item]
            with pytest.raises(InvalidArgumentError, match="was already carried out"):
                run.send_once("a", result)  # type: ignore[arg-type]
        with pytest.raises(InvalidArgumentError, match="was already carried out"):
            run.add([client.entitlements.charge("ps-1", charge(9))])  # type: ignore[list-item]
        assert run.counts().total == 0


def test_the_error_of_an_item_names_run_resolve(path: Path, tmp_path: Path) -> None:
    with client_of(Ledgered(lambda _: httpx.ReadError("lost"))) as client, opened(path, client) as run:
        run.add(jobs(client, 1))
        (item,) = run.send()
        (kept,) = run.items("unknown")
        run.report(tmp_path / "report.csv")
        for text in (str(item.error), str(kept.error), (tmp_path / "report.csv").read_text()):
            assert "run.resolve()" in text
            assert "client.resolve" not in text
        with pytest.raises(OutcomeUnknownError, match=r"run\.resolve\(\)"):
            run.send_once("order-0", client.prepare.entitlements.charge("ps-0", charge(0)))


def test_the_note_of_an_item_stays_when_it_is_sent_again(path: Path, tmp_path: Path) -> None:
    answers: dict[str, Any] = {"t0": httpx.ReadError("lost")}
    with client_of(Ledgered(answers.get)) as client, opened(path, client) as run:
        run.add(jobs(client, 1))
        (item,) = run.send()
        item.record_outcome("not_applied", note="ticket 88: it was not made")
        answers.clear()
        (again,) = run.send()
        (kept,) = run.items("done")
        assert again.note == kept.note == "ticket 88: it was not made"
        run.report(tmp_path / "report.csv")
    (line,) = csv.DictReader((tmp_path / "report.csv").read_text().splitlines())
    cells = ["done", "2", "", "ticket 88: it was not made"]
    assert [line[name] for name in ("state", "attempts", "verdict", "note")] == cells


@pytest.mark.parametrize("state", ["applied", "rejected", "not_applied"])
def test_the_report_of_a_recorded_item_does_not_call_it_unknown(path: Path, tmp_path: Path, state: Any) -> None:
    with client_of(Ledgered(lambda _: httpx.ReadError("lost"))) as client, opened(path, client) as run:
        run.add(jobs(client, 1))
        (item,) = run.send()
        item.record_outcome(state, note="operator ticket 88")
        run.report(tmp_path / "report.csv")
    ((line),) = csv.DictReader((tmp_path / "report.csv").read_text().splitlines())
    assert line["verdict"] == f"recorded as {state}"
    assert [line[name] for name in ("outcome", "error_class", "error")] == ["", "", ""]


def test_a_read_only_client_inspects_a_ledger_and_sends_nothing(path: Path) -> None:
    """A read-only client can read a ledger, but can't send from it (H246)."""
    service = Ledgered()
    with client_of(service, read_only=True) as client, opened(path, client) as run:
        run.add(jobs(client, 2))
        assert len(run.preview()) == 2
        with pytest.raises(InvalidArgumentError, match="read-only"):
            list(run.send())
        with pytest.raises(InvalidArgumentError, match="read-only"):
            run.send_once("order-0", client.prepare.entitlements.charge("ps-0", charge(0)))
        assert run.counts() == Counts(ready=2)
        assert run.resolve().applied == 0
    assert service.effects == {}


def test_a_client_that_checks_minor_units_checks_requests_of_other_clients(path: Path) -> None:
    """The check also applies to requests that a client without the check prepared (H247)."""
    with client_of() as other, client_of(check_minor_units=True) as client, opened(path, client) as run:
        with pytest.raises(InvalidArgumentError, match="amount has 3 decimal places"):
            run.add([("o1", other.prepare.entitlements.charge("ps-1", charge(1, "1.999")))])
        assert run.counts() == Counts()
