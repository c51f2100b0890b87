"""A simulated process: it opens the ledger, adds all items, sends, resolves, and records what the operator reports."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from subscribekit import BillingClient, GatewayClient, RetryPolicy, Timeouts
from subscribekit.bulk import RateLimit, RecordedOutcome, Run, StopPolicy
from subscribekit.bulk._items import Item
from subscribekit.errors import BulkError, SubscribekitError
from subscribekit.models import EntitlementCharge, Refund, Transaction

from .runtime import SimulatedRun, SimulatedRuntime
from .scheduler import Group
from .service import LATEST
from .world import World

NOT_APPLIED_AFTER = LATEST + 0.5
_TRIES = 6
_ROUNDS = 2
_LAST_ROUNDS = 12
_BETWEEN = 5.0
_KEY = "key-of-the-simulation"


class Process:
    """A simulated process.

    Args:
        world: The world of the seed.
        group: The threads of the process.
        is_last: Whether the process continues until every item has ended.
    """

    def __init__(self, world: World, group: Group, *, is_last: bool = False) -> None:
        self._world, self._group, self._is_last = world, group, is_last
        self._scheduler, self._faults, self._setting = world.scheduler, world.faults, world.setting
        self._client = self._new_client()

    def make(self) -> None:
        """Create the ledger."""
        self._open().close()

    def work(self) -> None:
        """Work until no item is left, all rounds are over, or the ledger can't be used."""
        for _ in range(_TRIES):
            try:
                run = self._open()
            except SubscribekitError as error:
                self._note(error)
                self._scheduler.sleep(self._world.random.uniform(0.0, 0.5))
                continue
            try:
                self._work_on(run)
            except SubscribekitError as error:
                self._note(error)
            self._close(run)
            if not self._is_last or self._is_finished():
                return

    def _work_on(self, run: Run) -> None:
        run.add(self._jobs())
        self._group.is_busy = True
        for _ in range(_LAST_ROUNDS if self._is_last else _ROUNDS):
            try:
                self._send(run)
                self._decide(run)
            except SubscribekitError as error:
                self._note(error)
                self._scheduler.sleep(self._world.random.uniform(0.0, 0.5))
            if self._is_finished():
                return
            if self._is_last:  # if the clock of leases was set back, the lease of a dead process lasts longer
                self._scheduler.sleep(_BETWEEN)

    def _is_finished(self) -> bool:
        """Whether all items have ended, or wait for an amount limit."""
        final = ("done", "rejected") if self._setting.limit is None else ("done", "rejected", "ready")
        return all(state in final for _, state, *_ in self._world.checks.rows())

    def _send(self, run: Run) -> None:
        results = run.send()
        try:
            for item in results:
                self._check(item)
                if self._faults.strike("run is left"):
                    break
        finally:
            results.close()

    def _check(self, item: Item) -> None:
        """Check an item that the run yields. Another process may have resolved the item in the meantime."""
        self._scheduler.note(f"the caller gets {item.key} as {item.state}")
        verdicts = {key: verdict for key, _, verdict, _ in self._world.checks.rows()}
        problem = self._world.checks.problem_with(item.key, item.state, verdicts[item.key])
        if problem:
            self._scheduler.fail(f"the run yields a wrong state: {problem}")

    def _decide(self, run: Run) -> None:
        """Resolve unknown items, or record the operator's report."""
        if (self._is_last and self._setting.kind != "charges") or self._faults.strike("resolve"):
            found = run.resolve(
                not_applied_after=NOT_APPLIED_AFTER, wait=self._is_last or self._world.random.random() < 0.7
            )
            self._scheduler.note(f"resolved: {found}")
        if self._is_last or self._faults.strike("operator records"):
            for item in list(run.items("unknown")):
                self._ask_operator(item)

    def _ask_operator(self, item: Item) -> None:
        """Record what the operator sees. The operator can't see a request that is still in flight."""
        if not self._setting.has_boot_clock and not self._is_alone():
            return  # without a boot clock, a clock step makes items of a living process unknown (H154)
        service = self._world.service
        if service.to_come[item.key]:
            return
        unmade: tuple[RecordedOutcome, ...] = ("not_applied", "rejected")
        outcome = "applied" if service.effects(item.key) else self._world.random.choice(unmade)
        self._scheduler.note(f"the operator records {item.key} as {outcome}")
        try:
            item.record_outcome("not_applied" if self._is_last and outcome == "rejected" else outcome)
        except BulkError as error:
            self._note(error)

    def _is_alone(self) -> bool:
        """Whether all other processes have ended."""
        return self._scheduler.are_over([each for each in self._world.processes if each is not self._group])

    def _note(self, error: Exception) -> None:
        self._scheduler.note(f"{type(error).__name__}: {error}")

    # The run

    def _new_client(self) -> BillingClient | GatewayClient:
        network = self._world.network(self._group.name)
        options: dict[str, Any] = {
            "transport": network, "retry": RetryPolicy(max_attempts=2), "timeouts": Timeouts(read=8.0), "trace": "off"
        }  # fmt: skip
        if self._setting.kind == "charges":
            return GatewayClient(base_url="https://gateway.test", api_key=_KEY, **options)
        return BillingClient(base_url="https://billing.test", api_user="simulation", api_key=_KEY, **options)

    def _open(self) -> Run:
        setting = self._setting
        limit = None if setting.limit is None else StopPolicy(max_amount=setting.limit, currency="USD")
        return SimulatedRun(
            SimulatedRuntime(self._world, self._group),
            self._world.place,
            self._client,
            rate_limit=None if setting.rate is None else RateLimit(setting.rate),
            concurrency=setting.workers,
            stop=limit,
            lease=setting.lease,
        )

    def _close(self, run: Run) -> None:
        try:
            run.close()
        except SubscribekitError as error:
            self._note(error)

    def _jobs(self) -> Iterator[tuple[str, Any]]:
        prepare: Any = self._client.prepare
        for key, amount in self._setting.amounts.items():
            yield key, self._prepared(prepare, key, amount)

    def _prepared(self, prepare: Any, key: str, amount: Decimal) -> object:
        if self._setting.kind == "charges":
            charge = EntitlementCharge(transaction_id=key, amount=amount, currency="USD")
            return prepare.entitlements.charge(f"ps-{key}", charge)
        if self._setting.kind == "refunds":
            return prepare.refunds.create(key, Refund(amount=amount, currency="USD"))
        return prepare.transactions.create(Transaction(id=key, amount=amount, currency="USD"))
