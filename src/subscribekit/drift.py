"""Drift: what the service sends and the models do not know.

    from subscribekit import BillingClient
    from subscribekit.drift import DriftDetector

    drift = DriftDetector()
    billing = BillingClient(environment="staging", observers=[drift])
    for account in billing.accounts.list():
        ...
    print(drift)    # a table
    drift.check()   # raises DriftError when there is anything in it

It collects names and counts. Of the values only undocumented ones of enumerations and error codes are kept, and those
only where they look like one.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Annotated, Final, Literal, TypeAlias, cast, get_args, get_origin

from ._core.calls.telemetry.observers import ResultObserver
from ._core.config.locks import Guard
from ._core.config.observer import CallInfo, CallObserver, ResponseEvent
from ._core.operations.error_shapes import ERROR_CODES
from ._json import DamagedJSONError, decode, encode_stored
from .errors import APIError, InvalidArgumentError, Outcome, SubscribekitError
from .models._base import Model
from .models._fields import sensitive_fields, wire_names
from .models._lists import ModelList
from .models.account_association import AccountAssociationAttributes
from .models.entity import Entity
from .models.usage import RatableUsageMetric

__all__ = ["DriftDetector", "DriftError", "Finding", "Kind"]

Kind: TypeAlias = Literal["unknown_field", "unparsed_value", "unknown_enum", "unknown_code"]

MAX_FINDINGS: Final = 1000
"""Further ones are counted, not kept: memory stays bounded whatever the service sends."""
MAX_VALUES: Final = 10
"""Different values that are kept of one field; a field with more of them is no enumeration."""
_MAX_TEXT = 64
_MANY = "(further values)"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was received and that the models do not know.

    Attributes:
        group: `billing`, `gateway`, `user_mgmt` or `storefront`.
        operation: The SDK's name of the call, such as `accounts.list`.
        model: The model that the field belongs to, such as `PaymentMethod`; `Error` for codes.
        path: Where in the result, in names of the wire: `payment_methods[].type`.
        kind: `unknown_field`, a field that the model does not have; `unparsed_value`, a known field whose value could
            not be read; `unknown_enum`, a value that is not documented; `unknown_code`, an error code that is not.
        count: How often it came.
        value: The value of an enumeration or the code, where it may be shown; otherwise `None`.
    """

    group: str
    operation: str
    model: str
    path: str
    kind: Kind
    count: int
    value: str | None = None


class DriftError(SubscribekitError):
    """The service sends what the models do not know.

    Attributes:
        findings: Findings that are not accepted.
    """

    outcome: Outcome = "rejected"
    findings: tuple[Finding, ...] = ()


