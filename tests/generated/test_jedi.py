"""Checks what Jedi completes and shows where a user types. IPython and many editors use Jedi."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, ClassVar

import jedi
import pytest

import subscribekit
from subscribekit import AsyncBillingClient, BillingClient

SOURCE = Path(subscribekit.__file__).parent.parent
PROJECT = jedi.Project(SOURCE)
HEAD = """\
from subscribekit import (
    AsyncBillingClient, AsyncGatewayClient, AsyncStorefrontClient, AsyncUserMgmtClient,
    BillingClient, GatewayClient, StorefrontClient, UserMgmtClient,
)
from subscribekit.models import Account, Chargeback, EntitlementCharge
billing, gateway, users, storefront = BillingClient(), GatewayClient(), UserMgmtClient(), StorefrontClient()
async def main(a: AsyncBillingClient, g: AsyncGatewayClient, u: AsyncUserMgmtClient, s: AsyncStorefrontClient):
    """

FAMILIES = {"accounts", "payments", "subscriptions", "with_raw_response", "prepare", "request", "send"}
PLACES: dict[str, set[str]] = {
    # Billing, sync
    "with BillingClient(environment='sandbox') as b:\n        b.": {*FAMILIES, "close"},
    "billing.with_options(deadline=5).": {*FAMILIES, "close"},
    "billing.payments.": {"create", "list", "retrieve", "reverse"},
    "billing.payments.reverse('x').": {"status", "amount", "currency"},
    "for each in billing.accounts.list():\n        each.": {"email", "payment_methods"},
    "billing.accounts.list().first().": {"email", "payment_methods"},
    "billing.accounts.list().to_list()[0].": {"email"},
    "billing.accounts.retrieve('a1').payment_methods[0].": {"credit_card", "primary"},
    "for page in billing.accounts.list().pages():\n        page.data[0].": {"email"},
    "billing.resource('chargebacks', Chargeback).": {"create", "delete", "list", "retrieve", "update"},
    "billing.resource('chargebacks', Chargeback).retrieve('c1').": {"metadata", "vid"},
    "billing.collection('/a/b', Account).list().first().": {"email"},
    "billing.request('GET', '/accounts/a1', result=Account).": {"email"},
    # Raw and prepared
    "billing.with_raw_response.payments.reverse('x').": {"data", "status_code", "request_id", "attempts"},
    "billing.with_raw_response.payments.reverse('x').data.": {"status"},
    "billing.prepare.payments.reverse('x').": {"url", "headers", "body"},
    "billing.send(billing.prepare.payments.reverse('x')).": {"status"},
    # Billing, async
    "async with AsyncBillingClient(environment='sandbox') as b:\n        b.": {*FAMILIES, "aclose"},
    "(await a.payments.reverse('x')).": {"status", "amount"},
    "async for each in a.accounts.list():\n        each.": {"email"},
    "(await a.accounts.list().first()).": {"email"},
    "(await a.with_raw_response.payments.reverse('x')).data.": {"status"},
    # The other APIs, sync and async
    "gateway.": {"campaigns", "subscriptions", "partner_subscriptions", "entitlements"},
    "gateway.entitlements.charge('p', EntitlementCharge(transaction_id='t')).": {"transaction_reference_id"},
    "(await g.partner_subscriptions.cancel('p')).": {"billing_status"},
    "users.": {"accounts", "custom_data", "entities", "collection"},
    "for each in users.accounts.list():\n        each.": {"association", "display_name"},
    "async for each in u.entities.list('/user/groups'):\n        each.": {"id"},
    "storefront.payment_methods.update('a', payment_method_id='p').": {"primary", "active"},
    "(await s.payment_methods.update('a', payment_method_id='p')).": {"primary", "active"},
}  # fmt: skip


def typed(code: str) -> Any:
    return jedi.Script(HEAD + code, path=SOURCE / "typed_by_a_user.py", project=PROJECT)


def names(found: Any) -> set[str]:
    return {each.name for each in found.complete() if not each.name.startswith("_")}


@pytest.mark.parametrize("code", PLACES, ids=lambda code: code.rpartition("\n")[2].strip())
def test_the_names_after_a_dot_are_completed(code: str) -> None:
    offered = names(typed(code))
    assert PLACES[code] <= offered
    assert not offered & {"driver", "func", "attrname", "lock", "reader", "safety"}


SIGNATURES = {
    "billing.payments.reverse(": ("reverse(payment: str) -> Payment", "The payment's `id` or `vid`"),
    "a.payments.reverse(": ("reverse(payment: str) -> Payment", "The payment's `id` or `vid`"),
    "billing.with_raw_response.payments.reverse(": ("reverse(payment: str) -> Response[Payment]", "Reverse a payment"),
    "billing.prepare.payments.reverse(": ("reverse(payment: str) -> PreparedRequest[Payment]", "unsent"),
    "gateway.entitlements.charge(": (
        "charge(partner_subscription: str, charge: EntitlementCharge) -> EntitlementChargeReceipt",
        "The charge, with an exact `amount`",
    ),
    "u.custom_data.delete(": (
        "delete(user_id: str | int, property_array_name: str, *, filter: Filter | str) -> None",
        "The filter that selects the items to delete",
    ),
}


@pytest.mark.parametrize("code", SIGNATURES)
def test_a_call_has_one_signature_with_its_docstring(code: str) -> None:
    (signature,) = typed(code).get_signatures()
    expected, text = SIGNATURES[code]
    assert signature.to_string() == expected
    assert text in signature.docstring()


@pytest.mark.parametrize("code", ["billing.accounts.list(", "a.accounts.list("])
def test_a_list_has_one_signature(code: str) -> None:
    (signature,) = typed(code).get_signatures()
    kind = "AsyncPager" if code.startswith("a.") else "Pager"
    assert signature.to_string().endswith(f"prefetch: bool=False) -> {kind}[Account]")
    assert "email: Only accounts with this email address." in signature.docstring()


@pytest.mark.parametrize(
    ("code", "argument"),
    [
        ("billing.accounts.list(em", "email="),
        ("a.accounts.list(start", "starting_after="),
        ("storefront.payment_methods.update('a', pri", "primary="),
        ("BillingClient(env", "environment="),
        ("billing.with_options(dead", "deadline="),
    ],
)
def test_an_argument_is_completed_by_name(code: str, argument: str) -> None:
    assert argument in names(typed(code))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("billing.accounts", "Accounts: the records of end customers, who are persons or organizations."),
        ("billing.payments.reverse", "Reverse a payment made with the Merchant Accepted Payment method (E1)."),
        ("a.payments.reverse", "Reverse a payment made with the Merchant Accepted Payment method (E1)."),
        ("billing.with_raw_response", "The same methods, returning `Response` with status"),
        ("billing.prepare", "The same methods, returning the exact request and sending nothing."),
        ("BillingClient", "The sync client of the billing API."),
    ],
)
def test_a_hover_shows_the_docstring(code: str, text: str) -> None:
    whole = HEAD + code
    (found,) = typed(code).help(whole.count("\n") + 1, len(whole.rpartition("\n")[2]))
    assert text in found.docstring()


class TestLive:
    """Completion in a shell. Jedi inspects the existing objects, and reads the source of their classes."""

    client = BillingClient(environment="sandbox")
    space: ClassVar[dict[str, Any]] = {
        "billing": client,
        "a": AsyncBillingClient(environment="sandbox"),
        "accounts": client.accounts,
        "raw": client.with_raw_response,
    }

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            ("billing.", FAMILIES),
            ("with billing as b:\n    b.", FAMILIES),
            ("billing.payments.", {"create", "list", "retrieve", "reverse"}),
            ("billing.payments.reverse('x').", {"status", "amount"}),
            ("accounts.retrieve('x').", {"email"}),
            ("for each in accounts.list():\n    each.", {"email"}),
            ("billing.prepare.payments.reverse('x').", {"url", "headers"}),
            ("raw.payments.reverse('x').data.", {"status"}),
            ("async def f():\n    (await a.payments.reverse('x')).", {"status"}),
        ],
    )
    def test_the_names_after_a_dot_are_completed(self, code: str, expected: set[str]) -> None:
        assert expected <= names(jedi.Interpreter(code, [self.space]))

    def test_a_call_has_one_signature(self) -> None:
        (signature,) = jedi.Interpreter("billing.payments.reverse(", [self.space]).get_signatures()
        assert signature.to_string() == "reverse(payment: str)"


def test_the_pictures_of_the_documentation_show_what_jedi_completes() -> None:
    script = SOURCE.parent / "scripts" / "editor_pictures.py"
    spec = importlib.util.spec_from_file_location("editor_pictures", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for picture in module.PICTURES:
        assert (module.ASSETS / f"{picture.name}.svg").read_text(encoding="utf-8") == module.draw(picture)
