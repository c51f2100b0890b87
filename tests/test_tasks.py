"""The code of the guides and the task pages under faults: interrupted exports, and work that fails (H198, H203)."""

import asyncio
import inspect
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from code_blocks import DOCS, blocks
from elsewhere import EXAMPLES
from subscribekit import BillingClient, webhooks
from subscribekit.errors import InvalidArgumentError, ServerError
from subscribekit.export import to_arrow
from subscribekit.models import Account, Transaction
from subscribekit.models.subscription_changes import change_plan
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import server_error

Export = Callable[[BillingClient, Path], int]


def block_with(page: str, part: str, until: str) -> dict[str, Any]:
    """Run the block of a guide that contains a text, up to a line."""
    code = next(block.code for block in blocks(DOCS / "guides" / page) if block.runs and part in block.code)
    assert until in code
    namespace: dict[str, Any] = {}
    exec(code[: code.index(until)], namespace)
    return namespace


@pytest.fixture
def export() -> Export:
    exported: Export = block_with("export.md", "def export(", "billing = BillingClient")["export"]
    return exported


class Killed(BaseException):
    """Simulates the end of the process."""


def dies_at(monkeypatch: pytest.MonkeyPatch, step: int) -> list[str]:
    """Simulate the end of the process at a step that changes the disk, and return the list of started steps."""
    begun: list[str] = []

    def guarded(name: str) -> None:
        whole = getattr(Path, name)

        def method(self: Path, *arguments: Any, **named: Any) -> Any:
            begun.append(name)
            if len(begun) == step:
                if name == "write_text":
                    whole(self, "")  # the file was truncated, and nothing was written
                raise Killed
            return whole(self, *arguments, **named)

        monkeypatch.setattr(Path, name, method)

    for name in ("write_text", "replace", "unlink"):
        guarded(name)
    return begun


def test_an_export_that_dies_at_any_step_can_be_resumed(export: Export, tmp_path: Path) -> None:
    whole = tmp_path / "whole.csv"
    assert export(Sandbox().billing(), whole) == 25
    steps = 0
    for step in range(1, 30):
        target = tmp_path / f"{step}.csv"
        with pytest.MonkeyPatch.context() as monkeypatch:
            begun = dies_at(monkeypatch, step)
            try:
                export(Sandbox().billing(), target)
            except Killed:
                assert not target.exists()
                steps += 1
        assert export(Sandbox().billing(), target) == 25, (step, begun)
        assert target.read_bytes() == whole.read_bytes(), (step, begun)
    assert steps >= 10  # two for each page, and two at the end


def test_a_complete_export_starts_over(export: Export, tmp_path: Path) -> None:
    target = tmp_path / "accounts.csv"
    billing = Sandbox().billing()
    assert [export(billing, target), export(billing, target)] == [25, 25]
    assert list(tmp_path.iterdir()) == [target]


def test_an_export_is_not_resumed_in_another_environment(export: Export, tmp_path: Path) -> None:
    target = tmp_path / "accounts.csv"
    with pytest.MonkeyPatch.context() as monkeypatch:
        dies_at(monkeypatch, 3)
        with pytest.raises(Killed):
            export(Sandbox().billing(), target)
    sandbox = Sandbox()
    sandbox.billing().accounts.update("acct-0001", Account(email="changed@example.com"))
    staging = replace(sandbox.environment, name="staging")
    left = {each: each.read_bytes() for each in tmp_path.iterdir()}
    with (
        BillingClient(environment=staging, transport=sandbox.transport) as other,
        pytest.raises(InvalidArgumentError, match="belongs to the environment 'sandbox', and this client to 'staging'"),
    ):
        export(other, target)
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == left
    assert export(sandbox.billing(), target) == 25


@pytest.mark.parametrize("rest", [None, b"", b"id,em"])
def test_an_export_without_its_partial_file_starts_over(export: Export, rest: bytes | None, tmp_path: Path) -> None:
    whole, target = tmp_path / "whole.csv", tmp_path / "accounts.csv"
    export(Sandbox().billing(), whole)
    with pytest.MonkeyPatch.context() as monkeypatch:
        dies_at(monkeypatch, 3)
        with pytest.raises(Killed):
            export(Sandbox().billing(), target)
    part = target.with_suffix(".part")
    if rest is None:
        part.unlink()
    else:
        part.write_bytes(rest)
    assert export(Sandbox().billing(), target) == 25
    assert target.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.iterdir()) == [target, whole]


