"""Results and errors of items as JSON, and back. Nothing runs when they are read."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import cast

from ... import _json as json
from ... import errors
from ..._core.calls.outcomes.error_bodies import SEND_FEWER
from ..._core.calls.prepared.stored import result_of
from ..._core.calls.prepared.stored_parts import DamagedCallError
from ..._hints.python_advice import SUPPORT_DETAILS
from ..._interrupts import is_of_signal
from ..._json import JSON, DamagedJSONError
from ..._sealed import Content
from ...errors import ErrorDetail, FieldError, LedgerError, SubscribekitError
from ...models import to_json
from ...models._base import Model

_TEXT_LIMIT = 2000
_WAITED = "The run waited as long as the service asked; item.record_outcome('not_applied') has this item sent again."

_ATTRIBUTES = (
    "outcome", "operation", "attempts", "elapsed", "trace_id", "status_code", "code", "message", "type",
    "authorities", "request_id", "retry_after", "earlier_attempt_unknown", "method", "path_template", "resource_id",
    "reconcile_key", "original_transaction_id", "phase", "likely_applied",
)  # fmt: skip
"""The stored parts of an error; neither the response's body nor its headers, which may echo a card number."""
_DETAILS: Mapping[str, type[ErrorDetail] | type[FieldError]] = {
    "validation_errors": ErrorDetail,
    "operation_errors": ErrorDetail,
    "field_errors": FieldError,
}


def written_result(value: object) -> Content | None:
    """Write a result as JSON; return `None` if there is no result, or if JSON can't represent it."""
    if value is None:
        return None
    try:
        return Content(to_json(value) if isinstance(value, Model) else json.encode_stored(value))
    except (TypeError, ValueError) as error:
        if is_of_signal(error):
            raise
        return None


def kept_result(shape: str, value: object) -> Content | None:
    """Write a result, if it is what a call of this shape gives."""
    written = written_result(value)
    try:
        same = written is not None and type(result_of(shape, written)) is type(value)
    except DamagedCallError:
        same = False
    return written if same else None


def about_item(error: SubscribekitError) -> SubscribekitError:
    """Let the text of an item's error name what a run has in place of what a client has; gives the same error."""
    text = str(error)
    told = (
        text.replace(
            SUPPORT_DETAILS.text,
            "; run.resolve() writes the text to send into the item's note",
        )
        .replace("client.resolve(error)", "run.resolve()")
        .replace(SEND_FEWER, _WAITED)
    )
    if told != text:
        error.args = (told, *error.args[1:])
    return error


def error_text(error: BaseException) -> str:
    """Give an error's text, of bounded length."""
    return plain(str(error)[:_TEXT_LIMIT])


def plain(text: str) -> str:
    """Replace what a database cannot hold, lone surrogates and NUL: a text must not keep an outcome from being kept."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def error_json(error: BaseException) -> str:
    """Write what is known by an error beside its class and text."""
    kept: dict[str, object] = {}
    for name in _ATTRIBUTES:
        value = getattr(error, name, None)
        if value is not None and value != ():
            kept[name] = plain(value) if isinstance(value, str) else str(value) if isinstance(value, float) else value
    for name in _DETAILS:
        entries: tuple[ErrorDetail | FieldError, ...] = getattr(error, name, ())
        if entries:
            kept[name] = [_detail(each) for each in entries]
    if isinstance(error, errors.OutcomeUnknownError):
        kept["record"] = [list(pair) for pair in error.record]
        if error.sent_at is not None:
            kept["sent_at"] = error.sent_at
    return json.encode_stored(kept).decode()


def _detail(entry: ErrorDetail | FieldError) -> dict[str, str]:
    values = {each.name: getattr(entry, each.name) for each in fields(entry) if each.name != "rejected_value"}
    return {name: plain(value) for name, value in values.items() if isinstance(value, str)}


def error_of(kind: str, text: str, kept: str | None) -> SubscribekitError:
    """Read an error back; one of a class that is not known becomes a plain `SubscribekitError`."""
    found: object = getattr(errors, kind, None) if kind in errors.__all__ else None
    if not isinstance(found, type) or not issubclass(found, SubscribekitError):
        found = SubscribekitError
    error = about_item(found(text))
    values = decoded(None if kept is None else Content(kept.encode("utf-8", "replace")))
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


def decoded(kept: Content | None) -> dict[str, JSON]:
    """Read the fields of what is kept; none for nothing.

    Raises:
        LedgerError: It cannot be read.
    """
    if kept is None:
        return {}
    try:
        found = json.decode(kept.reveal())
    except DamagedJSONError:
        found = None
    if not isinstance(found, dict):
        raise LedgerError("what the ledger keeps of an item cannot be read; it is damaged, or of another version")
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
