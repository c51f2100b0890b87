"""A preview identifies items, shows no personal data, and can't be sent without a record in the ledger (H196)."""

from __future__ import annotations

import asyncio
import copy
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit import AsyncGatewayClient, BillingClient, PreparedRequest
from subscribekit.bulk import AsyncRun, PreviewItem, Run
from subscribekit.errors import InvalidArgumentError
from subscribekit.filters import field
from subscribekit.models import Account, Product, Subscription, SubscriptionItem
from subscribekit.models.subscription_changes import change_plan
from subscribekit.sandbox import Sandbox


def test_items_of_a_preview_can_be_distinguished(tmp_path: Path) -> None:
    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 3))
        first, second = run.preview(2)
        assert (
            repr(first)
            == str(first)
            == (
                "<PreviewItem 'order-0': entitlements.charge, POST /v1/entitlement/ps-0/charge "
                '{"transactionId": "t0", "amount": ***, "currency": "USD"}>'
            )
        )
        assert "'order-1'" in repr(second)
        assert "/ps-1/" in repr(second)
        assert "order-0" in first._repr_html_()
        assert "/v1/entitlement/ps-0/charge" in first._repr_html_()
        assert (first.key, isinstance(first, PreparedRequest)) == ("order-0", True)
        assert [item.key for item in run.preview()] == ["order-0", "order-1", "order-2"]


def shown(tmp_path: Path, client: Any, request: Any) -> str:
    number = len(list(tmp_path.iterdir()))
    with Run(tmp_path / f"{number}.db", client) as run:
        run.add([("k", request)])
        return repr(run.preview(1)[0])


def test_a_change_of_a_plan_shows_subscription_plan_and_day(tmp_path: Path) -> None:
    billing = Sandbox().billing()
    change = change_plan("sub-basic-0001", "plan-annual")
    request = billing.prepare.subscriptions.update("sub-basic-0001", change, effective_date="nextBill")
    assert shown(tmp_path, billing, request) == (
        "<PreviewItem 'k': subscriptions.update, POST /subscriptions/sub-basic-0001?effective_date=nextBill "
        '{"object": "Subscription", "id": "sub-basic-0001", "billing_plan": {"object": "BillingPlan", '
        '"id": "plan-annual"}}>'
    )


def test_personal_data_is_not_shown(tmp_path: Path) -> None:
    billing = Sandbox().billing()
    account = Account(id="c1", name="Ada Lovelace", email="ada@example.com", metadata={"secret-name": "secret"})
    text = shown(tmp_path, billing, billing.prepare.accounts.create(account))
    for part in ("Ada", "ada@", "secret"):
        assert part not in text
    assert '"id": "c1", "email": ***' in text
    named = shown(
        tmp_path, billing, billing.prepare.request("POST", "/subscriptions/s1", json={"own": {"ada@x.test": 1}})
    )
    assert named.endswith('/subscriptions/s1 {"own": ***}>')
    users = Sandbox().user_mgmt()
    request = users.prepare.custom_data.delete("u1", "devices", filter=field("owner").eq("ada@example.com"))
    assert "ada" not in shown(tmp_path, users, request)


def test_a_large_body_is_shortened(tmp_path: Path) -> None:
    billing = Sandbox().billing()
    request = billing.prepare.accounts.create(Account(id="c1", company="x" * 1000, name="y" * 1000))
    assert len(shown(tmp_path, billing, request)) < 600


def test_only_the_size_of_a_compressed_body_is_shown(tmp_path: Path) -> None:
    billing = BillingClient(environment="sandbox", compress_requests=True)
    body = Subscription(id="s1", billing_plan=change_plan("s1", "plan-annual").billing_plan)
    text = shown(tmp_path, billing, billing.prepare.subscriptions.update("s1", body))
    assert re.fullmatch(r"<PreviewItem 'k': subscriptions.update, POST /subscriptions/s1 \(\d+ bytes\)>", text)


@pytest.mark.parametrize("change", [lambda item: item, copy.copy, lambda item: pickle.loads(pickle.dumps(item))])
def test_a_preview_cannot_be_sent_without_the_run(change: Any, tmp_path: Path) -> None:
    service = Ledgered()
    message = (
        r"comes from the preview of a run can't be sent; create it with client.prepare. To send the items of a run, "
        r"use run.send\(\)"
    )
    with client_of(service) as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        item = change(run.preview()[0])
        with pytest.raises(InvalidArgumentError, match=message):
            client.send(item)
        with opened(tmp_path / "other.db", client) as other, pytest.raises(InvalidArgumentError, match=message):
            other.add([(item.key, item)])
        assert service.arrived == []
        assert [each.state for each in run.send()] == ["done"]


def test_an_async_preview_cannot_be_sent_without_the_run(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            AsyncGatewayClient(base_url="https://gateway.test", api_key="k", transport=Ledgered()) as client,
            AsyncRun(tmp_path / "l.db", client) as run,
        ):
            await run.add(jobs(client, 1))
            (item,) = await run.preview()
            assert type(item) is PreviewItem
            assert "'order-0'" in repr(item)
            with pytest.raises(InvalidArgumentError, match="To send the items of a run, use "):
                await client.send(item)

    asyncio.run(story())


def test_the_items_of_a_subscription_are_shown(tmp_path: Path) -> None:
    billing = Sandbox().billing()
    items = [SubscriptionItem(id=each, product=Product(id=f"p-{each}")) for each in ("a", "b")]
    request = billing.prepare.subscriptions.create(Subscription(id="s1", items=items))
    assert shown(tmp_path, billing, request).endswith(
        '{"id": "s1", "items": [{"id": "a", "product": {"id": "p-a"}}, {"id": "b", "product": {"id": "p-b"}}]}>'
    )