class DriftDetector(ResultObserver):
    """Collects data of responses that the models do not know: pass it as `observers=[drift]` to clients of any group.

    Threads, tasks and clients may share one. It sees what is read: an item of a list counts when it is handed out.
    """

    def __init__(self) -> None:
        self._guard = Guard()
        self._counts: Counter[Finding] = Counter()  # keys say 0
        self._values: Counter[tuple[str, str, str]] = Counter()
        self._results = self._dropped = 0

    # Input

    def call_started(self, call: CallInfo) -> CallObserver:
        """Follow a call for the codes of its errors."""
        return _Codes(self, call)

    def result_read(self, group: str, operation: str, result: object) -> None:
        """Look at a result."""
        if isinstance(result, Model):
            found = list(_strange(result, ""))
            with self._guard.lock:
                self._results += 1
                for model, path, kind, value in found:
                    self._count(Finding(group, operation, model, path, kind, 0, value))

    def error_returned(self, group: str, operation: str, error: APIError) -> None:
        """Look at the code of an error."""
        with self._guard.lock:
            self._results += 1
            if error.code is not None and error.code not in ERROR_CODES:
                code = _shown(error.code, is_value=True)
                self._count(Finding(group, operation, "Error", "code", "unknown_code", 0, code))

    def _count(self, found: Finding) -> None:
        if found.value is not None and found not in self._counts:
            place = (found.group, found.operation, found.path)
            if self._values[place] >= MAX_VALUES:
                found = replace(found, value=_MANY)
            elif len(self._counts) < MAX_FINDINGS:
                self._values[place] += 1
        if found in self._counts or len(self._counts) < MAX_FINDINGS:
            self._counts[found] += 1
        else:
            self._dropped += 1

    # Output

    @property
    def results(self) -> int:
        """How many resources and errors were looked at: without any, no finding says nothing."""
        with self._guard.lock:
            return self._results

    @property
    def dropped(self) -> int:
        """How often something more was found after a thousand different findings, which are not listed."""
        with self._guard.lock:
            return self._dropped

    def findings(self) -> list[Finding]:
        """Give what was found, sorted by group, operation and path."""
        with self._guard.lock:
            counts = list(self._counts.items())
        found = [replace(each, count=count) for each, count in counts]
        return sorted(found, key=lambda each: (each.group, each.operation, each.path, each.kind, each.value or ""))

    def check(self, accepted: str | bytes | None = None) -> None:
        """Raise when something was found, for a job that must fail then.

        Args:
            accepted: An earlier result of `to_json`, after review: those findings are known. Counts do
                not matter.

        Raises:
            DriftError: There are findings, or others than the accepted ones.
            InvalidArgumentError: `accepted` is not what `to_json` gives.
        """
        known = set[tuple[object, ...]]() if accepted is None else _accepted(accepted)
        new = [each for each in self.findings() if tuple(getattr(each, name) for name in _IDENTITY) not in known]
        if new or self.dropped:
            error = DriftError(f"the service sends what the models do not know\n{_table(new, self.dropped)}")
            error.findings = tuple(new)
            raise error

    def to_json(self) -> str:
        """Give the findings as a JSON array, one object a line: a report, and what `check` accepts the next time."""
        shown = ({name: getattr(each, name) for name in _HEAD} for each in self.findings())
        lines = (encode_stored(each).decode() for each in shown)
        return "[" + "".join(f"{',' if number else ''}\n{line}" for number, line in enumerate(lines)) + "\n]\n"

    def __str__(self) -> str:
        found = self.findings()
        return _table(found, self.dropped) if found else f"no findings in {self.results} results"

    def __repr__(self) -> str:
        return f"<DriftDetector: {len(self.findings())} findings in {self.results} results>"

    def _repr_html_(self) -> str:
        found = self.findings()
        if not found:
            return f"<p>{escape(str(self))}</p>"
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        rows = ["".join(f"<td>{escape(cell)}</td>" for cell in _cells(each)) for each in found]
        more = f"<p>{_dropped(self.dropped)}</p>" if self.dropped else ""
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{more}"


class _Codes(CallObserver):
    __slots__ = ("_call", "_drift")

    def __init__(self, drift: DriftDetector, call: CallInfo) -> None:
        self._drift, self._call = drift, call

    def request_ended(self, event: ResponseEvent) -> None:
        if isinstance(event.error, APIError):
            self._drift.error_returned(self._call.group, self._call.operation, event.error)


# Unknown parts of a result

_Strange: TypeAlias = tuple[str, str, Kind, str | None]


def _strange(model: Model, path: str) -> Iterator[_Strange]:
    """Find what a model does not know: its own name, the path, what it is, and a value that may be shown."""
    kind = type(model)
    wire = wire_names(kind)
    if model.model_extra:
        unparsed = model.unparsed_fields
        for name in model.model_extra:
            if name in unparsed:
                yield kind.__name__, path + name, "unparsed_value", None
            elif not _is_open(kind) and not _is_documented(kind, name):
                yield kind.__name__, path + _shown(name), "unknown_field", None
    documented = _documented_values(kind)
    for name, value in model.__dict__.items():
        if isinstance(value, Model):
            yield from _strange(value, f"{path}{wire.get(name, name)}.")
        elif isinstance(value, (ModelList, list)):
            for element in cast("Sequence[object]", value):
                if isinstance(element, Model):
                    yield from _strange(element, f"{path}{wire.get(name, name)}[].")
        elif isinstance(value, str) and name in documented and value not in documented[name]:
            shown = None if name in sensitive_fields(kind) else _shown(value, is_value=True)
            yield kind.__name__, path + wire[name], "unknown_enum", shown


