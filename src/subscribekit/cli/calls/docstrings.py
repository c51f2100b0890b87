"""Converts the docstring of an operation to help texts."""

from __future__ import annotations

import inspect
import re

_ARGUMENT = re.compile(r"^ {4}(\w+): (.*)$")


def help_of(docstring: str | None) -> str:
    """Return the description of an operation and of the operation's result."""
    text, sections = _parts(docstring)
    returns = " ".join(line.strip() for line in sections.get("Returns", ()) if line.strip())
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    return _plain("\n\n".join([*paragraphs, *([f"Returns: {returns}"] if returns else [])]))


def arguments_of(docstring: str | None) -> dict[str, str]:
    """Return the description of each argument."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in _parts(docstring)[1].get("Args", ()):
        if argument := _ARGUMENT.match(line):
            lines = found.setdefault(argument[1], [argument[2]])
        elif line.strip():
            lines.append(line.strip())
    return {name: _plain(" ".join(each)) for name, each in found.items()}


def _parts(docstring: str | None) -> tuple[str, dict[str, list[str]]]:
    """Split a docstring in Google style into the text and its sections."""
    text: list[str] = []
    sections: dict[str, list[str]] = {}
    lines = text
    for line in inspect.cleandoc(docstring or "").splitlines():
        if line in ("Args:", "Returns:", "Raises:", "Attributes:"):
            lines = sections.setdefault(line.removesuffix(":"), [])
        else:
            lines.append(line)
    return "\n".join(text).strip(), sections


def _plain(text: str) -> str:
    return text.replace("`", "")
