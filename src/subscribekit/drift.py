"""Detects drift, that is, fields, values, and error codes that the service sends and the models don't know.

    from subscribekit import BillingClient
    from subscribekit.drift import DriftDetector

    drift = DriftDetector()
    billing = BillingClient(environment="staging", observers=[drift])
    for account in billing.accounts.list():
        ...
    print(drift)    # a table
    drift.check()   # raises DriftError if there are findings

The detector stores names and counts. The detector stores values only for undocumented error codes and enumerated
fields, and only values that can't be personal numbers.
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
"""The maximum number of stored findings, which limits the memory. The detector counts further findings, but doesn't
store them."""
MAX_VALUES: Final = 10
"""The maximum number of stored values for each field. If a field has more than `MAX_VALUES` different values, the field
probably isn't enumerated."""
_MAX_TEXT = 64
_MANY = "(further values)"


@dataclass(frozen=True, slots=True)
class Finding:
    """A field, a value, or an error code that the service sent and the models don't know.

    Attributes:
        group: `billing`, `gateway`, `user_mgmt` or `storefront`.
        operation: The SDK's name of the operation, such as `accounts.list`.
        model: The model that contains the field, such as `PaymentMethod`; `Error` for error codes.
        path: The path in the result, in wire names, such as `payment_methods[].type`.
        kind: `unknown_field` for a field that the model doesn't have, `unparsed_value` for a value that can't be
            parsed, `unknown_enum` for an undocumented value, or `unknown_code` for an undocumented error code.
        count: The number of times that the service sent the field, the value, or the error code.
        value: The undocumented value or error code. `None` if the kind is `unknown_field` or `unparsed_value`, or if
            the field is masked. If the value may be personal, the attribute is a description, such as `(text of 25
            characters)`.
    """

    group: str
    operation: str
    model: str
    path: str
    kind: Kind
    count: int
    value: str | None = None


class DriftError(SubscribekitError):
    """A `DriftDetector` has findings that you haven't accepted.

    Attributes:
        findings: The findings that the argument of `check` doesn't contain.
    """

    outcome: Outcome = "rejected"
    findings: tuple[Finding, ...] = ()


class DriftDetector(ResultObserver):
    """Collects fields, values, and error codes that the models don't know.

    Pass a detector to clients as `observers=[drift]`.

    Threads, tasks, and clients can share a detector. A detector checks an item of a list when the iteration returns the
    item.
    """

    def __init__(self) -> None:
        self._guard = Guard()
        self._counts: Counter[Finding] = Counter()  # each key is a Finding with count=0
        self._values: Counter[tuple[str, str, str]] = Counter()
        self._results = self._dropped = 0

    def call_started(self, call: CallInfo) -> CallObserver:
        """Return an observer that checks the error codes of a call."""
        return _Codes(self, call)

    def result_read(self, group: str, operation: str, result: object) -> None:
        """Find the unknown parts of a result, and store them as findings."""
        if isinstance(result, Model):
            found = list(_unknown_parts(result, ""))
            with self._guard.lock:
                self._results += 1
                for model, path, kind, value in found:
                    self._count(Finding(group, operation, model, path, kind, 0, value))

    def error_returned(self, group: str, operation: str, error: APIError) -> None:
        """Store the code of an error if the code is undocumented."""
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

    @property
    def results(self) -> int:
        """The number of checked resources and errors, which is 0 if the detector received nothing to check."""
        with self._guard.lock:
            return self._results

    @property
    def dropped(self) -> int:
        """The number of findings that the detector didn't store, because it already had 1,000 different findings."""
        with self._guard.lock:
            return self._dropped

    def findings(self) -> list[Finding]:
        """Return the findings, sorted by group, operation, and path."""
        with self._guard.lock:
            counts = list(self._counts.items())
        found = [replace(each, count=count) for each, count in counts]
        return sorted(found, key=lambda each: (each.group, each.operation, each.path, each.kind, each.value or ""))

    def check(self, accepted: str | bytes | None = None) -> None:
        """Raise `DriftError` if there are findings, for example to fail a scheduled job.

        Args:
            accepted: An earlier result of `to_json` that you reviewed. Findings that `accepted` contains don't raise an
                error, regardless of their counts.

        Raises:
            DriftError: The detector has a finding that `accepted` doesn't contain, or too many findings to store.
            InvalidArgumentError: `accepted` isn't a result of `to_json`.
        """
        known = set[tuple[object, ...]]() if accepted is None else _accepted(accepted)
        new = [each for each in self.findings() if tuple(getattr(each, name) for name in _IDENTITY) not in known]
        if new or self.dropped:
            table = _table(new, self.dropped)
            error = DriftError(f"the service sent fields, values, or codes that the models don't know\n{table}")
            error.findings = tuple(new)
            raise error

    def to_json(self) -> str:
        """Return the findings as a JSON array with one object per line, which you can pass to `check` later."""
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


