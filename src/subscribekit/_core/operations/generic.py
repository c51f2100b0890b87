"""Operations for generic calls, for which the SDK has no method.

The SDK doesn't know the effect of a generic call, so it derives the safety class from the request. The SDK assumes that
a POST moves money. The SDK also assumes that a DELETE with a query, a body, or the segment `customData` removes all
resources that match when the request arrives (H93).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from ..._json import JSON
from ..._sealed import content_of
from ...errors import InvalidArgumentError
from ...models._base import Model
from ...models._fields import wire_names
from .arguments import Pairs, QueryParams, free_query, is_word, own_path
from .bodies import body_bytes
from .identity import REFERENCE
from .operation import Method, Operation, Safety
from .readers import NeedsBody, Reader, ReadModel, ReadPlain, ShapeError

_METHODS: Mapping[str, Method] = {"GET": "GET", "POST": "POST", "PUT": "PUT", "DELETE": "DELETE"}
_CHARGE_ID, _CHARGED_ID = "transactionId", "originalTransactionId"


@dataclass(slots=True, repr=False)
class ReadArray(NeedsBody):
    """Reads a JSON array unchanged, with fractional numbers as `Decimal`."""

    @property
    def result(self) -> type[list[JSON]]:
        """The type of the result."""
        return list

    def read(self, value: JSON, headers: Mapping[str, str]) -> list[JSON]:
        """Return the array."""
        if not isinstance(value, list):
            raise ShapeError("an array was expected")
        return value


def free_operation(
    method: str,
    path: str,
    result: type[Model] | type[dict[str, JSON]] | type[list[JSON]],
    params: QueryParams | None,
    json: object,
    max_text: int | None = None,
) -> Operation[object]:
    """Return the operation of a generic call. `max_text` is the maximum length of strings in the body, or `None`.

    Raises:
        InvalidArgumentError: The method is unknown, or another argument is invalid. A path is invalid if it's an
            absolute URL, or if it contains `?`, `#`, `%`, a backslash, or a dot segment.
    """
    verb = _METHODS.get(method) if isinstance(method, str) else None
    if verb is None:
        reason = "; the services have no PATCH and update with POST or PUT" if method == "PATCH" else ""
        if isinstance(method, str) and method.upper() in _METHODS:
            reason = ", in uppercase"
        raise InvalidArgumentError(f"method must be GET, POST, PUT, or DELETE{reason}")
    segments = own_path(path)
    body = _body(method, json, max_text)
    query = free_query({} if params is None else params)
    if method == "DELETE" and any(not value.strip() for _, value in query):
        raise InvalidArgumentError(
            "params of a DELETE must not have an empty value, because an empty filter could delete everything"
        )
    is_charge = method != "GET" and _is_charge(segments)
    key, by, original = _reconciled_by(method, segments, json, is_charge)
    reader: Reader[object] = _reader(result, is_charge=is_charge)
    return Operation(
        method=verb,
        template="/" + "/".join(each if is_word(each) else "{…}" for each in segments),
        path=segments,
        reader=reader,
        safety=Safety.MONEY if is_charge else _safety(method, segments, query, body),
        query=query,
        body=content_of(body),
        resource_id=segments[-1],
        reconcile_key=key,
        reconcile_by=by,
        original_transaction_id=original,
        identity=REFERENCE if is_charge else None,  # a charge succeeded only if the response contains a reference ID
    )


def _reader(
    result: type[Model] | type[dict[str, JSON]] | type[list[JSON]], *, is_charge: bool
) -> Reader[Model] | ReadPlain | ReadArray:
    """Return the reader for the argument `result`."""
    if result is dict:
        return ReadPlain()
    (reference,) = REFERENCE.fields
    if isinstance(result, type) and issubclass(result, Model):
        if not is_charge or reference in wire_names(result).values():
            return ReadModel(result)
    elif result is not list:
        raise InvalidArgumentError("result must be a model class, dict, or list")
    elif not is_charge:
        return ReadArray()
    raise InvalidArgumentError(
        f"for a charge, result must be dict, or a model with the field {reference}, which proves that the charge "
        f"succeeded"
    )


def _body(method: str, json: object, max_text: int | None) -> bytes | None:
    if json is None:
        return None
    if method == "GET":
        raise InvalidArgumentError("json can't be combined with GET, which has no body; pass params=... for the query")
    if not isinstance(json, Model | Mapping | list):
        advice = "; pass the object itself, and the client encodes it" if isinstance(json, str | bytes) else ""
        raise InvalidArgumentError(f"json must be a model, a mapping, or a list{advice}")
    document = cast("Mapping[str, object]", json)
    body = body_bytes("json", document)
    if max_text is not None and _has_longer_text(document, max_text):
        raise InvalidArgumentError(
            f"json must not contain a string or a key that is too long (limit: {max_text:,} characters)"
        )
    return body


def _has_longer_text(value: object, longest: int) -> bool:
    if isinstance(value, str):
        return len(value) > longest
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return any(_has_longer_text(key, longest) or _has_longer_text(each, longest) for key, each in pairs)
    return isinstance(value, list | tuple) and any(
        _has_longer_text(each, longest) for each in cast("list[object]", value)
    )


def _safety(method: str, segments: tuple[str, ...], query: Pairs, body: bytes | None) -> Safety:
    if method == "DELETE":
        selects = bool(query) or body is not None or "customdata" in _plain(segments)
        return Safety.DELETE_MATCHING if selects else Safety.DELETE
    return {"GET": Safety.READ, "PUT": Safety.PUT}.get(method, Safety.MONEY)


def _plain(segments: tuple[str, ...] | list[str]) -> list[str]:
    """Return path segments in lowercase, without parameters after a semicolon, as a lenient server may read them."""
    return [each.partition(";")[0].casefold() for each in segments]


def _is_charge(segments: tuple[str, ...] | list[str]) -> bool:
    """Return whether a path contains `entitlement/{id}/charge`, as the path of an entitlement charge does (E8)."""
    plain = _plain(segments)
    return any(pair == ("entitlement", "charge") for pair in zip(plain, plain[2:], strict=False))


def _reconciled_by(
    method: str, segments: tuple[str, ...], json: object, is_charge: bool
) -> tuple[str, str, str | None]:
    """Return the reconcile key, the kind of key, and, for a refund, the transaction ID of the original charge."""
    plain = _plain(segments)
    if is_charge and (charge := _text_in(json, _CHARGE_ID)) is not None:
        return charge, "transaction_id", _text_in(json, _CHARGED_ID)
    if method == "DELETE" and "customdata" in plain:
        return "/".join(segments[-2:]), "the identifier", None
    own = _text_in(json, "id") if method == "POST" else None
    named = [each for each in segments if not is_word(each)]
    return own or (named or segments)[-1], "the identifier", None


def _text_in(json: object, name: str) -> str | None:
    """Return a string at the top level of a body, by its wire name."""
    found: object = None
    if isinstance(json, Model):
        fields = {wire: field for field, wire in wire_names(type(json)).items()}
        found = getattr(json, fields.get(name, ""), None)
    elif isinstance(json, Mapping):
        found = cast("Mapping[str, object]", json).get(name)
    return found if isinstance(found, str) else None
