"""Control commands of a served sandbox, for faults, time, snapshots, and reset.

    curl -X POST http://127.0.0.1:8400/_sandbox/advance -d '{"days": 31}'

The paths of the control commands start with `/_sandbox` on each port. Programs send control commands as JSON, and the
status page sends them as forms. The SDK's clients don't send control commands, and the real service has no control
commands.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from ..._json import JSON, decode, encode
from ..clock import EXAMPLES
from ..facade import Sandbox
from ..faults import FaultRule
from ..faults.requests import FAULTS
from ..http.wire import SandboxResponse
from ..platform import Snapshot

PREFIX: Final = "/_sandbox"
_FORM: Final = "application/x-www-form-urlencoded"
_MAX_SNAPSHOTS: Final = 20
_MAX_NAME: Final = 64
_MAX_DAYS: Final = 3_660

Command = dict[str, JSON]


class CommandError(ValueError):
    """The sandbox can't carry out a control command. The command has changed nothing."""


class Control:
    """Carries out the control commands of a served sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox: Sandbox = sandbox
        self._lock = threading.Lock()
        self._snapshots: dict[str, Snapshot] = {}
        self._commands: dict[tuple[str, str], Callable[[Command], object]] = {
            ("GET", ""): self._state,
            ("POST", "/faults"): self._add_fault,
            ("DELETE", "/faults"): self._clear_faults,
            ("POST", "/faults/clear"): self._clear_faults,
            ("POST", "/advance"): self._advance,
            ("POST", "/snapshot"): self._snapshot,
            ("POST", "/restore"): self._restore,
            ("POST", "/reset"): self._reset,
        }

    @property
    def snapshots(self) -> list[str]:
        """The names of the snapshots, oldest first."""
        with self._lock:
            return list(self._snapshots)

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> SandboxResponse:
        """Carry out a control command. If a form of the status page sent the command, redirect to the status page."""
        commands = {known: run for (known, at), run in self._commands.items() if PREFIX + at == path.rstrip("/")}
        if not commands:
            return _response(HTTPStatus.NOT_FOUND, {"message": "unknown command; GET /_sandbox lists all commands"})
        if method not in commands:
            problem = f"wrong HTTP method; send this command with {' or '.join(commands)}"
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, {"message": problem})
        is_form = headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM and b"=" in body
        try:
            command = _form(body) if is_form and not body.lstrip().startswith(b"{") else _json(body)
            with self._lock:
                result = commands[method](command)
        except CommandError as error:
            return _response(HTTPStatus.BAD_REQUEST, {"message": str(error)})
        if "text/html" in headers.get("accept", "") and method == "POST":
            return SandboxResponse(HTTPStatus.SEE_OTHER, {"Location": "/", "Cache-Control": "no-store"})
        return _response(HTTPStatus.OK, result)

    def _state(self, command: Command) -> Command:
        _expect(command)
        sandbox = self.sandbox
        return {
            "now": sandbox.now.isoformat(),
            "requests": len(sandbox.requests),
            "entitlement_charges": len(sandbox.entitlement_charges),
            "faults": [_shown(rule) for rule in sandbox.faults.pending],
            "snapshots": list(self._snapshots),
            "orders": [f"{method} {PREFIX}{path}" for method, path in self._commands],
            "known_faults": list(FAULTS),
        }

    def _add_fault(self, command: Command) -> Command:
        _expect(command, "match", "fault", "times", "arguments")
        match, name, times = command.get("match"), command.get("fault"), command.get("times", 1)
        if not isinstance(match, str) or not match:
            raise CommandError("match must be a path template, such as 'GET /accounts'")
        if not isinstance(name, str) or name not in FAULTS:
            raise CommandError(f"fault must be one of {', '.join(FAULTS)}")
        arguments = command.get("arguments", {})
        if not isinstance(arguments, dict):
            raise CommandError('arguments must be an object, such as {"retry_after": 2}')
        for argument, value in arguments.items():
            _check_argument(argument, value)
        number = None if times is None else _whole("times", times, 1)
        try:
            rule = self.sandbox.faults.add(match, FAULTS[name](**arguments), number)
        except (TypeError, ValueError) as error:
            raise CommandError(str(error)) from None
        return _shown(rule)

    def _clear_faults(self, command: Command) -> Command:
        _expect(command)
        self.sandbox.faults.clear()
        return {"faults": []}

    def _advance(self, command: Command) -> Command:
        _expect(command, *EXAMPLES)
        units = {unit: _whole(unit, command.get(unit, 0), 0) for unit in EXAMPLES}
        hours, minutes = units["days"] * 24 + units["hours"], units["minutes"]
        if not 0 < (hours * 60 + minutes) * 60 + units["seconds"] <= _MAX_DAYS * 86_400:
            raise CommandError(
                f"the time to advance must be more than 0 and at most {_MAX_DAYS} days. Send days, hours, minutes, or "
                f"seconds"
            )
        try:
            return {"now": self.sandbox.advance(**units).isoformat()}
        except ValueError as error:
            raise CommandError(str(error)) from None

    def _snapshot(self, command: Command) -> Command:
        name = _name(command)
        if name not in self._snapshots and len(self._snapshots) >= _MAX_SNAPSHOTS:
            raise CommandError(
                f"there are already {_MAX_SNAPSHOTS} snapshots. To replace an existing snapshot, use its name"
            )
        self._snapshots[name] = self.sandbox.snapshot()
        return {"name": name, "now": self.sandbox.now.isoformat()}

    def _restore(self, command: Command) -> Command:
        name = _name(command)
        if name not in self._snapshots:
            existing = ", ".join(self._snapshots) or "none"
            raise CommandError(f"there is no snapshot {name!r}; existing snapshots: {existing}")
        self.sandbox.restore(self._snapshots[name])
        return {"name": name, "now": self.sandbox.now.isoformat()}

    def _reset(self, command: Command) -> Command:
        _expect(command)
        self.sandbox.reset()
        return {"now": self.sandbox.now.isoformat()}


def _form(body: bytes) -> Command:
    """Return the fields of a form of the status page that aren't empty, with whole numbers as integers."""
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=False)
    return {
        name: int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value for name, value in pairs
    }


