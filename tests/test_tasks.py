"""What the task pages give to copy, under trouble: an export stopped at any step, a webhook whose work fails."""

import asyncio
import inspect
import logging
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

from code_blocks import DOCS, blocks
from elsewhere import EXAMPLES
from subscribekit import BillingClient, webhooks
from subscribekit.errors import ServerError
from subscribekit.models import Account, Transaction
from subscribekit.models.subscription_changes import change_plan
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import server_error

Export = Callable[[BillingClient, Path], int]


def first_block(page: str, until: str) -> dict[str, Any]:
    """Run the first block of a task page, up to a line."""
    code = next(block.code for block in blocks(DOCS / "tasks" / page) if block.runs)
    assert until in code
    namespace: dict[str, Any] = {}
    exec(code[: code.index(until)], namespace)
    return namespace


@pytest.fixture
def export() -> Export:
    exported: Export = first_block("export.md", "billing = BillingClient")["export"]
    return exported


class Killed(BaseException):
    """The process ends here."""


def dies_at(monkeypatch: pytest.MonkeyPatch, step: int) -> list[str]:
    """Let the process die at a step that touches the disk; gives the steps that were begun."""
    begun: list[str] = []

    def guarded(name: str) -> None:
        whole = getattr(Path, name)

        def method(self: Path, *arguments: Any, **named: Any) -> Any:
            begun.append(name)
            if len(begun) == step:
                if name == "write_text":
                    whole(self, "")  # cut off in the middle
                raise Killed
            return whole(self, *arguments, **named)

        monkeypatch.setattr(Path, name, method)

    for name in ("write_text", "replace", "unlink"):
        guarded(name)
    return begun


def test_an_export_may_die_at_any_step(export: Export, tmp_path: Path) -> None:
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
    assert steps >= 10  # of each page two, and two in the end


def test_an_export_begins_anew_when_it_was_whole(export: Export, tmp_path: Path) -> None:
    target = tmp_path / "accounts.csv"
    billing = Sandbox().billing()
    assert [export(billing, target), export(billing, target)] == [25, 25]
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("rest", [None, b"", b"id,em"])
def test_an_export_whose_part_was_removed_begins_anew(export: Export, rest: bytes | None, tmp_path: Path) -> None:
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


def test_a_parquet_file_is_whole_or_the_one_of_before(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    code = next(each.code for each in blocks(DOCS / "tasks" / "export.md") if "ParquetWriter" in each.code)
    namespace: dict[str, Any] = {"BillingClient": BillingClient, "Path": Path}
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
    r'^\| `"(today|nextBill)"` \| (`True`|`False`, or left out) \| (nothing|[\d.]+)\b[^|]* \| ([\d.]+) \| (\S+) \|$',
    (DOCS / "tasks" / "change-plan.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_the_table_of_changes_has_all_rows() -> None:
    assert [row[:2] for row in CHANGES] == [
        (when, prorated) for when in ("today", "nextBill") for prorated in ("`True`", "`False`, or left out")
    ]


@pytest.mark.parametrize("dryrun", [True, False])
@pytest.mark.parametrize(("when", "prorated", "now", "later", "day"), CHANGES)
def test_the_table_of_changes_says_what_the_sandbox_bills(
    when: str, prorated: str, now: str, later: str, day: str, dryrun: bool
) -> None:
    change = change_plan("sub-basic-0001", "plan-annual")
    for wanted in (True,) if prorated == "`True`" else (False, None):
        billing = Sandbox().billing()
        before = billing.subscriptions.retrieve("sub-basic-0001")
        after = billing.subscriptions.update(
            "sub-basic-0001", change, effective_date=when, bill_prorated_period=wanted, dryrun=dryrun
        )
        last, bill, due = before.most_recent_billing, after.most_recent_billing, after.next_billing
        assert last is not None
        assert bill is not None
        assert due is not None
        assert due.created is not None
        assert (str(bill.amount) if bill != last else "nothing") == now
        assert (str(due.amount), str(due.created.date())) == (later, day)
        assert (billing.subscriptions.retrieve("sub-basic-0001") == before) is dryrun


@pytest.mark.parametrize("failures", [1, 3])
def test_a_webhook_whose_work_fails_is_worked_on_when_it_comes_again(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    namespace = first_block("webhooks.md", "sandbox = Sandbox()")
    done: list[webhooks.WebhookEvent] = []
    left = [ConnectionError("the database is down")] * failures

    def work(event: webhooks.WebhookEvent) -> None:
        if left:
            raise left.pop()
        done.append(event)

    monkeypatch.setattr(logging.getLogger(), "disabled", True)
    namespace["work"] = work
    body = b'{"header": {"message_id": "m1", "class_name": "accounts"}, "content": {}}'
    signature = webhooks.sign(body, namespace["KEY"])
    assert [namespace["hook"](body, signature) for _ in range(failures + 2)] == [500] * failures + [204, 204]
    assert len(done) == 1


@pytest.mark.parametrize(
    ("body", "signed", "status"),
    [
        (b'{"header": {"class_name": "accounts"}, "content": {}}', True, 400),  # cannot be told from another
        (b"[]", True, 400),
        (b"{}", False, 401),
    ],
)
def test_a_webhook_that_is_refused_is_not_worked_on(body: bytes, signed: bool, status: int) -> None:
    namespace = first_block("webhooks.md", "sandbox = Sandbox()")
    assert namespace["hook"](body, webhooks.sign(body, namespace["KEY"] if signed else "another")) == status
    assert namespace["seen"] == set()


@pytest.fixture
def failing_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], list[str]]:
    """Let the work of an example fail the first time; gives what was worked on."""

    def prepare(example: Any) -> list[str]:
        worked: list[str] = []
        failures = [ConnectionError("the database is down")]

        def work(event: webhooks.WebhookEvent) -> None:
            if failures:
                raise failures.pop()
            worked.append(event.message_id or "")

        async def work_async(event: webhooks.WebhookEvent) -> None:
            work(event)

        monkeypatch.setattr(example, "handle", work_async if inspect.iscoroutinefunction(example.handle) else work)
        return worked

    return prepare


KEY = "a-key"
BODY = b'{"header": {"message_id": "m1", "class_name": "accounts"}, "content": {}}'
SIGNED = {"X-Webhook-Signature": webhooks.sign(BODY, KEY)}


def test_the_fastapi_example_works_on_what_failed_once(
    failing_once: Callable[[Any], list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("uvicorn")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = pytest.importorskip("webhooks_fastapi")
    monkeypatch.setattr(example.app.state, "keys", [KEY])
    monkeypatch.setattr(example.app.state, "ledger", tmp_path / "webhooks.db")
    worked = failing_once(example)

    async def deliver() -> list[int]:
        transport = httpx.ASGITransport(example.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://merchant") as http:
            return [(await http.post("/hooks", content=BODY, headers=SIGNED)).status_code for _ in range(3)]

    assert asyncio.run(deliver()) == [500, 204, 204]
    assert worked == ["m1"]


def test_the_flask_example_works_on_what_failed_once(
    failing_once: Callable[[Any], list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = pytest.importorskip("webhooks_flask")
    monkeypatch.setattr(example, "SETTINGS", example.Settings([KEY], tmp_path / "webhooks.db"))
    worked = failing_once(example)
    client = example.app.test_client()
    assert [client.post("/hooks", data=BODY, headers=SIGNED).status_code for _ in range(3)] == [500, 204, 204]
    assert worked == ["m1"]
