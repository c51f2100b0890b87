"""Checks what `inspect`, `typing`, `pydoc`, mocks, and `dir` show for the operations, in every form."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
import pydoc
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints
from unittest import mock

import pytest

import subscribekit
from subscribekit import AsyncBillingClient, AsyncPager, BillingClient, Page, Pager, PreparedRequest, Response
from subscribekit._core.client.resources import Bound
from subscribekit._core.lists.pager import RawPager
from subscribekit._core.lists.pager_async import AsyncRawPager
from subscribekit._core.operations.operation import Operation
from subscribekit._operations.billing.payments import reverse_payment
from subscribekit.billing import AsyncPayments, GenericResource, Payments
from subscribekit.models import Account, Chargeback, Payment

FORMS = ("prepare", "with_raw_response")
GROUPS = ("Billing", "Gateway", "UserMgmt", "Storefront")
CLIENTS = [f"{prefix}{group}Client" for group in GROUPS for prefix in ("", "Async")]
STYLES: dict[str, Callable[[], Any]] = {
    "blocking": lambda: BillingClient(environment="sandbox"),
    "async": lambda: AsyncBillingClient(environment="sandbox"),
    "raw": lambda: BillingClient(environment="sandbox").with_raw_response,
    "async raw": lambda: AsyncBillingClient(environment="sandbox").with_raw_response,
    "prepare": lambda: BillingClient(environment="sandbox").prepare,
    "prepare of an async client": lambda: AsyncBillingClient(environment="sandbox").prepare,
}
RESULTS: dict[str, tuple[object, object]] = {
    "blocking": (Payment, Pager[Account]),
    "async": (Payment, AsyncPager[Account]),
    "raw": (Response[Payment], RawPager[Account]),
    "async raw": (Response[Payment], AsyncRawPager[Account]),
    "prepare": (PreparedRequest[Payment], PreparedRequest[Page[Account]]),
    "prepare of an async client": (PreparedRequest[Payment], PreparedRequest[Page[Account]]),
}


def holders(client: Any) -> Iterator[Any]:
    yield from (client, client.with_raw_response, client.prepare)


def operations(holder: Any) -> Iterator[tuple[str, Any]]:
    """Yield every operation of every resource of a client or of one of its forms."""
    for family in dir(holder):
        if family not in FORMS and isinstance(found := getattr(holder, family, None), Bound):
            for name in dir(found):
                if not name.startswith("_"):
                    yield f"{family}.{name}", getattr(found, name)


@pytest.mark.parametrize("style", STYLES)
def test_a_signature_has_the_types_of_the_arguments_and_the_result(style: str) -> None:
    holder, (result, listed) = STYLES[style](), RESULTS[style]
    reverse, accounts = inspect.signature(holder.payments.reverse), inspect.signature(holder.accounts.list)
    assert {name: each.annotation for name, each in reverse.parameters.items()} == {"payment": str}
    assert reverse.return_annotation == result
    assert accounts.return_annotation == listed
    assert accounts.parameters["limit"].annotation == int | None
    assert get_type_hints(holder.payments.reverse) == {"payment": str, "return": result}
    assert get_type_hints(holder.accounts.list)["return"] == listed
    assert inspect.iscoroutinefunction(holder.payments.reverse) == style.startswith("async")
    assert not inspect.iscoroutinefunction(holder.accounts.list)


async def awaited(value: Awaitable[object]) -> object:
    return await value


@pytest.mark.parametrize("style", STYLES)
def test_a_call_returns_the_type_in_its_signature(style: str) -> None:
    holder = STYLES[style]()
    returned = holder.payments.reverse("pay-cash-0001")
    if inspect.isawaitable(returned):
        returned = asyncio.run(awaited(returned))
    annotation = RESULTS[style][0]
    assert type(returned) is (get_origin(annotation) or annotation)
    assert type(holder.accounts.list()) is get_origin(RESULTS[style][1])


@pytest.mark.parametrize("name", CLIENTS)
def test_every_annotation_of_every_operation_resolves_in_every_style(name: str) -> None:
    seen = 0
    for holder in holders(getattr(subscribekit, name)(environment="sandbox")):
        for title, method in operations(holder):
            hints = get_type_hints(method)
            assert hints.keys() == inspect.signature(method).parameters.keys() | {"return"}, title
            assert get_origin(hints["return"]) is not Operation, title
            assert "Operation" not in str(inspect.signature(method)), title
            assert "Listing" not in str(inspect.signature(method)), title
            seen += 1
    assert seen >= 3


@pytest.mark.parametrize("name", CLIENTS)
def test_the_annotations_of_clients_resolve(name: str) -> None:
    kind = getattr(subscribekit, name)
    assert Any not in get_args(get_type_hints(kind.__init__)["observers"])
    enter = kind.__aenter__ if name.startswith("Async") else kind.__enter__
    assert get_type_hints(enter) == {"return": kind}
    for title, method in inspect.getmembers(kind, callable):
        if not title.startswith("_"):
            assert "return" in get_type_hints(method), title


def test_calls_without_a_method_have_signatures_too() -> None:
    blocking, asynchronous = (STYLES[style]() for style in ("blocking", "async"))
    assert list(inspect.signature(blocking.request).parameters) == ["method", "path", "result", "params", "json"]
    assert get_origin(inspect.signature(blocking.prepare.request).return_annotation) is PreparedRequest
    assert inspect.iscoroutinefunction(asynchronous.request)
    assert inspect.iscoroutinefunction(asynchronous.send)
    assert list(inspect.signature(blocking.send).parameters) == ["request"]
    assert get_origin(get_type_hints(blocking.resource)["return"]) is GenericResource
    assert str(inspect.signature(blocking.collection)).startswith("(path: str, item: type[")
    family = blocking.with_raw_response.resource("chargebacks", Chargeback)
    assert get_origin(inspect.signature(family.retrieve).return_annotation) is Response


@pytest.mark.parametrize("style", STYLES)
def test_the_source_of_a_method_is_its_code(style: str) -> None:
    """The source from `inspect.getsource` names the function that describes the call."""
    payments = STYLES[style]().payments
    marker = "async def" if style.startswith("async") else "def"
    assert inspect.getsource(payments.reverse).startswith(f"    {marker} reverse(self, payment: str) -> ")
    assert inspect.getsource(type(payments).reverse).endswith("self._call(describe.reverse_payment, payment)\n")
    assert f"class {type(payments).__name__}(" in inspect.getsource(type(payments))
    assert Path(inspect.getsourcefile(payments.reverse) or "").name == "payments.py"
    module = inspect.getmodule(payments.reverse)
    assert getattr(module, type(payments).__name__) is type(payments)


def test_the_description_of_a_call_returns_an_operation() -> None:
    assert inspect.signature(reverse_payment).return_annotation == Operation[Payment]
    assert isinstance(reverse_payment("p1"), Operation)


@pytest.mark.parametrize("style", STYLES)
def test_help_shows_the_signatures(style: str) -> None:
    holder = STYLES[style]()
    of_method = pydoc.render_doc(holder.payments.reverse, renderer=pydoc.plaintext)
    of_family = pydoc.render_doc(holder.payments, renderer=pydoc.plaintext)
    assert "reverse(payment: str) ->" in of_method
    assert "everse a payment made with" in of_method
    marker = "async " if style.startswith("async") else " "
    assert f"{marker}reverse(self, payment: str) ->" in of_family
    assert "Operation[" not in of_method + of_family
    assert "payments" in pydoc.render_doc(type(holder), renderer=pydoc.plaintext)


@pytest.mark.parametrize("style", STYLES)
def test_wrappers_keep_the_signature(style: str) -> None:
    method = STYLES[style]().payments.reverse
    assert str(inspect.signature(functools.partial(method, "p1"))).startswith("() ->")

    @functools.wraps(method)
    def wrapper(*args: object, **kwargs: object) -> object:
        return method(*args, **kwargs)

    assert inspect.signature(wrapper) == inspect.signature(method)
    assert get_type_hints(wrapper) == get_type_hints(method)
    assert wrapper.__qualname__ == method.__qualname__
    assert wrapper.__doc__ == method.__doc__


@pytest.mark.parametrize("style", STYLES)
def test_a_mock_of_a_client_has_its_signatures(style: str) -> None:
    client = STYLES[style]()
    double = mock.create_autospec(client)
    called(double.payments.reverse, "p1")
    double.payments.reverse.assert_called_once_with("p1")
    with pytest.raises(TypeError):
        called(double.payments.reverse, "p1", "p2")
    with pytest.raises(TypeError):
        double.accounts.list(page=2)
    with pytest.raises(AttributeError):
        _ = double.payments.revert


def called(method: Any, *given: object) -> Any:
    """Return the result of a method, and await the result if it's a coroutine."""
    found = method(*given)
    return asyncio.run(found) if inspect.iscoroutine(found) else found


