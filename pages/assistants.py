"""Writes the pages for assistants: `llms.txt`, the skill, and the thirty tasks."""

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

> A typed Python SDK for a subscription-billing platform. It bills real people, so it never repeats a charge whose
> outcome is unknown. Amounts are `Decimal`. The package includes a sandbox (`environment="sandbox"`), which needs no
> key.

Read [the skill](skill.html) before you write code. It has the rules: check `error.outcome` before a retry, call
`client.resolve(error)`, use your own ID for each write, write `Decimal("4.90")`, check a write with `client.prepare`
and `dryrun=True`, and read with `read_only=True`. The package contains the skill too:
`importlib.resources.files("subscribekit") / "_docs/SKILL.md"`. The addresses below are relative to the site.

## For programs

- [OpenAPI document](openapi.json): all operations
- [Thirty tasks](thirty-tasks.html): a correct and an incorrect program for each task, and the effects of both
"""
THIRTY = """\
# Thirty tasks

For each task, this page has a correct and an incorrect program. Each program has its own [sandbox](sandbox.md). The
correct program follows this documentation. The incorrect program follows habits from other libraries. Of the incorrect
programs, {harmful} move money that the task doesn't require, and {refused} sends no request, because the SDK rejects
the amount. The project's tests run all {count} programs and check the effects on this page.

The page [Write programs with subscribekit](skill.md) summarizes the rules for developers and for assistants.

| Task | Effect of the correct program | Effect of the incorrect program |
|---|---|---|
"""
SECTION = """
## {number}. {title}

{trouble}Effect of the correct program: {right_effect}

```text
{right}
```

Effect of the incorrect program: {wrong_effect}

```text
{wrong}
```
"""


def skill() -> str:
    """Return the skill as a page of the site."""
    return SKILL.read_text(encoding="utf-8").partition("\n---\n\n")[2]


def llms() -> str:
    """Return the list of pages, from the navigation of the site."""
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
    """Return the page with the current effects of all programs."""
    found = [(task, effect_of(task, task.right), effect_of(task, task.wrong)) for task in TASKS]
    refused = sum(wrong.startswith("ends with") for _, _, wrong in found)
    harmful = sum(moved(wrong) > moved(right) for _, right, wrong in found)
    parts = [THIRTY.format(count=2 * len(found), harmful=harmful, refused=refused)]
    parts += [f"| {task.title} | {right} | {wrong} |\n" for task, right, wrong in found]
    parts += [_section(number, *each) for number, each in enumerate(found, 1)]
    return "".join(parts)


def moved(effect: str) -> Decimal:
    """Return the sum of all amounts of an effect."""
    return sum(map(Decimal, re.findall(r" (?:of|totaling) (\d[\d.]*)", effect)), Decimal(0))


def _section(number: int, task: Task, right_effect: str, wrong_effect: str) -> str:
    trouble = f"The fault: `{task.trouble.strip()}`\n\n" if task.trouble else ""
    return SECTION.format(
        number=number,
        title=task.title,
        trouble=trouble,
        right=task.right.strip(),
        wrong=task.wrong.strip(),
        right_effect=_described(right_effect),
        wrong_effect=_described(wrong_effect),
    )


def _described(effect: str) -> str:
    """Return an effect as a text that makes sense without the table."""
    changes, _, error = effect.partition("ends with ")
    if not error:
        return effect.replace("nothing", "no change")
    return f"{changes.removesuffix(', ') or 'no change'}; the program ends with `{error}`"
