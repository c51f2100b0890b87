"""In a real environment, every example reads data, and changes data only with `--write`.

The real environment is a sandbox behind TLS on loopback ports. Environment variables name it, as they would name a
merchant's environment. It records the requests that arrive.
"""

from __future__ import annotations

import pytest

from elsewhere import EXAMPLES, Elsewhere, elsewhere
from samples import IN_GATE
from subscribekit.models import CreditCard, PaymentMethod
from test_examples import SANDBOX_ONLY

__all__ = ["elsewhere"]

WRITES: dict[str, list[str]] = {
    "quickstart.py": ["--payment", "pay-cash-0001"],
    "quickstart_async.py": ["--payment", "pay-cash-0001"],
    "create_subscription.py": ["--payment-method", "{card}"],
    "modify_subscription.py": ["--subscription", "sub-basic-0001"],
    "refund.py": ["--transaction", "txn-pay-card-0002"],
    "entitlement_charge.py": ["psub-entitlement-0001", "prod-addon", "4.90"],
    "worker.py": ["psub-entitlement-0001", "psub-entitlement-0002", "--product", "prod-addon"],
}
"""The examples that write, with the IDs that they need in a real environment."""

READS = {"export_parquet.py", "nightly_drift.py"}


def arguments(script: str, elsewhere: Elsewhere) -> list[str]:
    with elsewhere.server.sandbox.billing() as client:
        given = CreditCard(account="4111111111111111", expiration_date="203112")
        card = client.payment_methods.create(PaymentMethod(type="CreditCard", credit_card=given)).vid or ""
    return [each.format(card=card) for each in WRITES[script]]


def test_every_example_is_in_a_table() -> None:
    assert WRITES.keys() | READS | SANDBOX_ONLY == {path.name for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("script", WRITES)
def test_nothing_is_changed_without_write(script: str, elsewhere: Elsewhere) -> None:
    given = arguments(script, elsewhere)
    before = elsewhere.writes
    done = elsewhere.run(script, *given)
    assert done.returncode == 0, done.stderr
    assert elsewhere.writes == before
    assert "--write" in done.stdout


@IN_GATE
@pytest.mark.parametrize("script", WRITES)
def test_data_is_changed_with_write(script: str, elsewhere: Elsewhere) -> None:
    given = arguments(script, elsewhere)
    before = elsewhere.writes
    done = elsewhere.run(script, *given, "--write")
    assert done.returncode == 0, done.stderr
    assert elsewhere.writes[: len(before)] == before
    assert len(elsewhere.writes) > len(before)


@IN_GATE
@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_quickstart_reads_and_prints_the_skipped_steps(script: str, elsewhere: Elsewhere) -> None:
    options = ("--subscription", "sub-basic-0001", "--payment", "pay-cash-0001", "--partner", "psub-billing-0001")
    done = elsewhere.run(script, *options)
    assert done.returncode == 0, done.stderr
    assert "against pilot" in done.stdout
    assert "Active, Good Standing" in done.stdout
    assert "skipped: changes data; pass --write to run it" in done.stdout
    assert "skipped: needs --entitlement and --product" in done.stdout


@IN_GATE
@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_quickstart_runs_the_writes_that_have_their_ids(script: str, elsewhere: Elsewhere) -> None:
    variable = {"SUBSCRIBEKIT_QUICKSTART_PAYMENT": "pay-cash-0001"}
    done = elsewhere.run(script, "--write", "--partner", "psub-billing-0001", **variable)
    assert done.returncode == 0, done.stderr
    assert {request.path for request in elsewhere.writes} == {
        "/payments/pay-cash-0001/actions/reverse",
        "/partnersub/v2/partnerSubscription/psub-billing-0001/cancel",
    }


@IN_GATE
def test_an_export_reads_a_real_environment(elsewhere: Elsewhere) -> None:
    pytest.importorskip("pyarrow")
    done = elsewhere.run("export_parquet.py", "out")
    assert (done.returncode, done.stdout) == (0, "out contains 25 accounts in 3 files.\n"), done.stderr
    assert {request.method for request in elsewhere.arrived} == {"GET"}


@IN_GATE
def test_the_nightly_job_reads_a_real_environment(elsewhere: Elsewhere) -> None:
    done = elsewhere.run("nightly_drift.py")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "No new findings."), done.stderr
    assert {request.method for request in elsewhere.arrived} == {"GET"}
    assert {request.group for request in elsewhere.arrived} == {"billing", "user_mgmt"}


@IN_GATE
@pytest.mark.parametrize(
    "script", ["create_subscription.py", "refund.py", "modify_subscription.py", "entitlement_charge.py", "worker.py"]
)
def test_a_real_environment_needs_ids(script: str, elsewhere: Elsewhere) -> None:
    done = elsewhere.run(script, "--write")
    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert elsewhere.arrived == []
