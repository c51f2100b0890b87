"""A 503 of the billing API with an error object can mean wrong credentials, so it's retried at most once (H14)."""

from __future__ import annotations

import pytest

from kit.calls import Group, Run, Service, answer
from subscribekit import RetryPolicy
from subscribekit.errors import OutcomeUnknownError, ServiceUnavailableError

FORBIDDEN = {"object": "Error", "message": "no"}
POLICY = RetryPolicy(max_attempts=6)


@pytest.mark.parametrize(
    ("group", "body", "requests"),
    [
        ("billing", FORBIDDEN, 2),
        ("billing", {"message": "no"}, 6),
        ("billing", [FORBIDDEN], 6),
        ("gateway", FORBIDDEN, 6),
    ],
)
def test_a_read_is_retried_once_if_the_503_can_mean_wrong_credentials(
    run: Run, group: Group, body: object, requests: int
) -> None:
    service = Service(*(answer(body, 503) for _ in range(requests)))
    with pytest.raises(ServiceUnavailableError) as caught:
        run(group, lambda client: client.request("GET", "/x"), transport=service, retry=POLICY)
    assert (len(service.sent), caught.value.attempts) == (requests, requests)


def test_a_reversal_is_not_retried_and_its_outcome_is_unknown(run: Run) -> None:
    service = Service(answer(FORBIDDEN, 503))
    with pytest.raises(OutcomeUnknownError):
        run("billing", lambda client: client.payments.reverse("p1"), transport=service, retry=POLICY)
    assert len(service.sent) == 1
