"""Checks that `docs/coverage.md` matches the code, and that the code has every published operation."""

from __future__ import annotations

import re

import pytest

import subscribekit.models
from descriptions import families, methods
from pages import coverage as coverage_page
from subscribekit.sandbox.store import CONVENTIONAL_COLLECTIONS

from .tables import ALL


def test_the_page_matches_the_code() -> None:
    assert coverage_page.PAGE.read_text() == coverage_page.render(), (
        "docs/coverage.md doesn't match the code; generate it with: PYTHONPATH=tests:. python -m pages.coverage"
    )


def test_the_snippet_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    snippets = re.findall(r"```python\n(.*?)```", coverage_page.PAGE.read_text(), re.DOTALL)
    assert len(snippets) == 1
    exec(compile(snippets[0], "docs/coverage.md", "exec"), {})
    assert capsys.readouterr().out == ""


def test_every_operation_has_a_case() -> None:
    assert [row.name for row in coverage_page.rows() if not row.tested] == []


def test_every_case_has_an_operation() -> None:
    known = {(group, f"{family}.{name}") for group, family, resource in families() for name in methods(resource)}
    assert {(case.group, case.name) for case in ALL} == known


def test_every_resource_of_the_billing_api_is_read_and_listed() -> None:
    found = {(row.family, row.name.partition(".")[2]) for row in coverage_page.rows() if row.group == "billing"}
    for family in {family for family, _ in found} - {"generic_resource"}:
        assert {(family, "list"), (family, "retrieve")} <= found, family


def test_every_specified_operation_exists() -> None:
    sources = [row.source for row in coverage_page.rows() if row.source.startswith("E")]
    assert sorted(sources, key=lambda each: int(each[1:])) == [f"E{number}" for number in range(1, 12)]


def test_the_page_lists_the_resources_without_operations() -> None:
    named = {coverage_page.collection(model): model for model in coverage_page.FAMILIES}
    assert {"events": "Event", **named} == CONVENTIONAL_COLLECTIONS
    for model in coverage_page.FAMILIES:
        assert hasattr(subscribekit.models, model)
