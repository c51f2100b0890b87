"""Writes what assistants read: `llms.txt`, the page of the skill, and the table of thirty tasks."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

from assistants.measured import Task, effect_of
from assistants.tasks import TASKS

ROOT = Path(__file__).parents[1]
SKILL = ROOT / "src" / "subscribekit" / "_docs" / "SKILL.md"
LLMS = """\
# subscribekit

> A typed Python SDK for a subscription-billing platform. It bills real people: a write is never repeated while its
> outcome is unknown, amounts are `Decimal`, and the sandbox in the package (`environment="sandbox"`) needs no key.

Read [the skill](skill.html) before you write code: outcome before retry, `client.resolve(error)`, your own id for
each write, `Decimal("4.90")`, `client.prepare` and `dryrun=True` before a write, `read_only=True` to look. The package
holds the skill, too: `importlib.resources.files("subscribekit") / "_docs/SKILL.md"`. The addresses below are relative
to that of the site.

## For programs

- [OpenAPI document](openapi.json): all operations
- [Thirty tasks](thirty-tasks.html): a right and a wrong program for each, and what they charged
"""
THIRTY = """\
# Thirty tasks

Each task is done by two programs, each against a [sandbox](sandbox.md) of its own: one as these pages say, and one as
habits from other libraries lead to. The tests run all {count} programs and compare the effects with this page.
{harmful} of the other programs move money that the task does not ask for; {refused} is refused before anything is sent.

[The skill](skill.md) holds the rules in short, for people and for assistants.

| Task | Effect | Effect of the other program |
|---|---|---|
"""
SECTION = """
## {number}. {title}

{trouble}As the pages say: {right_effect}.

```text
{right}
```

The other program: {wrong_effect}.

```text
{wrong}
```
"""


def skill() -> str:
    """Give the skill as a page of the site."""
    return SKILL.read_text(encoding="utf-8").partition("\n---\n\n")[2]


def llms() -> str:
    """Give the list of pages, from the navigation of the site."""
    parts = [LLMS]
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2].partition("\n\n")[0]
    for line in navigation.splitlines():
        section = re.fullmatch(r'  - "?([^"]+?)"?:', line)
        page = re.fullmatch(r'    +- (?:"?([^":]+)"?: )?(\S+)\.md', line)
        if section:
            parts.append(f"\n## {section[1]}\n\n")
        elif page:
            parts.append(f"- [{page[1] or 'Overview'}]({page[2]}.html)\n")
    return "".join(parts)


def thirty() -> str:
    """Give the table of tasks, with the effects of all programs as they are now."""
    found = [(task, effect_of(task, task.right), effect_of(task, task.wrong)) for task in TASKS]
    refused = sum("ends with" in wrong and "of" not in wrong.split() for _, _, wrong in found)
    harmful = sum(moved(wrong) > moved(right) for _, right, wrong in found)
    parts = [THIRTY.format(count=2 * len(found), harmful=harmful, refused=refused)]
    parts += [f"| {task.title} | {right} | {wrong} |\n" for task, right, wrong in found]
    parts += [_section(number, *each) for number, each in enumerate(found, 1)]
    return "".join(parts)


def moved(effect: str) -> Decimal:
    """Give the sum of all amounts of an effect."""
    return sum(map(Decimal, re.findall(r" of (\d[\d.]*)", effect)), Decimal(0))


def _section(number: int, task: Task, right_effect: str, wrong_effect: str) -> str:
    trouble = f"The sandbox runs `{task.trouble.strip()}`.\n\n" if task.trouble else ""
    return SECTION.format(
        number=number,
        title=task.title,
        trouble=trouble,
        right=task.right.strip(),
        wrong=task.wrong.strip(),
        right_effect=right_effect,
        wrong_effect=wrong_effect,
    )
