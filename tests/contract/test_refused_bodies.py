"""The sandbox refuses the body of a case if the body is a list, or if a simple field is an object.

The rows come from the cases in `tests/billing` whose request the sandbox accepts, so a new operation needs no row here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from billing.cases import Case
from billing.tables import ALL
from looped import looped
from sandbox.wire import Result, Wire

OBJECT: Any = {"a": [1]}


def sent(case: Case, body: object) -> Result:
    """Send the request of a case to a new sandbox, with another body."""
    return Wire().call(case.group, case.method, case.path, case.query, body)


def bodies(case: Case) -> Iterator[object]:
    """Yield the body of a case in a list, and the body with an object in place of each simple field."""
    body = json.loads(case.body or "{}")
    yield [body]
    yield from ({**body, name: OBJECT} for name, value in body.items() if not isinstance(value, dict | list))


ACCEPTED = [case for case in ALL if case.body and sent(case, json.loads(case.body)).status < 300]


def test_the_sandbox_accepts_the_bodies_of_cases() -> None:
    assert len(ACCEPTED) > 5


@looped("case", ACCEPTED)
def test_a_body_of_another_type_is_refused(case: Case) -> None:
    for body in bodies(case):
        assert sent(case, body).status == 400, body
