"""Writes the retry table of the code as a colored table."""

from __future__ import annotations

import re
from html import escape

from core.test_retry_table import WORDS
from subscribekit._core.calls.outcomes.retry_table import TABLE, Rule

HEADS = (
    "What happened",
    "Reads",
    "<code>storefront.payment_methods.update</code>, deletes by ID",
    "Other writes",
    "Calls that move money",
)


def matrix() -> str:
    """Return the table as HTML."""
    lines = [
        '<div class="scroll"><table class="matrix">',
        "<thead><tr>" + "".join(f'<th scope="col">{head}</th>' for head in HEADS),
    ]
    lines[-1] += "</tr></thead>"
    lines.append("<tbody>")
    for event, rules in TABLE.items():
        lines.append(f'<tr><th scope="row">{_code(event.value)}</th>' + "".join(map(_cell, rules)) + "</tr>")
    return "\n".join([*lines, "</tbody>", "</table></div>", ""])


def _cell(rule: Rule) -> str:
    return f'<td class="{_kind(rule)}">{_code(WORDS[rule.retry, rule.meaning])}</td>'


def _kind(rule: Rule) -> str:
    if rule.is_unknown:
        return "warn" if rule.retry in ("yes", "once") else "bad"
    return "good" if rule.retry != "no" or rule.meaning == "not_sent" else "calm"


def _code(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
