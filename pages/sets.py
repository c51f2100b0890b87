"""Writes the table of `docs/sandbox-assumptions.md` with the sets of values that the sandbox accepts."""

from __future__ import annotations

from subscribekit.sandbox.billing.shapes.sets import SETS


def table() -> str:
    """Return the table."""
    lines = ["| Field | Values | Source |", "|---|---|---|"]
    for name in sorted(SETS):
        values = ", ".join(f"`{value}`" for value in SETS[name].values)
        lines.append(f"| `{name}` | {values} | {SETS[name].source} |")
    return "\n".join([*lines, ""])
