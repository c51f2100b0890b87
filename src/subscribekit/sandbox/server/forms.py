"""The buttons of the status page: forms that send the orders of `control`, without a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..faults import FaultRule
from ..faults.requests import FAULTS
from ..routes import ROUTES
from .control import PREFIX


def orders(pending: Sequence[FaultRule], snapshots: Sequence[str]) -> str:
    """Return the section of the page that takes orders.

    Args:
        pending: The faults that wait for their requests.
        snapshots: Names of the states that can be restored.
    """
    routes = sorted({f"{route.method} {route.template}" for route in ROUTES})
    forms = (
        _form(
            "advance", "<label>Move time by <input type=number name=days value=31 min=1 max=3660> days</label>", "Go"
        ),
        _form("faults", f"{_select('fault', FAULTS)} at {_select('match', routes)}", "Add fault"),
        _form("faults/clear", "", "Clear faults"),
        _form("snapshot", '<input name=name value=default size=10 maxlength=64 aria-label="name">', "Keep this state"),
        _form("restore", _select("name", snapshots), "Restore") if snapshots else "",
        _form("reset", "", "Reset"),
    )
    waiting = ", ".join(f"{rule.fault.name} at {_match(rule)}, {_left(rule)}" for rule in pending)
    told = f"Faults that wait: {waiting}." if waiting else "No fault waits for a request."
    return f"<section><h2>Orders</h2><p>{escape(told)}</p>{''.join(forms)}</section>"


def _form(path: str, fields: str, button: str) -> str:
    return f'<form method=post action="{PREFIX}/{path}">{fields}<button>{escape(button)}</button></form>'


def _select(name: str, options: Iterable[str]) -> str:
    choices = "".join(f"<option>{escape(option)}</option>" for option in options)
    return f'<select name={name} aria-label="{name}">{choices}</select>'


def _match(rule: FaultRule) -> str:
    return rule.match if isinstance(rule.match, str) else "a rule of the program"


def _left(rule: FaultRule) -> str:
    return "always" if rule.times is None else f"{rule.times - rule.fired} more"
