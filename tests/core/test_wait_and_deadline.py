"""A wait that the service asks for and the deadline leaves no time for: the error's text says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from kit.calls import Run, Service, answer
from subscribekit import RetryPolicy
from subscribekit.errors import APIError, RateLimitError, SubscribekitError
from subscribekit.hooks import Hooks, RequestEvent
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import Fault, rate_limited, server_error


@pytest.mark.parametrize(
    ("times", "asked", "policy", "why"),
    [
        (2, 30, RetryPolicy(), "because a wait of 30 s would pass the deadline of 60 s for the whole call."),
        (9, 1, RetryPolicy(), ""),
        (1, 20, RetryPolicy(max_attempts=1), ""),
        (1, 0, RetryPolicy(max_attempts=1), ""),
    ],
)
@pytest.mark.parametrize("fault", [rate_limited, partial(server_error, 503)], ids=["429", "503"])
def test_an_error_says_that_the_deadline_kept_the_call_from_waiting(
    times: int, asked: int, policy: RetryPolicy, why: str, fault: Callable[..., Fault]
) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("gateway.subscriptions.retrieve", fault(retry_after=asked), times=times)
    gateway = sandbox.gateway().with_options(retry=policy)
    with pytest.raises(APIError) as caught:
        gateway.subscriptions.retrieve("sub-basic-0001")
    assert str(caught.value).partition("The request wasn't sent again, ")[2] == why


@pytest.mark.parametrize("asked", [61, 86400])
@pytest.mark.parametrize("fault", [rate_limited, partial(server_error, 503)], ids=["429", "503"])
def test_an_error_says_that_nobody_waits_so_long(asked: int, fault: Callable[..., Fault]) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("gateway.subscriptions.retrieve", fault(retry_after=asked))
    with pytest.raises(APIError) as caught:
        sandbox.gateway().with_options(deadline=None).subscriptions.retrieve("sub-basic-0001")
    assert str(caught.value).endswith(
        f". The service asks for a wait of {asked} s, but RetryPolicy.retry_after_max is 60 s."
    )
    assert caught.value.attempts == 1


def test_a_first_attempt_says_so_too_in_the_text_and_not_in_the_message() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("billing.accounts.list", rate_limited(retry_after=30), times=2)
    with pytest.raises(
        RateLimitError, match=r"The request wasn't sent again, because .* 5 s for the whole call\.$"
    ) as caught:
        sandbox.billing().with_options(deadline=5).accounts.list().first()
    assert (caught.value.attempts, caught.value.retry_after) == (1, 30)
    assert "Not sent again" not in caught.value.message


def test_a_wait_moves_the_time_of_clients_and_not_the_sandbox_s() -> None:
    """As docs/testing.md and docs/sandbox.md say; a moved date would bill."""
    sandbox = Sandbox()
    before = sandbox.now
    sandbox.faults.add("billing.accounts.list", rate_limited(retry_after=30), times=2)
    page = sandbox.billing().with_options(deadline=120).with_raw_response.accounts.list().first()
    assert page is not None
    assert (page.attempts, page.elapsed) == (3, 60)
    assert sandbox.now == before
    sandbox.advance(seconds=30)
    assert (sandbox.now - before).total_seconds() == 30


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_hook_that_takes_the_rest_of_the_time_costs_no_attempt(attempt: int, run: Run) -> None:
    service = Service(answer(status=503), answer({"id": "a1"}))

    def take(event: RequestEvent) -> None:
        if event.attempt == attempt:
            service.time.sleep(61)

    with pytest.raises(SubscribekitError) as caught:
        run(
            "billing",
            lambda client: client.accounts.retrieve("a1"),
            transport=service,
            observers=[Hooks(on_request=take)],
        )
    assert caught.value.attempts == len(service.sent) == attempt - 1
