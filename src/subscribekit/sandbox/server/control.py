"""Orders to a served sandbox: faults, time, snapshots and reset, as JSON for programs and as forms for its page.

    curl -X POST http://127.0.0.1:8400/_sandbox/advance -d '{"days": 31}'

Below `/_sandbox`, on each of the ports. No client calls it, and nothing like it exists at the service.
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

Order = dict[str, JSON]


class OrderError(ValueError):
    """An order that cannot be carried out; nothing has changed."""


class Control:
    """Carries out the orders to one served sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox: Sandbox = sandbox
        self._lock = threading.Lock()
        self._snapshots: dict[str, Snapshot] = {}
        self._orders: dict[tuple[str, str], Callable[[Order], object]] = {
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
        """Names of the kept states, oldest first."""
        with self._lock:
            return list(self._snapshots)

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> SandboxResponse:
        """Carry out an order; a form gets the way back to the page."""
        orders = {known: order for (known, at), order in self._orders.items() if PREFIX + at == path.rstrip("/")}
        if not orders:
            return _told(HTTPStatus.NOT_FOUND, {"message": "no such order; GET /_sandbox lists them"})
        if method not in orders:
            return _told(HTTPStatus.METHOD_NOT_ALLOWED, {"message": f"send it with {' or '.join(orders)}"})
        is_form = headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM and b"=" in body
        try:
            given = _form(body) if is_form and not body.lstrip().startswith(b"{") else _json(body)
            with self._lock:
                done = orders[method](given)
        except OrderError as error:
            return _told(HTTPStatus.BAD_REQUEST, {"message": str(error)})
        if "text/html" in headers.get("accept", "") and method == "POST":
            return SandboxResponse(HTTPStatus.SEE_OTHER, {"Location": "/", "Cache-Control": "no-store"})
        return _told(HTTPStatus.OK, done)

    def _state(self, given: Order) -> Order:
        _expect(given)
        sandbox = self.sandbox
        return {
            "now": sandbox.now.isoformat(),
            "requests": len(sandbox.requests),
            "entitlement_charges": len(sandbox.entitlement_charges),
            "faults": [_shown(rule) for rule in sandbox.faults.pending],
            "snapshots": list(self._snapshots),
            "orders": [f"{method} {PREFIX}{path}" for method, path in self._orders],
            "known_faults": list(FAULTS),
        }

    def _add_fault(self, given: Order) -> Order:
        _expect(given, "match", "fault", "times", "arguments")
        match, name, times = given.get("match"), given.get("fault"), given.get("times", 1)
        if not isinstance(match, str) or not match:
            raise OrderError("match must be a path template, such as 'GET /accounts'")
        if not isinstance(name, str) or name not in FAULTS:
            raise OrderError(f"fault must be one of {', '.join(FAULTS)}")
        arguments = given.get("arguments", {})
        if not isinstance(arguments, dict):
            raise OrderError('arguments must be an object, such as {"retry_after": 2}')
        for argument, value in arguments.items():
            _check_argument(argument, value)
        number = None if times is None else _whole("times", times, 1)
        try:
            rule = self.sandbox.faults.add(match, FAULTS[name](**arguments), number)
        except (TypeError, ValueError) as error:
            raise OrderError(str(error)) from None
        return _shown(rule)

    def _clear_faults(self, given: Order) -> Order:
        _expect(given)
        self.sandbox.faults.clear()
        return {"faults": []}

    def _advance(self, given: Order) -> Order:
        _expect(given, *EXAMPLES)
        units = {unit: _whole(unit, given.get(unit, 0), 0) for unit in EXAMPLES}
        hours, minutes = units["days"] * 24 + units["hours"], units["minutes"]
        if not 0 < (hours * 60 + minutes) * 60 + units["seconds"] <= _MAX_DAYS * 86_400:
            raise OrderError(f"give days or hours, minutes or seconds, at most {_MAX_DAYS} days at once")
        try:
            return {"now": self.sandbox.advance(**units).isoformat()}
        except ValueError as error:
            raise OrderError(str(error)) from None

    def _snapshot(self, given: Order) -> Order:
        name = _name(given)
        if name not in self._snapshots and len(self._snapshots) >= _MAX_SNAPSHOTS:
            raise OrderError(f"{_MAX_SNAPSHOTS} snapshots are kept already; use one of their names again")
        self._snapshots[name] = self.sandbox.snapshot()
        return {"name": name, "now": self.sandbox.now.isoformat()}

    def _restore(self, given: Order) -> Order:
        name = _name(given)
        if name not in self._snapshots:
            raise OrderError(f"there is no snapshot {name!r}; there are: {', '.join(self._snapshots) or 'none'}")
        self.sandbox.restore(self._snapshots[name])
        return {"name": name, "now": self.sandbox.now.isoformat()}

    def _reset(self, given: Order) -> Order:
        _expect(given)
        self.sandbox.reset()
        return {"now": self.sandbox.now.isoformat()}


def _form(body: bytes) -> Order:
    """Read a form of the page; empty fields are left out, whole numbers are numbers."""
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=False)
    return {
        name: int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value for name, value in pairs
    }


def _json(body: bytes) -> Order:
    if not body.strip():
        return {}
    try:
        given = decode(body)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise OrderError("the body must be a JSON object")
    return given


def _expect(given: Order, *names: str) -> None:
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise OrderError(f"unknown: {', '.join(unknown)}; known: {', '.join(names) or 'nothing'}")


def _whole(name: str, value: JSON, least: int) -> int:
    if type(value) is not int or value < least:
        raise OrderError(f"{name} must be a whole number, at least {least}")
    return value


def _check_argument(name: str, value: JSON) -> None:
    """Refuse what would break the response that a fault makes: a status that is none, a line end in a header."""
    if name == "status" and not 400 <= _whole(name, value, 400) <= 599:
        raise OrderError("status must be 400 to 599")
    if isinstance(value, dict | list) or (isinstance(value, str) and not (value.isascii() and value.isprintable())):
        raise OrderError(f"{name} must be a number, a flag or printable ASCII")


def _name(given: Order) -> str:
    _expect(given, "name")
    name = given.get("name", "default")
    name = str(name) if type(name) is int else name
    if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME or not name.isprintable():
        raise OrderError(f"name must be a short text, at most {_MAX_NAME} characters")
    return name


def match_of(rule: FaultRule) -> str:
    """Say what a rule waits for."""
    return rule.match if isinstance(rule.match, str) else "a rule of the program"


def _shown(rule: FaultRule) -> Order:
    return {"match": match_of(rule), "fault": rule.fault.name, "times": rule.times, "fired": rule.fired}


def _told(status: HTTPStatus, content: object) -> SandboxResponse:
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return SandboxResponse(status, headers, encode(content) + b"\n")
