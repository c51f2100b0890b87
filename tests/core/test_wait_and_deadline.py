"""The text of an error says why the SDK didn't wait as long as the service asked for."""

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
    ("times", "seconds", "policy", "reason"),
    [
        (2, 30, RetryPolicy(), "because a wait of 30 s would pass the deadline of 60 s for the whole call."),
        (9, 1, RetryPolicy(), ""),
        (1, 20, RetryPolicy(max_attempts=1), ""),
        (1, 0, RetryPolicy(max_attempts=1), ""),
    ],
)
@pytest.mark.parametrize("fault", [rate_limited, partial(server_error, 503)], ids=["429", "503"])
def test_an_error_says_that_the_deadline_prevented_the_wait(
    times: int, seconds: int, policy: RetryPolicy, reason: str, fault: Callable[..., Fault]
) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("gateway.subscriptions.retrieve", fault(retry_after=seconds), times=times)
    gateway = sandbox.gateway().with_options(retry=policy)
    with pytest.raises(APIError) as caught:
        gateway.subscriptions.retrieve("sub-basic-0001")
    assert str(caught.value).partition("The request wasn't sent again, ")[2] == reason


@pytest.mark.parametrize("seconds", [61, 86400])
@pytest.mark.parametrize("fault", [rate_limited, partial(server_error, 503)], ids=["429", "503"])
def test_an_error_says_that_the_wait_exceeds_retry_after_max(seconds: int, fault: Callable[..., Fault]) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("gateway.subscriptions.retrieve", fault(retry_after=seconds))
    with pytest.raises(APIError) as caught:
        sandbox.gateway().with_options(deadline=None).subscriptions.retrieve("sub-basic-0001")
    assert str(caught.value).endswith(
        f". The service asks for a wait of {seconds} s, but RetryPolicy.retry_after_max is 60 s."
    )
    assert caught.value.attempts == 1


def test_the_error_of_a_first_attempt_has_the_reason_in_its_text_and_not_in_its_message() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("billing.accounts.list", rate_limited(retry_after=30), times=2)
    with pytest.raises(
        RateLimitError, match=r"The request wasn't sent again, because .* 5 s for the whole call\.$"
    ) as caught:
        sandbox.billing().with_options(deadline=5).accounts.list().first()
    assert (caught.value.attempts, caught.value.retry_after) == (1, 30)
    assert "wasn't sent again" not in caught.value.message


def test_a_wait_advances_the_time_of_clients_and_not_that_of_the_sandbox() -> None:
    """`docs/testing.md` and `docs/sandbox.md` say so. If a wait advanced the sandbox's date, the sandbox would bill."""
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
def test_a_hook_that_uses_up_the_deadline_does_not_count_as_an_attempt(attempt: int, run: Run) -> None:
    service = Service(answer(status=503), answer({"id": "a1"}))

    def delay(event: RequestEvent) -> None:
        if event.attempt == attempt:
            service.time.sleep(61)

    with pytest.raises(SubscribekitError) as caught:
        run(
            "billing",
            lambda client: client.accounts.retrieve("a1"),
            transport=service,
            observers=[Hooks(on_request=delay)],
        )
    assert caught.value.attempts == len(service.sent) == attempt - 1
