"""Mistakes with the values and methods of a bulk run. Each error names the fix (H207)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import KEY, URL, Ledgered, client_of, jobs, opened
from subscribekit import AsyncGatewayClient
from subscribekit.bulk import AsyncRun, RateLimit, Run, StopPolicy
from subscribekit.errors import ConfigurationError, InvalidArgumentError
from subscribekit.models import EntitlementChargeReceipt

PER = "RateLimit.per must be a number above 0 and at most 86,400"
REQUESTS = "RateLimit.requests must be a whole number from 1 to 10,000"
REJECTED = "StopPolicy.max_rejected must be a whole number from 1 to 1,000,000,000,000"

VALUES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "nothing": (lambda: RateLimit(0), ConfigurationError, REQUESTS),
    "no time": (lambda: RateLimit(50, per=0), ConfigurationError, PER),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "sentence"), VALUES.values(), ids=VALUES)
def test_errors_about_rate_limits_and_stop_rules_name_the_valid_values(
    use: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        use()
    assert str(caught.value) == sentence


def test_valid_rate_limits_and_stop_rules_keep_their_values() -> None:
    assert RateLimit(50) == RateLimit(requests=50, per=1.0) == RateLimit(50, 1)
    assert (StopPolicy(max_items=3).max_items, StopPolicy().max_rejected) == (3, None)


async def later() -> AsyncIterator[tuple[str, Any]]:
    yield "k", None


MISSING = {
    "results": "; did you mean 'send'?",
    "once": "; did you mean 'send_once'?",
    "previw": "; did you mean 'preview'?",
    "weather": "",
}  # fmt: skip
"""Missing methods, and the hints about them. The error must not look like that of a run that was sent."""


@pytest.mark.parametrize("style", [Run, AsyncRun])
@pytest.mark.parametrize(("name", "hint"), MISSING.items())
def test_the_error_about_a_missing_method_suggests_a_similar_name(
    style: type[Any], name: str, hint: str, tmp_path: Path
) -> None:
    client = client_of() if style is Run else AsyncGatewayClient(base_url=URL, api_key=KEY, transport=Ledgered())
    run = style(tmp_path / "l.db", client)
    with pytest.raises(AttributeError) as caught:
        getattr(run, name)
    assert str(caught.value) == f"'{style.__name__}' object has no attribute '{name}'{hint}"


METHODS: dict[str, tuple[Callable[[Any, Any], object], type[Exception], str]] = {
    "a function that makes jobs": (
        lambda run, client: run.add(jobs), InvalidArgumentError,
        (
            "requests must be pairs of a key and a prepared request, not a function; call the function, for example "
            "add(jobs())"
        ),
    ),
    "one prepared request": (
        lambda run, client: run.add(next(jobs(client, 1))[1]), InvalidArgumentError,
        "requests must be pairs of a key and a prepared request, not a PreparedRequest; write add([(key, request)])",
    ),
    "nothing to add": (
        lambda run, client: run.add(None), InvalidArgumentError,
        (
            "requests must be pairs of a key and a prepared request, not None. If this is the result of a call, the "
            "call was already carried out, and the ledger has no record of it. Check the effect of the call before you "
            "add it again, and replace client with client.prepare"
        ),
    ),
    "a result": (
        lambda run, client: run.add(EntitlementChargeReceipt(transaction_reference_id="r1")), InvalidArgumentError,
        (
            "requests must be pairs of a key and a prepared request, not an EntitlementChargeReceipt. If this is the "
            "result of a call, the call was already carried out, and the ledger has no record of it. Check the effect "
            "of the call before you add it again, and replace client with client.prepare"
        ),
    ),
    "a dict of prepared requests": (
        lambda run, client: run.add(dict(jobs(client, 2))), InvalidArgumentError,
        "requests must be pairs of a key and a prepared request, not a dict; write add(requests.items())",
    ),
    "an async generator": (
        lambda run, client: run.add(later()), InvalidArgumentError,
        (
            "requests must be pairs of a key and a prepared request, not an async_generator; use AsyncRun to add "
            "requests from an async iterable"
        ),
    ),
    "a state that is none": (
        lambda run, client: run.items("failed"), InvalidArgumentError,
        "state must be one of ready, sent, done, rejected, unknown, or None",
    ),
    "another state": (
        lambda run, client: next(run.items()).record_outcome("ready"), InvalidArgumentError,
        "state must be 'applied', 'not_applied', or 'rejected'; with 'not_applied', the item is sent again",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "sentence"), METHODS.values(), ids=METHODS)
def test_errors_about_arguments_of_a_run_name_the_valid_values(
    use: Callable[[Any, Any], object], kind: type[Exception], sentence: str, tmp_path: Path
) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        with pytest.raises(kind) as caught:
            use(run, client)
        assert str(caught.value) == sentence
    assert service.arrived == []


def test_the_items_of_a_run_can_be_closed_before_their_end(tmp_path: Path) -> None:
    with client_of(Ledgered()) as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 3))
        assert len(list(run.items())) == run.counts().total == 3
        with closing(run.items("ready")) as some:
            assert next(some).state == "ready"
        assert list(some) == []