@pytest.mark.parametrize("kind", [Payments, AsyncPayments])
def test_a_mock_of_a_class_has_its_signatures(kind: Any) -> None:
    for double in (mock.create_autospec(kind, instance=True), mock.create_autospec(kind)(None)):
        double.reverse.return_value = 3
        assert called(double.reverse, "p1") == 3
        with pytest.raises(TypeError):
            double.reverse()
        with pytest.raises(AttributeError):
            _ = double.revert


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_method_can_be_patched(style: str) -> None:
    payments = STYLES[style]().payments
    name = f"subscribekit.billing.{type(payments).__name__}.reverse"
    for patch in (mock.patch(name, autospec=True), mock.patch.object(type(payments), "reverse", autospec=True)):
        with patch as double:
            double.return_value = 3
            assert called(payments.reverse, "p1") == 3
            double.assert_called_once_with(payments, "p1")
            with pytest.raises(TypeError):
                payments.reverse("p1", "p2")
    client = STYLES[style]()
    with mock.patch.object(client, "payments", mock.create_autospec(payments)) as other:
        assert client.payments is other
    assert type(client.payments) is type(payments)


class Shop(BillingClient):
    """A client of an application, with its own method."""

    def undo(self, payment: str) -> Payment:
        return self.payments.reverse(payment)

    def request(self, *args: Any, **kwargs: Any) -> Any:
        return super().request(*args, **kwargs)