@cache
def _is_open(kind: type[Model]) -> bool:
    """Whether the fields of a model are not documented, so that none is unknown."""
    return kind.model_config.get("extra") == "allow" or issubclass(kind, Entity)


def _is_documented(kind: type[Model], name: str) -> bool:
    """Whether the specification shows a name by its form, so that it is no field of the model."""
    if issubclass(kind, AccountAssociationAttributes):
        return name.endswith(".account.AccountNumber")
    return issubclass(kind, RatableUsageMetric) and name.startswith("_")


@cache
def _documented_values(kind: type[Model]) -> dict[str, frozenset[str]]:
    """The documented values of each enumerated field."""
    found = {name: frozenset(_literals(field.annotation)) for name, field in kind.model_fields.items()}
    return {name: values for name, values in found.items() if values}


def _literals(annotation: object) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from (value for value in get_args(annotation) if isinstance(value, str))
        return
    parts = get_args(annotation)[:1] if get_origin(annotation) is Annotated else get_args(annotation)
    for part in parts:
        yield from _literals(part)


_NAME = re.compile(r"[\w.$:#-]+")
_VALUE = re.compile(r"[A-Za-z][\w .:/()&+-]*")
_MAX_DIGITS = 5


def _shown(text: str, *, is_value: bool = False) -> str:
    """Give a name, a value or a code as it may be in a report.

    It came from outside: a name that is too long, or looks like a person's number, is described instead.
    """
    form = _VALUE if is_value else _NAME
    is_number = sum(character.isdigit() for character in text) > _MAX_DIGITS
    if len(text) <= _MAX_TEXT and text.isprintable() and form.fullmatch(text) and not is_number:
        return text
    return f"(text of {len(text)} characters)"


# Reports

_HEAD = ("group", "operation", "model", "path", "kind", "value", "count")
_COLUMNS = _HEAD[1:]
"""A table shows the group in front of the operation."""
_IDENTITY = _HEAD[:-1]
"""The parts of a finding other than its count."""


def _cells(each: Finding) -> tuple[str, ...]:
    operation = f"{each.group}.{each.operation}"
    return operation, each.model, each.path, each.kind, each.value or "", str(each.count)


def _table(findings: Sequence[Finding], dropped: int) -> str:
    rows = [_COLUMNS, *map(_cells, findings)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, *([_dropped(dropped)] if dropped else [])])


def _dropped(count: int) -> str:
    return f"and {count} times something else, beyond {MAX_FINDINGS} different findings"


def _accepted(text: str | bytes) -> set[tuple[object, ...]]:
    problem = InvalidArgumentError("accepted must be what to_json() gave")
    if isinstance(text, os.PathLike) or (isinstance(text, str) and text.endswith(".json")):
        problem = InvalidArgumentError(
            "accepted must be the text that to_json gave, not the name of a file: write Path('drift.json').read_text()"
        )
    try:
        value = decode(text.encode() if isinstance(text, str) else text)
    except (DamagedJSONError, UnicodeEncodeError, TypeError):
        raise problem from None
    known = set[tuple[object, ...]]()
    kinds = get_args(Kind)
    for each in value if isinstance(value, list) else [None]:
        key = tuple(each.get(name) for name in _IDENTITY) if isinstance(each, dict) else (0,)
        if not all(part is None or isinstance(part, str) for part in key):
            raise problem
        if isinstance(each, dict) and each.get("kind") not in kinds:
            raise InvalidArgumentError(
                f"accepted has a kind other than {', '.join(kinds)}; review the findings, and write a new to_json()"
            )
        known.add(key)
    return known
