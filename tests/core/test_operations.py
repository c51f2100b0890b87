"""Requests and results of the eleven specified operations, sync and async, over the SDK's own connections (respx)."""

from __future__ import annotations

import re
from typing import Any

import pytest
import respx

from core.operation_cases import CASES, COMMON, Case
from kit.calls import AUTH, CREDENTIALS, GROUPS, URL, Group, Run
from looped import looped
from subscribekit._core.operations.identity import ID_OR_VID, Identity
from subscribekit._core.operations.operation import Operation, Safety, delete, post
from subscribekit._core.operations.readers import ReadModel
from subscribekit._operations.billing.payments import reverse_payment
from subscribekit.models import Payment


@looped("case", CASES.values())
def test_request_and_result(case: Case, run: Run) -> None:
    authentication = AUTH[case.group] if case.authenticated else {}
    url = URL[case.group] + case.path + (f"?{case.query}" if case.query else "")
    with respx.mock() as service:
        route = service.route(method=case.method, url=url, headers=authentication or None)
        route.respond(
            case.status,
            content=case.answer or None,
            headers={"Content-Type": "application/json", **case.answer_headers} if case.answer else None,
        )
        result = run(case.group, case.use, **case.options)
    assert route.call_count == 1
    request = route.calls[0].request
    assert str(request.url) == url
    assert request.content == case.body
    expected = {"Host": URL[case.group].split("/")[2], **COMMON, **case.headers, **authentication}
    if case.body:
        expected["Content-Length"] = str(len(case.body))
    sent = {name.decode().title(): value.decode() for name, value in request.headers.raw}
    assert len(sent) == len(request.headers.raw), "a header was sent twice"
    assert re.fullmatch(r"[0-9a-f]{32}", sent.pop("X-B3-Traceid"))
    assert re.fullmatch(r"[0-9a-f]{16}", sent.pop("X-B3-Spanid"))
    assert sent.keys() == {name.title() for name in expected}
    for name, value in expected.items():
        if isinstance(value, re.Pattern):
            assert value.fullmatch(sent[name.title()]), name
        else:
            assert sent[name.title()] == value, name
    assert case.shown(result) == case.result


def test_every_operation_has_a_case() -> None:
    assert {name.split(",")[0] for name in CASES if name.startswith("E")} == {f"E{number}" for number in range(1, 12)}


@pytest.mark.parametrize("group", GROUPS)
def test_the_base_url_may_have_a_path_and_a_port(group: Group, run: Run) -> None:
    case = next(case for case in CASES.values() if case.group == group)
    query = f"?{case.query}" if case.query else ""
    with respx.mock() as service:
        route = service.route(method=case.method, url=f"https://host.test:8443/a/b{case.path}{query}")
        route.respond(case.status, content=case.answer, headers={"Content-Type": "application/json"})
        options = {"base_url": "https://HOST.test:8443/a/b/", **CREDENTIALS[group], **case.options}
        assert case.shown(run(group, case.use, **options)) == case.result
    assert route.calls[0].request.headers["Host"] == "host.test:8443"


def test_the_function_of_an_operation_returns_its_description() -> None:
    described = reverse_payment("pay-1")
    template = "/payments/{payment}/actions/reverse"
    identity = Identity(ID_OR_VID, ("pay-1",), is_required=False)
    assert described == post(template, "pay-1", result=Payment, safety=Safety.WRITE, identity=identity)
    assert described.result is Payment
    assert described.safety is Safety.WRITE
    assert described.path == ("payments", "pay-1", "actions", "reverse")
    assert repr(described) == "<Operation POST /payments/{payment}/actions/reverse>"


def test_operations_and_their_constructors_have_no_default_safety() -> None:
    path = {"method": "POST", "template": "/a", "path": ("a",), "reader": ReadModel(Payment)}
    with pytest.raises(TypeError, match="safety"):
        Operation(**path)  # type: ignore[arg-type]  # without the error, this would be a read, sent up to three times
    for make in (post, delete):
        with pytest.raises(TypeError, match="safety"):
            make("/a", result=Payment, identity=None) if make is post else make("/a")  # type: ignore[operator]  # the same mistake


def test_each_call_sends_one_request_and_the_client_can_be_reused(run: Run) -> None:
    with respx.mock(base_url=URL["billing"]) as service:
        route = service.post(path__regex=r"/payments/pay-\d/actions/reverse").respond(204)

        async def story(client: Any) -> None:
            for number in range(5):
                await run.now(client.payments.reverse(f"pay-{number}"))

        run("billing", story)
    assert [call.request.url.path for call in route.calls] == [
        f"/rest/payments/pay-{number}/actions/reverse" for number in range(5)
    ]