def test_a_failed_export_leaves_the_previous_parquet_file(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    code = next(each.code for each in blocks(DOCS / "guides" / "export.md") if "ParquetWriter" in each.code)
    namespace: dict[str, Any] = {"BillingClient": BillingClient, "to_arrow": to_arrow}
    exec(code[: code.index("print(export_parquet(billing")], namespace)
    sandbox, target = Sandbox(), tmp_path / "transactions.parquet"
    for _ in range(2):
        assert namespace["export_parquet"](sandbox.billing(), target) == 9
        assert list(tmp_path.iterdir()) == [target]
    later = Transaction(id="later", account=Account(id="acct-0001"), amount=Decimal("1.00"), currency="USD")
    sandbox.billing().transactions.create(later)
    sandbox.faults.add(lambda request: "starting_after" in dict(request.query), server_error(503), times=None)
    for at in (target, tmp_path / "first.parquet"):
        with pytest.raises(ServerError):
            namespace["export_parquet"](sandbox.billing(), at)
    assert parquet.read_table(target).num_rows == 9
    assert not (tmp_path / "first.parquet").exists()
    sandbox.faults.clear()
    assert namespace["export_parquet"](sandbox.billing(), target) == 10
    assert list(tmp_path.glob("*.parquet")) == [target]


CHANGES = re.findall(
    r'^\| `"(today|nextBill)"` \| (`True`|`False`, or left out) \| ([Nn]othing|[\d.]+)\b[^|]* \| ([\d.]+) \| (\S+) \|$',
    (DOCS / "tasks" / "change-plan.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_the_table_of_changes_has_all_rows() -> None:
    assert [row[:2] for row in CHANGES] == [
        (when, prorated) for when in ("today", "nextBill") for prorated in ("`True`", "`False`, or left out")
    ]


@pytest.mark.parametrize("dryrun", [True, False])
@pytest.mark.parametrize(("when", "prorated", "now", "later", "day"), CHANGES)
def test_the_table_of_changes_matches_the_bills_of_the_sandbox(
    when: str, prorated: str, now: str, later: str, day: str, dryrun: bool
) -> None:
    change = change_plan("sub-basic-0001", "plan-annual")
    for prorated_period in (True,) if prorated == "`True`" else (False, None):
        billing = Sandbox().billing()
        before = billing.subscriptions.retrieve("sub-basic-0001")
        after = billing.subscriptions.update(
            "sub-basic-0001", change, effective_date=when, bill_prorated_period=prorated_period, dryrun=dryrun
        )
        last, bill, due = before.most_recent_billing, after.most_recent_billing, after.next_billing
        assert last is not None
        assert bill is not None
        assert due is not None
        assert due.created is not None
        assert (str(bill.amount) if bill != last else "nothing") == now.lower()
        assert (str(due.amount), str(due.created.date())) == (later, day)
        assert (billing.subscriptions.retrieve("sub-basic-0001") == before) is dryrun


KEY = "a-key"
BODY = (
    b'{"header": {"message_id": "m1", "class_name": "accounts"}, "content": {"account": {"merchantAccountId": "a1"}}}'
)
REFUSED = [
    (
        b'{"header": {"class_name": "accounts"}, "content": {}}',
        True,
        400,
    ),  # without an ID, a duplicate can't be detected
    (b"[]", True, 400),
    (BODY, False, 401),
]


def disable_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("shop", "merchant"):
        monkeypatch.setattr(logging.getLogger(name), "disabled", True)


@pytest.fixture
def receiver() -> Iterator[dict[str, Any]]:
    """Define the handler and the worker of the guide, and return their namespace."""
    code = [block.code for block in blocks(DOCS / "guides" / "webhooks.md") if block.runs]
    namespace: dict[str, Any] = {}
    exec(code[0].partition("sandbox = Sandbox()")[0] + code[1].partition("\nprocess()")[0], namespace)
    inbox = namespace["inbox"]
    yield namespace
    inbox._database.close()


@pytest.mark.parametrize("failures", [0, 1, 3])
def test_the_work_for_a_webhook_is_done_once_despite_duplicates_and_failures(
    failures: int, receiver: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    left = [ConnectionError("the database is down")] * failures

    def work(task: Any) -> None:
        if left:
            raise left.pop()
        done.append(task.message_id)

    disable_logging(monkeypatch)
    receiver["work"] = work
    signature = webhooks.sign(BODY, receiver["KEY"])
    for _ in range(failures + 2):
        assert receiver["hook"](BODY, signature) == 204
        receiver["process"]()
    assert done == ["m1"]
    assert receiver["inbox"].pending() == []


def test_a_webhook_whose_work_always_fails_does_not_block_others(
    receiver: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def work(task: Any) -> None:
        if task.message_id == "m1":
            raise ValueError
        done.append(task.message_id)

    disable_logging(monkeypatch)
    receiver["work"] = work
    for body in (BODY, BODY.replace(b"m1", b"m2")):
        receiver["hook"](body, webhooks.sign(body, receiver["KEY"]))
    receiver["process"]()
    assert (done, [task.message_id for task in receiver["inbox"].pending()]) == (["m2"], ["m1"])


def test_a_webhook_that_cannot_be_stored_is_not_acknowledged(receiver: dict[str, Any]) -> None:
    inbox, signature = receiver["inbox"], webhooks.sign(BODY, receiver["KEY"])
    receiver["inbox"] = None  # the database is down
    with pytest.raises(AttributeError):
        receiver["hook"](BODY, signature)
    receiver["inbox"] = inbox
    assert receiver["hook"](BODY, signature) == 204
    assert [task[3:] for task in inbox.pending()] == [("account", "a1")]


@pytest.mark.parametrize(("body", "signed", "status"), REFUSED)
def test_a_refused_webhook_is_not_stored(body: bytes, signed: bool, status: int, receiver: dict[str, Any]) -> None:
    signature = webhooks.sign(body, receiver["KEY"] if signed else "another")
    assert receiver["hook"](body, signature) == status
    assert receiver["inbox"].pending() == []


class Receiver:
    """Runs an example of a web framework without a server."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        monkeypatch.syspath_prepend(str(EXAMPLES))
        self.example: Any = pytest.importorskip(name)
        self.inbox = self.example.Inbox(folder / "inbox.db")
        if name == "webhooks_fastapi":
            monkeypatch.setattr(self.example.app, "state", SimpleNamespace(keys=[KEY], inbox=self.inbox))
        else:
            monkeypatch.setattr(self.example, "SETTINGS", self.example.Settings([KEY], self.inbox))

    def deliver(self, body: bytes, signature: str) -> int:
        headers = {"X-Webhook-Signature": signature}
        if "Flask" in type(self.example.app).__name__:
            return int(self.example.app.test_client().post("/hooks", data=body, headers=headers).status_code)

        async def post() -> int:
            transport = httpx.ASGITransport(self.example.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://merchant") as http:
                return (await http.post("/hooks", content=body, headers=headers)).status_code

        return asyncio.run(post())

    def process(self) -> None:
        done = self.example.process(self.inbox)
        if inspect.iscoroutine(done):
            asyncio.run(done)


@pytest.fixture(params=["webhooks_fastapi", "webhooks_flask"])
def example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Receiver]:
    pytest.importorskip("uvicorn")
    receiver = Receiver(request.param, monkeypatch, tmp_path)
    yield receiver
    receiver.inbox.close()


def test_an_example_repeats_failed_work_until_it_succeeds_once(
    example: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []
    failures = [ConnectionError("the database is down")]

    def work(task: Any) -> None:
        if failures:
            raise failures.pop()
        worked.append(task.message_id)

    async def work_async(task: Any) -> None:
        work(task)

    is_async = inspect.iscoroutinefunction(example.example.handle)
    monkeypatch.setattr(example.example, "handle", work_async if is_async else work)
    disable_logging(monkeypatch)
    for _ in range(3):
        assert example.deliver(BODY, webhooks.sign(BODY, KEY)) == 204
        example.process()
    assert worked == ["m1"]
    assert example.inbox.pending() == []


@pytest.mark.parametrize(("body", "signed", "status"), REFUSED)
def test_an_example_does_not_store_a_refused_webhook(example: Receiver, body: bytes, signed: bool, status: int) -> None:
    assert example.deliver(body, webhooks.sign(body, KEY if signed else "another")) == status
    assert example.inbox.pending() == []


def test_an_example_returns_500_if_it_cannot_store_a_webhook(
    example: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(example.example.Inbox, "add", down)
        assert example.deliver(BODY, webhooks.sign(BODY, KEY)) == 500
    assert example.deliver(BODY, webhooks.sign(BODY, KEY)) == 204
    assert len(example.inbox.pending()) == 1
