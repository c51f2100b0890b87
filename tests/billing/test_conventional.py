"""Checks `client.resource`, which calls resources without published operations, and refuses names of actions."""

from __future__ import annotations

from typing import Any, cast

import pytest

from kit.calls import Run, Service, envelope
from kit.calls import answer as reply
from looped import looped
from subscribekit import BillingClient
from subscribekit.errors import InvalidArgumentError, InvalidResponseError, NotFoundError
from subscribekit.models import Account, Charge, Chargeback, Model
from subscribekit.sandbox import Sandbox


@pytest.mark.parametrize("name", ["gdpr", "gdpr_erase", "gdpr_erases", "diagnostics", "diagnostics_echo"])
def test_names_of_actions_are_refused(name: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="request"):
        run.client("billing", transport=Service()).resource(name, Chargeback)


@looped("name", ["", "Chargebacks", "charge-backs", "a/b", "a.b", "..", "a b", "x1", "é", "a" * 129, 7])
def test_an_invalid_resource_name_is_refused(name: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="plural"):
        run.client("billing", transport=Service()).resource(name, Chargeback)


@pytest.mark.parametrize("model", [str, dict, Model, "Chargeback", Chargeback()])
def test_the_model_must_be_the_class_of_a_resource(model: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="model"):
        run.client("billing", transport=Service()).resource("chargebacks", model)


def test_a_list_is_read_to_its_end(run: Run) -> None:
    first = envelope({"object": "Charge", "id": "c1"}, next="/charges?starting_after=c1")
    service = Service(reply(first), reply(envelope({"object": "Charge", "id": "c2"})))
    result = run("billing", lambda c: c.resource("charges", Charge).list(), transport=service)
    assert result == [Charge(id="c1"), Charge(id="c2")]
    assert service.sent[1].query == [("starting_after", "c1")]


def test_unknown_fields_are_kept(run: Run) -> None:
    service = Service(reply({"object": "Chargeback", "id": "cb1", "case_number": "77"}))
    found = run("billing", lambda c: c.resource("chargebacks", Chargeback).retrieve("cb1"), transport=service)
    assert found.model_extra == {"case_number": "77"}


def test_two_resources_have_separate_paths(run: Run) -> None:
    client = run.client("billing", transport=Service())
    one, other = client.prepare.resource("chargebacks", Chargeback), client.prepare.resource("charges", Charge)
    assert one.retrieve("x").url.endswith("/chargebacks/x")
    assert other.retrieve("x").url.endswith("/charges/x")
    assert other.retrieve("x").path_template == "/charges/{identifier}"


def test_the_sandbox_stores_the_resources(run: Run) -> None:
    sandbox = Sandbox()

    async def story(client: Any) -> None:
        family = client.resource("chargebacks", Chargeback)
        made = await run.now(family.create(Chargeback(id="cb1", metadata={"note": "first"})))
        assert isinstance(made, Chargeback)
        assert made.vid is not None
        changed = await run.now(family.update("cb1", Chargeback(metadata={"note": "second"})))
        assert changed.metadata == {"note": "second"}
        assert await run.now(family.retrieve(made.vid)) == changed
        assert [each async for each in run.every(family.list())] == [changed]
        assert await run.now(family.delete("cb1")) is None
        with pytest.raises(NotFoundError):
            await run.now(family.retrieve("cb1"))

    transport = sandbox.transport if run.style == "blocking" else sandbox.async_transport
    run("billing", story, environment=sandbox.environment, transport=transport)


def test_a_body_of_a_subclass_is_accepted() -> None:
    class Dispute(Chargeback):
        """A chargeback with a field that the SDK's model doesn't have."""

        case_number: str | None = None

    service = Service(reply({"object": "Chargeback", "id": "cb1", "case_number": "77"}))
    with cast("BillingClient", Run("blocking").client("billing", transport=service)) as client:
        made = client.resource("chargebacks", Dispute).create(Dispute(case_number="77"))
    assert type(made) is Dispute
    assert made.case_number == "77"
    assert service.only.body == b'{"case_number":"77"}'


def test_the_response_must_match_the_model(run: Run) -> None:
    service = Service(reply({"object": "Account", "id": "a1"}), reply({"object": "Account", "id": "a1"}))
    with pytest.raises(InvalidResponseError, match="Chargeback"):
        run("billing", lambda c: c.resource("chargebacks", Chargeback).retrieve("cb1"), transport=service)
    found = run("billing", lambda c: c.resource("accounts", Account).retrieve("a1"), transport=service)
    assert found == Account(id="a1")
