"""Settings for vcrpy and pytest-recording that keep credentials, card numbers, and personal fields out of cassettes.

A cassette contains only headers, parameters, and fields on an allowlist, so it never contains unknown data.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Protocol, TypeAlias, cast
from urllib.parse import urlsplit, urlunsplit

from .. import _json as json
from .. import models
from .._core.config.wire_names import RESERVED_PARAMETERS
from .._shown import MASK, SHOWN
from ..models._base import Model
from ..models._fields import field_by_wire_name, sensitive_fields

_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")
_GZIP = b"\x1f\x8b"

VcrResponse: TypeAlias = dict[str, object]


class VcrRequest(Protocol):
    """The attributes of a vcrpy request that the settings mask."""

    uri: str
    headers: Mapping[str, object]
    body: object


def vcr_config() -> dict[str, Callable[..., object]]:
    """Return settings for `vcr.VCR(**vcr_config())`, or for the fixture `vcr_config` of pytest-recording.

    With these settings, a cassette contains only the following data:

    - the method, the address, and the IDs in the path
    - the paging parameters of the query; the values of other parameters become `***`
    - the headers that can't contain a credential
    - in JSON bodies, the fields that the models have and that aren't personal. In unknown and personal fields, strings
        become `***`, and numbers become 0.

    The settings mask card numbers everywhere, and the whole body if it isn't JSON. The settings don't mask IDs,
    amounts, and the text of known fields, such as notes.

    Returns:
        The settings `before_record_request` and `before_record_response`.
    """
    return {"before_record_request": _request, "before_record_response": _response}


def _request(request: VcrRequest) -> VcrRequest:
    """Mask a request in place, because vcrpy passes a copy of the request."""
    request.uri = _address(request.uri)
    request.headers = _allowed(request.headers)
    body = request.body
    request.body = _body(body if isinstance(body, bytes) else b"" if body is None else str(body).encode()) or None
    return request


def _response(response: VcrResponse) -> VcrResponse:
    """Return a masked copy of a response."""
    masked = {**response, "headers": _allowed(cast("Mapping[str, object]", response["headers"]))}
    if "content" in response:  # vcrpy 5 stores the responses of httpx in the field `content`
        return {**masked, "content": _body(str(response["content"]).encode()).decode()}
    content = cast("Mapping[str, object]", response["body"]).get("string") or b""
    return {**masked, "body": {"string": _body(content if isinstance(content, bytes) else str(content).encode())}}


def _allowed(headers: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in headers.items() if name.lower() in SHOWN["recorded_headers"]}


def _address(address: str) -> str:
    parts = urlsplit(address)
    pairs = (pair.partition("=") for pair in parts.query.split("&") if pair)
    query = "&".join(f"{name}={value if name in RESERVED_PARAMETERS else MASK}" for name, _, value in pairs)
    return urlunsplit(parts._replace(query=query))


def _body(body: bytes) -> bytes:
    if not body:
        return body
    try:
        value = json.decode(zlib.decompress(body, 31) if body.startswith(_GZIP) else body)
        return json.encode_stored(_masked(value, is_known=True))
    except (json.DamagedJSONError, RecursionError, zlib.error):
        return MASK.encode()


def _masked(value: object, *, is_known: bool, is_inside: bool = False) -> object:
    """Return a masked copy of a value.

    `is_inside` is set in a field whose keys the merchant chooses, such as `metadata`.
    """
    if isinstance(value, dict):
        shown, free = _fields()
        return {
            name: _masked(each, is_known=not is_inside and name in shown, is_inside=is_inside or name in free)
            for name, each in cast("dict[str, object]", value).items()
        }
    if isinstance(value, list):
        return [_masked(each, is_known=is_known, is_inside=is_inside) for each in cast("list[object]", value)]
    if value is None or isinstance(value, bool):
        return value
    if not is_known:
        return MASK if isinstance(value, str) else 0
    if not isinstance(value, str):
        return 0 if _CARD.fullmatch(str(value)) else value
    return _CARD.sub(MASK, _address(value) if "?" in value else value)


@cache
def _fields() -> tuple[frozenset[str], frozenset[str]]:
    """Return the wire names of the recorded fields, and of the fields whose keys the merchant chooses."""
    names, personal, free = set[str](), set[str](), set[str]()
    for kind in (getattr(models, name) for name in models.__all__):
        if isinstance(kind, type) and issubclass(kind, Model):
            hidden = sensitive_fields(kind)
            for name, field in field_by_wire_name(kind).items():
                names.add(name)
                if field in hidden:
                    personal.add(name)
                if "dict" in str(kind.model_fields[field].annotation):
                    free.add(name)
    return frozenset(
        (names | SHOWN["recorded_errors"] | SHOWN["recorded_lists"]) - (personal - SHOWN["recorded_amounts"])
    ), frozenset(free)
