"""Faults in the content of a 2xx response: for every operation, the call returns a result or raises an error."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kit.faults import scripts as f
from kit.faults.payloads import CONTENT_KINDS, GZIP_FAULTS, odd_content
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from reliability.kit import Run, hazard
from reliability.operations import E3, E4, E10, OPERATIONS, Op
from subscribekit import RetryPolicy
from subscribekit.errors import InvalidResponseError, OutcomeUnknownError

ONCE = RetryPolicy(max_attempts=1)
ELEVEN = OPERATIONS[:11]
FAULTS: dict[str, Step] = {
    **{kind: f.content(kind) for kind in CONTENT_KINDS},
    **{f"gzip {fault}": f.gzip_corrupt(fault) for fault in GZIP_FAULTS},
    "a proxy's page": f.html(200),
    "another type": f.wrong_type("text/html"),
    "nothing": f.no_content(),
    "cut": f.truncate(5),
    "cut, in chunks": f.truncate(5, chunked=True),
    "cut by the end of the connection": f.until_close(5),
}
ACCEPTED_BY: dict[str, set[str]] = {
    **{kind: {"E1", "E9"} for kind in ("empty", "nothing", "null", "string", "number")},
    "array": {"E1", "E9", "E11"},
    "long_decimal": {"E6", "E9", "E11"},
}
"""The operations for which a kind of content is a success.

E9 has no result, and no source documents the result of E1. E1 rejects objects, because they show another payment.
"""


def test_there_are_33_faults() -> None:
    assert len(FAULTS) == 33


@hazard("H12", "H51", "H53", "H54", "H56", "H60")
@pytest.mark.parametrize("op", ELEVEN, ids=str)
def test_content_is_a_result_or_is_refused(run: Run, srv: FaultServer, op: Op) -> None:
    client = run.client(op.group, srv, retry=ONCE)
    for name, fault in FAULTS.items():
        if op is E10 and name == "array":
            continue  # an array is a page of this list
        srv.forget()
        srv.script(fault)
        if op.name in ACCEPTED_BY.get(name, set()):
            run(client, op.use)
        else:
            error = run.fails(client, op.use)
            if op.writes:
                assert isinstance(error, OutcomeUnknownError), name
                assert error.likely_applied is True, name
                assert error.reconcile_key is not None, name
            assert type(error.__cause__ if op.writes else error) is InvalidResponseError, name
        assert len(srv.requests) == 1, name


@hazard("H54", "H55", "H56")
@pytest.mark.parametrize("op", [E3, E4, E10], ids=str)
def test_an_odd_item_of_a_list_is_refused(run: Run, srv: FaultServer, op: Op) -> None:
    client = run.client(op.group, srv, retry=ONCE)
    for kind in CONTENT_KINDS:
        items = b"[" + odd_content(kind) + b"]"
        page = items if op is E10 else b'{"object": "List", "url": "/list", "data": ' + items + b"}"
        srv.script(f.ok(page, headers=[("X-Total-Count", "0" if kind == "empty" else "1")]))
        if kind == "empty":
            assert run(client, op.use) == []
        elif kind == "long_decimal":
            (item,) = run(client, op.use)
            assert item.model_extra["amount"] == Decimal("19.99000000000000000000000001")
        else:
            assert type(run.fails(client, op.use)) is InvalidResponseError, kind
