"""Converts the results and errors of items to JSON and back. Reading a stored value doesn't run stored code."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import cast

from ... import _json as json
from ... import errors
from ..._core.calls.prepared.stored import result_of
from ..._core.calls.prepared.stored_parts import DamagedCallError
from ..._hints import python_advice
from ..._interrupts import is_of_signal
from ..._json import JSON, DamagedJSONError
from ..._sealed import Content
from ...errors import ErrorDetail, FieldError, LedgerError, SubscribekitError
from ...models import to_json
from ...models._base import Model

_TEXT_LIMIT = 2000

_ATTRIBUTES = (
    "outcome", "operation", "attempts", "elapsed", "trace_id", "status_code", "code", "message", "type",
    "authorities", "request_id", "retry_after", "earlier_attempt_unknown", "method", "path_template", "resource_id",
    "reconcile_key", "original_transaction_id", "phase", "likely_applied",
)  # fmt: skip
"""The stored attributes of an error. The body and headers aren't stored, because they may contain a card number."""
_DETAILS: Mapping[str, type[ErrorDetail] | type[FieldError]] = {
    "validation_errors": ErrorDetail,
    "operation_errors": ErrorDetail,
    "field_errors": FieldError,
}


def written_result(value: object) -> Content | None:
    """Write a result as JSON. Return `None` if there is no result, or if JSON can't represent the result."""
    if value is None:
        return None
    try:
        return Content(to_json(value) if isinstance(value, Model) else json.encode_stored(value))
    except (TypeError, ValueError) as error:
        if is_of_signal(error):
            raise
        return None


def kept_result(shape: str, value: object) -> Content | None:
    """Write a result as JSON. Return `None` if a call with the stored result type `shape` can't return the result."""
    written = written_result(value)
    try:
        same = written is not None and type(result_of(shape, written)) is type(value)
    except DamagedCallError:
        same = False
    return written if same else None


def with_run_advice(error: SubscribekitError) -> SubscribekitError:
    """Replace the advice for clients in an error's text with the advice for runs, and return the error."""
    text = str(error)
    for advice in python_advice.ALL:
        if advice.in_run is not None:
            text = text.replace(advice.text, advice.in_run)
    if text != str(error):
        error.args = (text, *error.args[1:])
    return error


def error_text(error: BaseException) -> str:
    """Return the text of an error, shortened to 2,000 characters."""
    return plain(str(error)[:_TEXT_LIMIT])


def plain(text: str) -> str:
    """Replace lone surrogates and NUL characters, because a database can't store text that contains them."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def error_json(error: BaseException) -> str:
    """Return the attributes of an error as JSON, without its class and text."""
    stored: dict[str, object] = {}
    for name in _ATTRIBUTES:
        value = getattr(error, name, None)
        if value is not None and value != ():
            stored[name] = plain(value) if isinstance(value, str) else str(value) if isinstance(value, float) else value
    for name in _DETAILS:
        entries: tuple[ErrorDetail | FieldError, ...] = getattr(error, name, ())
        if entries:
            stored[name] = [_detail(each) for each in entries]
    if isinstance(error, errors.OutcomeUnknownError):
        stored["record"] = [list(pair) for pair in error.record]
        if error.sent_at is not None:
            stored["sent_at"] = error.sent_at
    return json.encode_stored(stored).decode()


def _detail(entry: ErrorDetail | FieldError) -> dict[str, str]:
    values = {each.name: getattr(entry, each.name) for each in fields(entry) if each.name != "rejected_value"}
    return {name: plain(value) for name, value in values.items() if isinstance(value, str)}


def error_of(kind: str, text: str, stored: str | None) -> SubscribekitError:
    """Restore a stored error. If the class of the error is unknown, return a plain `SubscribekitError`."""
    found: object = getattr(errors, kind, None) if kind in errors.__all__ else None
    if not isinstance(found, type) or not issubclass(found, SubscribekitError):
        found = SubscribekitError
    error = with_run_advice(found(text))
    values = decoded(None if stored is None else Content(stored.encode("utf-8", "replace")))
    for name in _ATTRIBUTES:
        if name in values and hasattr(found, name):
            setattr(error, name, _value(name, values[name]))
    for name, entry in _DETAILS.items():
        if name in values and hasattr(found, name):
            setattr(error, name, _details(entry, values[name]))
    if isinstance(error, errors.OutcomeUnknownError):
        sent_at, record = values.get("sent_at"), values.get("record")
        error.sent_at = datetime.fromisoformat(sent_at) if isinstance(sent_at, str) else None
        pairs = record if isinstance(record, list) else []
        error.record = tuple(
            (str(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) == 2
        )
    return error


def decoded(stored: Content | None) -> dict[str, JSON]:
    """Return the fields of a stored result or error, or no fields if nothing is stored.

    Raises:
        LedgerError: The stored value can't be read.
    """
    if stored is None:
        return {}
    try:
        found = json.decode(stored.reveal())
    except DamagedJSONError:
        found = None
    if not isinstance(found, dict):
        raise LedgerError(
            "the stored result or error of an item can't be read, because it's damaged or another version of "
            "subscribekit wrote it; use that version to read the ledger"
        )
    return found


def _value(name: str, value: JSON) -> object:
    if name in ("elapsed", "retry_after") and isinstance(value, str):
        return float(value)
    return tuple(value) if isinstance(value, list) else value


def _details(kind: type[ErrorDetail] | type[FieldError], entries: JSON) -> tuple[ErrorDetail | FieldError, ...]:
    known = {each.name for each in fields(kind)}
    return tuple(
        kind(**{name: cast("str", value) for name, value in entry.items() if name in known})
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict)
    )
