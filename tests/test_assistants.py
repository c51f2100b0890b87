"""The pages for AI assistants are in the package and on the site, and their table of thirty tasks is right (H324)."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from assistants.tasks import TASKS
from pages.assistants import moved
from pages.written import DOCS

PACKAGED = resources.files("subscribekit") / "_docs"


def test_the_skill_has_the_head_that_assistants_look_for() -> None:
    text = (PACKAGED / "SKILL.md").read_text(encoding="utf-8")
    head = re.match(r"---\nname: (?P<name>[a-z-]+)\ndescription: (?P<description>.+)\n---\n", text)
    assert head is not None
    assert head["name"] == "subscribekit"
    assert len(head["description"]) <= 1024
    assert text.endswith((DOCS / "skill.md").read_text(encoding="utf-8"))
    assert len(text.splitlines()) < 200


@pytest.mark.parametrize(
    "rule", ["Outcome before retry", "resolve(error)", "Decimal", "Prepare before", "read_only=True"]
)
def test_the_skill_has_the_rules(rule: str) -> None:
    assert rule in (PACKAGED / "SKILL.md").read_text(encoding="utf-8")


def test_each_link_of_llms_leads_to_a_page() -> None:
    text = (PACKAGED / "llms.txt").read_text(encoding="utf-8")
    assert text == (DOCS / "llms.txt").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 60
    for link in links:
        page = DOCS / link.replace(".html", ".md")
        assert page.exists(), link


def test_thirty_tasks_have_two_programs_each_and_the_right_one_moves_no_more_money() -> None:
    """Compares the effects in the table. Another test runs all programs and compares the table with their effects."""
    rows = re.findall(
        r"^\| (.+) \| (.+) \| (.+) \|$", (DOCS / "thirty-tasks.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    found = [row for row in rows if row[0] != "Task"]
    assert [title for title, _, _ in found] == [task.title for task in TASKS]
    assert len({task.title for task in TASKS}) == 30
    assert all(moved(right) <= moved(wrong) for _, right, wrong in found if "ends with" not in wrong)
    assert sum(moved(wrong) > moved(right) for _, right, wrong in found) == 28
    charged_twice = [title for title, right, wrong in found if moved(wrong) == 2 * moved(right) > 0]
    assert len(charged_twice) >= 14