def _json(body: bytes) -> Command:
    if not body.strip():
        return {}
    try:
        command = decode(body)
    except ValueError:
        command = None
    if not isinstance(command, dict):
        raise CommandError('the body must be a JSON object, such as {"days": 31}')
    return command


def _expect(command: Command, *names: str) -> None:
    unknown = sorted(set(command) - set(names))
    if unknown:
        allowed = f"allowed: {', '.join(names)}" if names else "this command has no arguments"
        raise CommandError(f"unknown argument: {', '.join(unknown)}; {allowed}")


def _whole(name: str, value: JSON, least: int) -> int:
    if type(value) is not int or value < least:
        raise CommandError(f"{name} must be a whole number of at least {least}")
    return value


def _check_argument(name: str, value: JSON) -> None:
    """Reject an argument that would make the response of a fault invalid, such as a line break in a header."""
    if name == "status" and not 400 <= _whole(name, value, 400) <= 599:
        raise CommandError("status must be a whole number from 400 to 599")
    if isinstance(value, dict | list) or (isinstance(value, str) and not (value.isascii() and value.isprintable())):
        raise CommandError(f"{name} must be a number, a Boolean, or a string of printable ASCII characters")


def _name(command: Command) -> str:
    _expect(command, "name")
    name = command.get("name", "default")
    name = str(name) if type(name) is int else name
    if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME or not name.isprintable():
        raise CommandError(f"name must be a string of 1 to {_MAX_NAME} printable characters")
    return name


def match_of(rule: FaultRule) -> str:
    """Return the `match` of a rule, or a description if the `match` isn't a string."""
    return rule.match if isinstance(rule.match, str) else "a match in the program's code"


def _shown(rule: FaultRule) -> Command:
    return {"match": match_of(rule), "fault": rule.fault.name, "times": rule.times, "fired": rule.fired}


def _response(status: HTTPStatus, content: object) -> SandboxResponse:
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return SandboxResponse(status, headers, encode(content) + b"\n")
