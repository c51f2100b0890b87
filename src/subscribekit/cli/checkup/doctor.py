"""The command `subscribekit doctor`, which checks the setup of this machine and suggests fixes."""

from __future__ import annotations

from dataclasses import asdict

from rich.text import Text

from ... import _json as json
from ..calls.call import JsonOption
from ..clients import Connection
from ..commands import command_of
from ..output.outcomes import Code, decide
from ..output.screen import grid, printable, results, say, tick, width, write_json, write_line, writes_to_terminal
from .checks import CheckResult, findings

_NARROW = 80
_DO = "what to do"
_COLUMNS = 5
_WORST = (Code.USAGE, Code.NOT_SENT, Code.UNKNOWN, Code.REJECTED)


@command_of
def doctor(*, connection: Connection, as_json: JsonOption = False) -> Code:
    """Check the configuration, DNS, TLS, the clock, and the credentials, and send a read to each configured API.

    The command changes nothing and shows no credential. The exit code is 0 if all checks pass, 2 for a wrong
    configuration, 3 if the service can't be reached, and 1 if the service rejects the read.
    """
    found = list(findings(connection))
    wrong = {each.code for each in found if each.good is False}
    code = decide(next((each for each in _WORST if each in wrong), Code.DONE))
    if as_json:
        for each in found:
            write_json(json.encode({name: value for name, value in asdict(each).items() if name != "code"}))
    elif writes_to_terminal():
        _show(found)
    else:
        for each in found:
            write_line("\t".join((tick(each.good), each.group, each.check, printable(each.result), each.remedy)))
    if not as_json:
        count = sum(each.good is False for each in found)
        say(
            "All checks passed."
            if not count
            else f"{count} of {len(found)} checks failed. Follow the advice for each failed check.",
            "bold",
        )
    return code


def _show(found: list[CheckResult]) -> None:
    if width() < _NARROW:
        for each in found:
            results().print(f"{tick(each.good)} {each.group} {each.check}: {printable(each.result)}")
            if each.remedy:
                results().print(f"  {printable(each.remedy)}", style="bold")
        return
    table = grid()
    for name in ("", "API", "check", "result", _DO):
        if name != _DO or any(each.remedy for each in found):
            table.add_column(name, overflow="fold")
    before = None
    for each in found:
        style = "yellow" if each.good is None else "green" if each.good else "red"
        table.add_row(
            Text(tick(each.good), style=style),
            Text("" if each.group == before else each.group, style="bold"),
            Text(each.check),
            Text(printable(each.result)),
            *([Text(printable(each.remedy))] if len(table.columns) == _COLUMNS else []),
        )
        before = each.group
    results().print(table)
