"""Recordings with the settings of `vcr_config` contain no credentials, card numbers, or personal fields (H371)."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vcr

from billing.tables import ALL
from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import SECRETS, Run
from subscribekit import RetryPolicy
from subscribekit import _json as json
from subscribekit._shown import MASK
from subscribekit.models import Account
from subscribekit.models._base import write
from subscribekit.models._fields import sensitive_fields
from subscribekit.testing import make_batch, vcr_config

CARD = "4111111111111111"
DIGITS = re.compile(r"(?<!\d)\d{13,19}(?!\d)")
PLANTED = [("Set-Cookie", f"JSESSIONID={SECRETS[2]}"), ("X-Api-Key", SECRETS[1]), ("Request-Id", "request-1")]


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    run = Run(request.param)
    yield run
    run.close()


@pytest.fixture
def srv() -> Iterator[FaultServer]:
    with FaultServer() as server:
        yield server


def recorded(cassette: Path, **settings: Any) -> Any:
    return vcr.use_cassette(str(cassette), **{**vcr_config(), **settings})


def personal(value: Any) -> Iterator[str]:
    """Yield the texts of the personal fields of a model and of its nested models."""
    for name in type(value).model_fields:
        inner = getattr(value, name)
        for each in inner if isinstance(inner, list) else [inner]:
            if hasattr(type(each), "model_fields"):
                yield from personal(each)
            elif isinstance(each, str) and name in sensitive_fields(type(value)) and len(each) > 3:
                yield each


@pytest.mark.hazard("H371")
def test_recordings_of_all_operations_contain_no_credential_and_no_card_number(
    run: Run, srv: FaultServer, tmp_path: Path
) -> None:
    cassette = tmp_path / "all.yaml"
    clients = {}
    with recorded(cassette, record_mode="all"):
        for case in ALL:
            if case.group not in clients:
                clients[case.group] = run.client(case.group, srv, timed=False, retry=RetryPolicy(max_attempts=1))
            total = [("X-Total-Count", str(len(case.gives)))] if isinstance(case.gives, list) else []
            srv.script(f.ok(case.answer, headers=PLANTED + total))
            run(clients[case.group], case.use)
    text = cassette.read_text()
    assert text.count("uri:") == len(ALL) == len(srv.requests)
    assert CARD in "".join(request.body.decode() for request in srv.requests)
    assert [secret for secret in SECRETS if secret in text] == []
    assert DIGITS.findall(text) == []
    assert "request-1" in text


@pytest.mark.hazard("H371")
def test_a_recording_is_played_with_masked_values(run: Run, srv: FaultServer, tmp_path: Path) -> None:
    """The list has a filter and two pages. While a call is recorded, the application receives the data unmasked."""
    cassette = tmp_path / "list.yaml"
    accounts = [each.model_copy(update={"id": f"a{n}"}) for n, each in enumerate(make_batch(Account, 4, seed=5))]
    hidden = [text for each in accounts for text in personal(each)]
    bodies = [{"object": "Account", **write(each)} for each in accounts]
    link = "/accounts?email=ann%40example.com&starting_after=a1"
    client = run.client("billing", srv, timed=False)

    def use(each: Any) -> Any:
        return each.accounts.list(email="ann@example.com")

    srv.script(
        f.ok(json.encode({"object": "List", "data": bodies[:2], "next": link, "total_count": 4})),
        f.ok(json.encode({"object": "List", "data": bodies[2:], "next": None, "total_count": 4})),
    )
    with recorded(cassette):
        first = run(client, use)
    text = cassette.read_text()
    with recorded(cassette, record_mode="none"):
        again = run(client, use)
    assert len(srv.requests) == 2
    assert [each.email for each in first] == [each.email for each in accounts]
    assert [each.id for each in again] == ["a0", "a1", "a2", "a3"]
    assert {each.email for each in again} == {MASK}
    assert len(hidden) > 20
    assert [value for value in hidden if value in text] == []
    assert "ann" not in text


@pytest.mark.hazard("H371")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"novel": "text", "novel_number": 4711, "id": "a1"}', '{"novel":"***","novel_number":0,"id":"a1"}'),
        (b'{"metadata": {"id": "ann"}, "amount": 4.90}', '{"metadata":{"id":"***"},"amount":4.90}'),
        (b'{"description": "card 4111 1111 1111 1111!"}', '{"description":"card ***!"}'),
        (b'{"code": "not-found", "message": "no ann"}', '{"code":"not-found","message":"***"}'),
        (b"<html>ann</html>", "***"),
        (b"", ""),
        (gzip.compress(b'{"email": "ann@example.com"}', mtime=0), '{"email":"***"}'),
        (b'{"id": 4111111111111111}', '{"id":0}'),
    ],
)
def test_a_body_is_masked_except_for_known_fields(body: bytes, expected: str) -> None:
    response = {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Encoding": ["gzip"]}}
    masked: Any = vcr_config()["before_record_response"]({**response, "body": {"string": body}})
    assert masked["body"]["string"].decode() == expected
    assert masked["headers"] == {}
    older: Any = vcr_config()["before_record_response"]({**response, "content": '{"email": "ann"}'})
    assert older["content"] == '{"email":"***"}'