def test_a_client_can_have_a_subclass() -> None:
    with Shop(environment="sandbox") as shop:
        assert isinstance(shop, Shop)
        assert isinstance(shop.with_options(deadline=5), Shop)
        assert isinstance(shop.undo("pay-cash-0001"), Payment)
        assert shop.request("GET", "/accounts/acct-0001", result=Account).id == "acct-0001"
        assert repr(shop).startswith("<Shop environment=")


@pytest.mark.parametrize("name", CLIENTS)
def test_dir_lists_only_names_that_can_be_used(name: str) -> None:
    for holder in holders(getattr(subscribekit, name)(environment="sandbox")):
        offered = {each for each in dir(holder) if not each.startswith("_")}
        assert not offered & {"driver", "func", "attrname", "lock", "settings", "describe"}
        for name, found in inspect.getmembers(holder, lambda each: isinstance(each, Bound)):
            if name in FORMS:
                continue
            assert {each for each in dir(found) if not each.startswith("_")} == {
                each for each in dir(found) if callable(getattr(found, each)) and not each.startswith("_")
            }
            assert str(sorted(each for each in dir(found) if each[0] != "_"))[1:-1].replace("'", "") in repr(found)


def test_inspecting_a_client_imports_no_http_library() -> None:
    """A new process compares the imported modules before and after."""
    story = (
        "import inspect, sys, subscribekit\n"
        "client = subscribekit.BillingClient(base_url='https://b.test', api_user='u', api_key='k')\n"
        "before = set(sys.modules)\n"
        "members = dict(inspect.getmembers(client))\n"
        "assert members['accounts'] is client.accounts\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('subscribekit.')))\n"
        "print(*sorted({'inspect', 'httpx', 'asyncio', 'tenacity', 'aiohttp'} & (set(sys.modules) - before)))\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", story], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & {"httpx", "asyncio", "socket", "aiohttp", "tenacity"} == set()


def test_the_repr_of_a_resource_names_its_client_and_operations() -> None:
    client = STYLES["blocking"]()
    assert repr(client.payments) == (
        "<payments of BillingClient environment='sandbox': create, list, retrieve, reverse>"
    )
    assert repr(client.with_raw_response.payments).startswith("<payments of BillingClient.with_raw_response ")
    assert repr(client.resource("chargebacks", Chargeback)).startswith("<chargebacks of BillingClient ")
    assert repr(client.collection("/accounts/a1/notes", Account)).startswith("<collection of Account of BillingClient ")
    assert repr(client.with_raw_response).startswith(
        "<BillingClient.with_raw_response environment='sandbox': accounts,"
    )
    assert repr(STYLES["async"]().payments).startswith("<payments of AsyncBillingClient ")


def test_a_resource_is_copied_with_its_driver_and_cannot_be_pickled() -> None:
    payments = STYLES["blocking"]().payments
    assert copy.copy(payments).reverse("pay-cash-0001").id == "pay-cash-0001"
    assert type(type(payments)(payments._driver)) is type(payments)
    for spread in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="can't be pickled or copied"):
            spread(payments)
