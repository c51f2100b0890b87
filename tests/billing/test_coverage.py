"""The page of operations equals the code, and the code has what the references publish."""

from __future__ import annotations

import re

import pytest

import subscribekit.models
from subscribekit.sandbox.store import CONVENTIONAL_COLLECTIONS

from . import coverage_page
from .tables import ALL

PUBLISHED = """
GET /accounts · POST /accounts · GET /accounts/{} · POST /accounts/{} · GET /accounts/{}/children
GET /accounts/{}/children/{} · POST /accounts/{}/children · DELETE /accounts/{}/children/{}
GET /accounts/{}/credits · POST /accounts/{}/credits · POST /accounts/{}/entitlements
GET /accounts/{}/entitlements/{} · DELETE /accounts/{}/entitlements/{}
GET /payment_methods · POST /payment_methods · GET /payment_methods/{} · POST /payment_methods/{}
GET /subscriptions · POST /subscriptions · GET /subscriptions/{} · POST /subscriptions/{}
POST /subscriptions/{}/actions/cancel · POST /subscriptions/{}/actions/finish
POST /subscriptions/{}/billing_day_changes · GET /subscriptions/{}/billing_plan_history
GET /subscriptions/{}/subscription_item_history
GET /products · POST /products · GET /products/{} · POST /products/{}
GET /billing_plans · POST /billing_plans · GET /billing_plans/{} · POST /billing_plans/{}
GET /entitlements · GET /season_sets · POST /season_sets
POST /activities · GET /activities · GET /campaigns · POST /campaigns · POST /campaigns/{}
GET /event_summaries · GET /invoices · GET /invoices/{} · POST /payments · POST /payments/{}/actions/reverse
GET /rate_plans · GET /rate_plans/{} · POST /rate_plans
GET /transactions/{}/refunds · POST /transactions/{}/refunds · GET /transactions · POST /transactions
GET /transactions/{} · POST /transactions/{}/actions/capture · POST /transactions/{}/actions/cancel
"""


def test_the_page_equals_the_code() -> None:
    assert coverage_page.PAGE.read_text() == coverage_page.render(), (
        "docs/coverage.md is not what the code says; write it with: PYTHONPATH=tests python -m billing.coverage_page"
    )


def test_the_snippet_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    snippets = re.findall(r"```python\n(.*?)```", coverage_page.PAGE.read_text(), re.DOTALL)
    assert len(snippets) == 1
    exec(compile(snippets[0], "docs/coverage.md", "exec"), {})
    assert capsys.readouterr().out == ""


def test_every_operation_has_a_case() -> None:
    assert [row.name for row in coverage_page.rows() if not row.tested] == []


def test_every_case_has_an_operation() -> None:
    known = {
        (group, f"{family}.{name}")
        for group, family, resource in coverage_page.families()
        for name in coverage_page.methods(resource)
    }
    assert {(case.group, case.name) for case in ALL} == known


def test_the_published_operations_are_all_there() -> None:
    found = {
        f"{row.method} {re.sub(r'{[^}]*}', '{}', row.path)}"
        for row in coverage_page.rows()
        if row.group == "billing" and row.source != "by convention"
    }
    assert found == set(PUBLISHED.replace("\n", " · ").strip(" ·").split(" · "))


def test_every_resource_of_the_billing_api_is_read_and_listed() -> None:
    found = {(row.family, row.name.partition(".")[2]) for row in coverage_page.rows() if row.group == "billing"}
    for family in {family for family, _ in found} - {"generic_resource"}:
        assert {(family, "list"), (family, "retrieve")} <= found, family


def test_the_specified_operations_are_all_there() -> None:
    sources = [row.source for row in coverage_page.rows() if row.source.startswith("E")]
    assert sorted(sources, key=lambda each: int(each[1:])) == [f"E{number}" for number in range(1, 12)]


def test_the_families_without_operations() -> None:
    named = {coverage_page.collection(model): model for model in coverage_page.FAMILIES}
    assert {"events": "Event", **named} == CONVENTIONAL_COLLECTIONS
    for model in coverage_page.FAMILIES:
        assert hasattr(subscribekit.models, model)


def test_a_docstring_without_a_source_is_refused() -> None:
    with pytest.raises(ValueError, match="does not say"):
        coverage_page.source("Do something.\n\nNobody says where it is from.")
