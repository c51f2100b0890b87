"""Checks the outcomes of writes with an empty, rejected, or lost response. A charge is never sent twice."""

from __future__ import annotations

import httpx
import pytest

from kit.calls import Run, Service
from kit.calls import answer as reply
from looped import looped
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit._core.operations.operation import Safety
from subscribekit.errors import BadRequestError, OutcomeUnknownError, RateLimitError
from subscribekit.models import Model

from .cases import Case
from .tables import BILLING

WRITES = [case for case in BILLING if case.method == "POST"]
MONEY = [case for case in WRITES if case.safety is Safety.MONEY]
OTHERS = [case for case in WRITES if case.safety is Safety.WRITE]
DELETES = [case for case in BILLING if case.method == "DELETE"]


def use(run: Run, case: Case, service: Service) -> object:
    return run("billing", case.use, transport=service, wire_names=SANDBOX_WIRE_NAMES)


@looped("case", [case for case in WRITES if case.empty])
@looped("status", [200, 201, 204])
def test_an_undocumented_response_may_be_empty(case: Case, status: int, run: Run) -> None:
    result = use(run, case, Service(reply(status=status)))
    assert isinstance(result, Model)
    assert type(result) is type(case.gives)
    assert result.model_fields_set == set()


@looped("case", [case for case in WRITES if not case.empty])
def test_a_documented_response_must_not_be_empty(case: Case, run: Run) -> None:
    with pytest.raises(OutcomeUnknownError) as caught:
        use(run, case, Service(reply()))
    assert caught.value.likely_applied
    assert caught.value.reconcile_key == case.key


@pytest.mark.parametrize("case", DELETES, ids=str)
def test_the_response_to_a_delete_is_ignored(case: Case, run: Run) -> None:
    assert use(run, case, Service(reply({"object": "Account", "id": "a1"}))) is None


@looped("case", WRITES)
def test_a_write_without_a_response_is_sent_once(case: Case, run: Run) -> None:
    service = Service(httpx.ReadError("gone"))
    with pytest.raises(OutcomeUnknownError) as caught:
        use(run, case, service)
    assert len(service.sent) == 1
    assert caught.value.operation == case.name
    assert caught.value.reconcile_key == case.key


@looped("case", MONEY)
def test_a_write_that_moves_money_is_not_retried_after_429(case: Case, run: Run) -> None:
    service = Service(reply({"object": "Error", "message": "slow down"}, 429, retry_after="1"))
    with pytest.raises(RateLimitError):
        use(run, case, service)
    assert len(service.sent) == 1


@looped("case", OTHERS)
def test_another_write_is_retried_after_429(case: Case, run: Run) -> None:
    service = Service(reply({"object": "Error", "message": "slow down"}, 429, retry_after="1"), reply(case.answer))
    assert use(run, case, service) == case.gives
    assert len(service.sent) == 2
    assert service.time.slept == [1.0]


@pytest.mark.parametrize("case", DELETES, ids=str)
def test_a_delete_by_identifier_is_retried(case: Case, run: Run) -> None:
    service = Service(httpx.ReadError("gone"), reply(status=204))
    assert use(run, case, service) is None
    assert len(service.sent) == 2


@looped("case", WRITES)
def test_a_request_that_was_never_sent_is_retried(case: Case, run: Run) -> None:
    service = Service(httpx.ConnectError("refused"), reply(case.answer))
    assert use(run, case, service) == case.gives
    assert service.sent[0].body == service.sent[1].body


@looped("case", BILLING)
def test_a_rejection_is_an_error(case: Case, run: Run) -> None:
    service = Service(reply({"object": "Error", "message": "No id (unique identifier) specified"}, 400))
    with pytest.raises(BadRequestError) as caught:
        use(run, case, service)
    assert caught.value.outcome == "rejected"
