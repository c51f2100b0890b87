"""Parses the body of a webhook, which is JSON or URL-encoded."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TypeAlias
from urllib.parse import parse_qsl

from .._json import JSON, DamagedJSONError, check_numbers, decode
from .errors import WebhookFormatError

_Tree: TypeAlias = "dict[str, str | _Tree]"
_SPACE = b" \t\r\n"
_MAX_FIELDS = 10_000
_MAX_DEPTH = 32
_NAME = re.compile(r"[^\[\].]+(?:\[[^\[\].]*\]|\.[^\[\].]+)*")
_PART = re.compile(r"[^\[\].]+|\[\]")
_OBJECTS = ("header", "content")


def parse(body: bytes) -> tuple[dict[str, JSON], dict[str, JSON], dict[str, JSON]]:
    """Return the whole body, the object `header`, and the object `content`.

    Raises:
        WebhookFormatError: The body is neither JSON nor URL-encoded, `header` is missing, or `content` isn't an object.
    """
    body = body.removeprefix(BOM_UTF8)
    message = _json_object(body) if body.lstrip(_SPACE).startswith(b"{") else _form(body)
    if message is None:
        raise WebhookFormatError("the body is neither a JSON object nor URL-encoded")
    header, content = message.get("header"), message.get("content")
    if not isinstance(header, dict):
        raise WebhookFormatError("the body doesn't contain the object 'header'")
    if not isinstance(content, dict | None):
        raise WebhookFormatError("'content' in the body isn't an object")
    return message, header, content or {}


def _json_object(text: bytes) -> dict[str, JSON] | None:
    try:
        value = decode(text)
        check_numbers(value)
    except DamagedJSONError:
        return None
    return value if isinstance(value, dict) else None


def _form(body: bytes) -> dict[str, JSON] | None:
    try:
        fields = parse_qsl(
            body.decode(), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=_MAX_FIELDS
        )
    except ValueError:  # the body isn't UTF-8, or has too many fields
        return None
    if len(fields) == 1 and (fields[0][1] or fields[0][0]).lstrip().startswith("{") and fields[0][0] not in _OBJECTS:
        return _json_object((fields[0][1] or fields[0][0]).encode())
    message: dict[str, JSON] = {}
    nested: list[tuple[str, str]] = []
    for name, value in fields:
        if name in _OBJECTS and value.lstrip().startswith("{"):
            text = _json_object(value.encode())
            if text is None or name in message:
                return None
            message[name] = text
        else:
            nested.append((name, value))
    tree = _tree(nested)
    if tree is None or not message.keys().isdisjoint(tree):
        return None
    return {**message, **{name: _value(each) for name, each in tree.items()}}


def _tree(fields: list[tuple[str, str]]) -> _Tree | None:
    """Build nested objects from names such as `header[class_name]`. If a name is invalid or repeated, return `None`."""
    root: _Tree = {}
    for name, value in fields:
        parts = _PART.findall(name)
        if not _NAME.fullmatch(name) or len(parts) > _MAX_DEPTH:
            return None
        parent = root
        for part in parts[:-1]:
            child = parent.setdefault(part if part != "[]" else str(len(parent)), {})
            if isinstance(child, str):
                return None
            parent = child
        last = parts[-1] if parts[-1] != "[]" else str(len(parent))
        if last in parent:
            return None
        parent[last] = value
    return root


def _value(tree: str | _Tree) -> JSON:
    if isinstance(tree, str):
        return tree
    if all(name == str(position) for position, name in enumerate(tree)):
        return [_value(each) for each in tree.values()]
    return {name: _value(each) for name, each in tree.items()}