_UnknownPart: TypeAlias = tuple[str, str, Kind, str | None]


def _unknown_parts(model: Model, path: str) -> Iterator[_UnknownPart]:
    """Yield the model, path, kind, and value (or `None`) of each unknown part of a result."""
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
            yield from _unknown_parts(value, f"{path}{wire.get(name, name)}.")
        elif isinstance(value, (ModelList, list)):
            for element in cast("Sequence[object]", value):
                if isinstance(element, Model):
                    yield from _unknown_parts(element, f"{path}{wire.get(name, name)}[].")
        elif isinstance(value, str) and name in documented and value not in documented[name]:
            shown = None if name in sensitive_fields(kind) else _shown(value, is_value=True)
            yield kind.__name__, path + wire[name], "unknown_enum", shown


@cache
def _is_open(kind: type[Model]) -> bool:
    """Return whether a model accepts any field, as models for undocumented data do."""
    return kind.model_config.get("extra") == "allow" or issubclass(kind, Entity)


def _is_documented(kind: type[Model], name: str) -> bool:
    """Return whether a field's name matches a documented pattern, such as a suffix."""
    if issubclass(kind, AccountAssociationAttributes):
        return name.endswith(".account.AccountNumber")
    return issubclass(kind, RatableUsageMetric) and name.startswith("_")


@cache
def _documented_values(kind: type[Model]) -> dict[str, frozenset[str]]:
    """Return the documented values of each enumerated field."""
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
    """Return a name, a value, or an error code as a report shows it.

    If the text is too long or could be a personal number, return a description of the text.
    """
    form = _VALUE if is_value else _NAME
    is_number = sum(character.isdigit() for character in text) > _MAX_DIGITS
    if len(text) <= _MAX_TEXT and text.isprintable() and form.fullmatch(text) and not is_number:
        return text
    return f"(text of {len(text)} characters)"


_HEAD = ("group", "operation", "model", "path", "kind", "value", "count")
_COLUMNS = _HEAD[1:]
"""The columns of a table. The attribute `group` has no column, because the column `operation` contains the group and
the operation, such as `billing.accounts.list`."""
_IDENTITY = _HEAD[:-1]
"""The attributes that identify a finding, which are all attributes except the count."""


def _cells(each: Finding) -> tuple[str, ...]:
    operation = f"{each.group}.{each.operation}"
    return operation, each.model, each.path, each.kind, each.value or "", str(each.count)


def _table(findings: Sequence[Finding], dropped: int) -> str:
    rows = [_COLUMNS, *map(_cells, findings)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, *([_dropped(dropped)] if dropped else [])])


def _dropped(count: int) -> str:
    return f"{count} further findings were only counted, because the limit is {MAX_FINDINGS} different findings"


def _accepted(text: str | bytes) -> set[tuple[object, ...]]:
    problem = InvalidArgumentError("accepted must be a result of to_json()")
    if isinstance(text, os.PathLike) or (isinstance(text, str) and text.endswith(".json")):
        problem = InvalidArgumentError(
            "accepted must be a result of to_json(), not a file name; pass Path('drift.json').read_text()"
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
                f"accepted has a kind other than {', '.join(kinds)}. Review the findings, and store a new result of "
                "to_json()"
            )
        known.add(key)
    return known
