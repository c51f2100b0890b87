"""The rows of the table, with their contenders and goals."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from types import ModuleType

from benchmarks import bulk, by_hand, fresh, peers
from benchmarks.by_hand import as_account, as_dict
from benchmarks.loopback import Loopback
from benchmarks.measure import Contender, Measure, Row

RAW = "raw socket"
HTTPCORE = "bare httpcore connection"
HTTPX = "httpx by hand"
PYDANTIC = "httpx + pydantic by hand"
FROM_BYTES = "the same, pydantic parses"
SDK = "subscribekit"
DIRECT = "subscribekit, direct()"
DBOS = "DBOS on SQLite"

SMALL = "/accounts/small"
ACCOUNT = "/accounts/a1"
TASKS = 64
THREADS = 16
WORK = 0.02
IN_FLIGHT = 8


@dataclass(frozen=True, slots=True)
class Scale:
    """The amount of work. A whole run takes less than five minutes, and a smoke run less than ten seconds."""

    rounds: int = 5
    calls: int = 400
    task_calls: int = 2_000
    items: int = 10_000
    list_rounds: int = 3
    slow_items: int = 2_000
    associations: int = 3_000
    starts: int = 7
    latency: float = 0.02
    writes: int = 2_000
    peers: bool = True


SMOKE = Scale(
    rounds=1,
    calls=20,
    task_calls=128,
    items=200,
    list_rounds=1,
    slow_items=200,
    associations=200,
    starts=1,
    latency=0.002,
    writes=32,
    peers=False,
)


def rows(scale: Scale, fast: Loopback, slow: Loopback) -> list[Row]:
    """Return every row of the table."""
    return [
        *_calls(scale, fast.url),
        *_lists(scale, fast.url),
        *_latency(scale, slow.url),
        *_bulk(scale),
        *_starts(scale, fast),
    ]


def _calls(scale: Scale, url: str) -> list[Row]:
    small: dict[str, Contender] = {
        RAW: by_hand.raw_get(url, SMALL),
        HTTPCORE: by_hand.httpcore_get(url, SMALL),
        HTTPX: by_hand.httpx_get(url, SMALL, as_dict),
        SDK: _sdk(lambda sdk: sdk.get(url, SMALL)),
        DIRECT: _sdk(lambda sdk: sdk.get(url, SMALL, without_httpx=True)),
    }
    account = {
        RAW: by_hand.raw_get(url, ACCOUNT),
        HTTPCORE: by_hand.httpcore_get(url, ACCOUNT),
        HTTPX: by_hand.httpx_get(url, ACCOUNT, as_dict),
        PYDANTIC: by_hand.httpx_get(url, ACCOUNT, as_account),
        SDK: _sdk(lambda sdk: sdk.get(url, ACCOUNT)),
        DIRECT: _sdk(lambda sdk: sdk.get(url, ACCOUNT, without_httpx=True)),
    }
    for name in _peers(scale, *peers.TITLES):
        small[peers.TITLES[name]] = peers.get_small(name, url)
    for name in _peers(scale, "openai", "orb"):
        account[peers.TITLES[name]] = peers.get_object(name, url, ACCOUNT)
    threads = {
        HTTPX: by_hand.httpx_get(url, SMALL, as_dict, threads=THREADS),
        SDK: _sdk(lambda sdk: sdk.get(url, SMALL, threads=THREADS)),
    }
    one, many = _async_calls(scale, url, 1), _async_calls(scale, url, TASKS)
    return [
        Row(
            "one GET, small object, sync",
            "call",
            "cpu",
            HTTPX,
            small,
            scale.calls,
            scale.rounds,
            {SDK: 0.60, DIRECT: 0.36},
        ),
        Row(
            f"{THREADS} threads, GETs", "call", "wall", HTTPX, threads, scale.task_calls, scale.list_rounds, {SDK: 0.56}
        ),
        Row(
            "one GET, 3 KB account, sync",
            "call",
            "cpu",
            PYDANTIC,
            account,
            scale.calls,
            scale.rounds,
            {SDK: 0.75, DIRECT: 0.50},
        ),
        Row(
            "one GET, small object, async",
            "call",
            "cpu",
            HTTPX,
            one,
            scale.calls,
            scale.rounds,
            {SDK: 0.40, DIRECT: 0.24},
        ),
        Row(
            f"{TASKS} tasks, GETs, async",
            "call",
            "wall",
            HTTPX,
            many,
            scale.task_calls,
            scale.list_rounds,
            {SDK: 0.27, DIRECT: 0.18},
        ),
    ]


def _async_calls(scale: Scale, url: str, tasks: int) -> dict[str, Contender]:
    found = {
        RAW: by_hand.async_raw_get(url, SMALL, tasks),
        HTTPX: by_hand.async_httpx_get(url, SMALL, as_dict, tasks=tasks),
        SDK: _sdk(lambda sdk: sdk.async_get(url, SMALL, tasks=tasks)),
        DIRECT: _sdk(lambda sdk: sdk.async_get(url, SMALL, tasks=tasks, without_httpx=True)),
    }
    if tasks == 1:
        found[HTTPCORE] = by_hand.async_httpcore_get(url, SMALL)
    for name in _peers(scale, "openai", "orb"):
        found[peers.TITLES[name]] = peers.async_get_object(name, url, SMALL, tasks=tasks)
    return found


def _lists(scale: Scale, url: str) -> list[Row]:
    blocking = {
        RAW: by_hand.raw_list(url),
        HTTPX: by_hand.httpx_list(url, models=False),
        PYDANTIC: by_hand.httpx_list(url, models=True),
        FROM_BYTES: by_hand.httpx_list(url, models=True, from_bytes=True),
        SDK: _sdk(lambda sdk: sdk.walk(url)),
    }
    for name in _peers(scale, "openai", "orb", "stripe"):
        blocking[peers.TITLES[name]] = peers.walk(name, url)
    looped = {
        HTTPX: by_hand.async_httpx_list(url, models=False),
        PYDANTIC: by_hand.async_httpx_list(url, models=True),
        SDK: _sdk(lambda sdk: sdk.async_walk(url)),
    }
    title = f"{scale.items:,} accounts, 100 a page"
    return [
        Row(f"{title}, sync", "item", "cpu", PYDANTIC, blocking, scale.items, scale.list_rounds, {SDK: 0.83}),
        Row(f"{title}, async", "item", "cpu", PYDANTIC, looped, scale.items, scale.list_rounds, {SDK: 0.83}),
    ]


def _latency(scale: Scale, url: str) -> list[Row]:
    ahead = f"{SDK}, prefetch"
    concurrent = f"{SDK}, {IN_FLIGHT} in flight"
    blocking = {
        PYDANTIC: by_hand.httpx_list(url, models=True, work_per_page=WORK),
        SDK: _sdk(lambda sdk: sdk.walk(url, work_per_page=WORK)),
        ahead: _sdk(lambda sdk: sdk.walk(url, prefetch=True, work_per_page=WORK)),
    }
    looped = {
        PYDANTIC: by_hand.async_httpx_list(url, models=True, work_per_page=WORK),
        SDK: _sdk(lambda sdk: sdk.async_walk(url, work_per_page=WORK)),
        ahead: _sdk(lambda sdk: sdk.async_walk(url, prefetch=True, work_per_page=WORK)),
    }
    for name in _peers(scale, "openai", "orb", "stripe"):
        blocking[peers.TITLES[name]] = peers.walk(name, url, work_per_page=WORK)
    offsets = {
        HTTPX: by_hand.httpx_offsets(url),
        SDK: _sdk(lambda sdk: sdk.walk_offsets(url, 1)),
        concurrent: _sdk(lambda sdk: sdk.walk_offsets(url, IN_FLIGHT)),
        f"{concurrent}, async": _sdk(lambda sdk: sdk.async_walk_offsets(url, IN_FLIGHT)),
    }
    delay = f"{scale.latency * 1000:.0f} ms latency"
    title = f"{scale.slow_items:,} accounts, {delay}, {WORK * 1000:.0f} ms work a page"
    goals = {concurrent: 0.2, f"{concurrent}, async": 0.2}
    return [
        Row(f"{title}, sync", "item", "wall", PYDANTIC, blocking, scale.slow_items, scale.list_rounds, {ahead: 0.5}),
        Row(f"{title}, async", "item", "wall", PYDANTIC, looped, scale.slow_items, scale.list_rounds, {ahead: 0.5}),
        Row(
            f"{scale.associations:,} by offset, {delay}",
            "item",
            "wall",
            HTTPX,
            offsets,
            scale.associations,
            scale.list_rounds,
            goals,
        ),
    ]


def _bulk(scale: Scale) -> list[Row]:
    """Return the rows of durable writes. If the extra isn't installed, the table shows the error of the SDK's line."""
    loop, by_hand_ = "loop without a ledger", "loop with a CSV of keys"
    slow = {
        loop: bulk.loop(scale.latency),
        by_hand_: bulk.loop_with_csv(scale.latency),
        SDK: bulk.ledger(scale.latency),
    }
    sending = f"{SDK}, sending only"
    fast = {loop: bulk.loop(0.0), by_hand_: bulk.loop_with_csv(0.0), SDK: bulk.ledger(0.0)}
    fast[sending] = bulk.ledger_sending(0.0)
    if scale.peers and bulk.is_installed("dbos"):
        fast[DBOS] = bulk.dbos(0.0)
    over_tls = {loop: bulk.loop(None), by_hand_: bulk.loop_with_csv(None), SDK: bulk.ledger(None)}
    over_tls[sending] = bulk.ledger_sending(None)
    delay, number = f"{scale.latency * 1000:.0f} ms latency", scale.writes
    # The goals are 0.8 of the rate of the loop, and 2,500 durable items a second.
    return [
        Row(f"bulk: {number:,} writes, {delay}", "item", "wall", loop, slow, number, scale.list_rounds, {SDK: 1.25}),
        Row(
            f"bulk: {number:,} writes, no latency",
            "item",
            "wall",
            loop,
            fast,
            number,
            scale.list_rounds,
            {sending: 1 / 2500},
            absolute=True,
        ),
        Row(f"bulk: {number:,} writes, over TLS", "item", "wall", loop, over_tls, number, scale.list_rounds, {}),
    ]


def _starts(scale: Scale, server: Loopback) -> list[Row]:
    names = _peers(scale, *peers.TITLES)
    imports = {"httpx": fresh.importing("httpx"), SDK: fresh.importing("subscribekit")}
    imports |= {peers.TITLES[name]: fresh.importing(name) for name in names}
    own = (RAW, HTTPX, PYDANTIC, SDK, DIRECT)
    replies = {name: fresh.first_reply(name, server) for name in own}
    replies |= {peers.TITLES[name]: fresh.first_reply(name, server) for name in names if name in fresh.FIRST_REPLY}
    return [
        Row("bare import", "process", "wall", "httpx", imports, 1, scale.starts, {SDK: 0.015}, absolute=True),
        Row("import to first reply", "process", "wall", HTTPX, replies, 1, scale.starts, {SDK: 0.11}, absolute=True),
    ]


def _peers(scale: Scale, *names: str) -> list[str]:
    return peers.installed(*names) if scale.peers else []


def _sdk(choose: Callable[[ModuleType], Contender]) -> Contender:
    """Import the SDK when it's measured, so that an error becomes a line of the table and doesn't end the run."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        with choose(importlib.import_module("benchmarks.sdk"))() as measure:
            yield measure

    return opened
