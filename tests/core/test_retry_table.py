"""The retry table matches the guide, and never allows a retry that may charge twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from subscribekit._core.calls.outcomes.retry_table import COLUMNS, TABLE, Event, Rule, rule_for
from subscribekit._core.operations.operation import Safety

GUIDE = Path(__file__).parents[2] / "docs/guides/retries.md"

WORDS = {
    ("yes", "not_sent"): "Retried",
    ("no", "not_sent"): "`not_sent`",
    ("yes", "rejected"): "Retried",
    ("once", "rejected"): "Retried once",
    ("no", "rejected"): "`rejected`",
    ("yes", "unknown"): "Retried, then `unknown`",
    ("once", "unknown"): "Retried once, then `unknown`",
    ("if_asked", "unknown"): "`unknown`, or retried if allowed",
    ("no", "unknown"): "`unknown`",
    ("yes", "likely_applied"): "Retried, then `unknown`, likely applied",
    ("if_asked", "likely_applied"): "`unknown`, likely applied, or retried if allowed",
    ("no", "likely_applied"): "`unknown`, likely applied",
}


def rows_of_the_guide() -> dict[str, list[str]]:
    text = GUIDE.read_text(encoding="utf-8")
    lines = text[text.index("| What happened |") :].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in cells}


def test_the_guide_shows_the_table() -> None:
    expected = {event.value: [WORDS[rule.retry, rule.meaning] for rule in rules] for event, rules in TABLE.items()}
    assert rows_of_the_guide() == expected


def test_every_event_and_every_class_of_operation_has_a_rule() -> None:
    assert set(TABLE) == set(Event)
    assert sorted(safety for column in COLUMNS for safety in column) == sorted(Safety)
    assert all(isinstance(rule_for(event, safety), Rule) for event in Event for safety in Safety)


@pytest.mark.parametrize("safety", [Safety.MONEY])
def test_a_charge_is_retried_only_if_it_was_not_sent_or_the_credential_was_refused(safety: Safety) -> None:
    retried = {event for event in Event if rule_for(event, safety).retry != "no"}
    assert retried == {Event.NOT_SENT, Event.CREDENTIAL_REFUSED}


@pytest.mark.parametrize("safety", [Safety.WRITE, Safety.DELETE_MATCHING])
def test_a_write_with_an_unknown_outcome_is_retried_only_if_the_caller_allows_it(safety: Safety) -> None:
    for event in Event:
        rule = rule_for(event, safety)
        assert rule.retry in ("no", "if_asked") or not rule.is_unknown, event


def test_a_read_never_has_an_unknown_outcome() -> None:
    assert not any(rule_for(event, Safety.READ).is_unknown for event in Event)


def test_every_entry_of_words_is_used() -> None:
    used = {(rule.retry, rule.meaning) for rules in TABLE.values() for rule in rules}
    assert used == set(WORDS)
    assert not any(re.search(r"\s$", word) for word in WORDS.values())
