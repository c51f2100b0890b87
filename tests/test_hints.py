"""Errors about a wrong name suggest the right one, because a wrong name could cost money or time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from typing import Any

import pytest

import subscribekit
from kit.calls import ASYNC, BLOCKING, Group, Run, Service
from subscribekit import Environment
from subscribekit._hints.names import FAMILIES
from subscribekit.errors import ConfigurationError
from subscribekit.models import Account, CreditCard

ATTRIBUTES: dict[str, tuple[Group, Callable[[Any], object], str]] = {
    "a misspelled family": ("gateway", lambda c: c.entitlments, "did you mean 'entitlements'?"),
    "the family of a client": ("gateway", lambda c: c.subscription, "did you mean 'subscriptions'?"),
    "the family of another client": (
        "billing", lambda c: c.partner_subscriptions, "write GatewayClient().partner_subscriptions",
    ),
    "the families of two clients": (
        "user_mgmt", lambda c: c.entitlements, "write BillingClient().entitlements or GatewayClient().entitlements",
    ),
    "a misspelled family of another client": (
        "billing", lambda c: c.partner_subscription, "write GatewayClient().partner_subscriptions",
    ),
    "a misspelled operation": ("billing", lambda c: c.refunds.creat, "did you mean 'create'?"),
    "nothing like it": ("storefront", lambda c: c.weather, ""),
    "the opposite of an operation": ("billing", lambda c: c.subscriptions.uncancel, ""),
    "the opposite with an underscore": ("billing", lambda c: c.payments.un_reverse, ""),
}  # fmt: skip


@pytest.mark.parametrize(("group", "use", "hint"), ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_the_error_about_a_missing_attribute_suggests_a_similar_name(
    group: Group, use: Callable[[Any], object], hint: str, run: Run
) -> None:
    with pytest.raises(AttributeError, match="object has no attribute") as caught:
        use(run.client(group))
    assert str(caught.value).partition("; ")[2] == hint


SUGGESTION = ". Did you mean 'email'?" if sys.version_info >= (3, 13) else ""
"""The suggestion that Python adds to its error about an argument with a similar name."""
ARGUMENTS: dict[str, tuple[Callable[[Any], object], str]] = {
    "a misspelled argument": (
        lambda c: c.accounts.list(e_mail="s3cret"),
        f"Accounts.list() got an unexpected keyword argument 'e_mail'{SUGGESTION}",
    ),
    "an argument of another service": (
        lambda c: c.refunds.create(Account(), idempotency_key="s3cret"),
        "Refunds.create() got an unexpected keyword argument 'idempotency_key'",
    ),
    "an argument too many": (
        lambda c: c.accounts.list("s3cret"), "Accounts.list() takes 1 positional argument but 2 were given",
    ),
    "a prepared request with a misspelled argument": (
        lambda c: c.prepare.accounts.list(e_mail="s3cret"),
        f"PreparedAccounts.list() got an unexpected keyword argument 'e_mail'{SUGGESTION}",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "sentence"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_wrong_argument_is_refused_by_python_before_a_request(
    use: Callable[[Any], object], sentence: str, run: Run
) -> None:
    service = Service()
    with pytest.raises(TypeError) as caught:
        run("billing", use, transport=service)
    assert str(caught.value).removeprefix("Async") == sentence
    assert service.sent == []
    for frame, _ in walk_tb(caught.value.__traceback__):
        assert not Path(frame.f_code.co_filename).is_relative_to(Path(subscribekit.__file__).parent)


@pytest.mark.parametrize("kind", [*BLOCKING.values(), *ASYNC.values()])
def test_a_client_refuses_arguments_that_it_lacks_without_showing_values(kind: type[Any]) -> None:
    for given in ((("s3cret",), {}), ((), {"verify": "s3cret"})):
        with pytest.raises(TypeError) as caught:
            kind(*given[0], **given[1])
        assert "s3cret" not in str(caught.value)
        assert [each.path.name for each in caught.traceback] == ["test_hints.py"]

    class Wrapping(kind):  # type: ignore[misc,valid-type]  # a variable as a base class
        @wraps(kind.__init__)
        def __init__(self, *, tenant: str, **options: Any) -> None:
            super().__init__(**options)

    assert Wrapping(tenant="t-1", environment="sandbox").environment == "sandbox"


def test_an_error_of_a_property_is_not_replaced() -> None:
    class Broken(subscribekit.BillingClient):
        @property
        def accounts(self) -> Any:
            raise AttributeError("of the application")

    with pytest.raises(AttributeError, match=r"^of the application$"):
        _ = Broken(environment="sandbox").accounts


def test_a_model_suggests_a_similar_field() -> None:
    for build, hint in (
        (lambda: Account(Email="s3cret"), "no field 'Email'; did you mean 'email'?"),
        (lambda: Account(defaultCurrency="s3cret"), "no field 'defaultCurrency'; did you mean 'default_currency'?"),
        (lambda: CreditCard(xyz="s3cret"), "no field 'xyz'"),
    ):
        with pytest.raises(ValueError, match="validation error") as caught:
            build()
        assert hint in str(caught.value)
        assert "s3cret" not in str(caught.value)


def test_a_client_suggests_a_similar_environment() -> None:
    with pytest.raises(ConfigurationError, match=r"did you mean 'production'\?$"):
        subscribekit.BillingClient(environment="prodution")
    with pytest.raises(TypeError, match="unexpected keyword argument 'url'"):
        Environment(name="eu", url="https://b.test")  # type: ignore[call-arg]  # the mistake


def test_the_table_has_the_resources_of_the_clients() -> None:
    for name, families in FAMILIES.items():
        client = getattr(subscribekit, name)
        own = {each for each in dir(client) if type(inspect.getattr_static(client, each)).__name__ == "cached_property"}
        assert set(families) == own - {"with_raw_response", "prepare"}


def test_only_hints_and_lazy_modules_define_getattr() -> None:
    package = Path(subscribekit.__file__).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "def __getattr__(" in path.read_text(encoding="utf-8")
    }
    lazy = {
        "__init__.py",
        "billing/__init__.py",
        "export/__init__.py",
        "gateway/__init__.py",
        "models/__init__.py",
        "storefront/__init__.py",
        "testing/__init__.py",
        "transports.py",
        "user_mgmt/__init__.py",
    }
    assert found == {"_hints/missing.py", *lazy}
