"""Reads a response even if some of its values can't be parsed."""

from __future__ import annotations

from typing import TypeAlias, TypeVar, cast

from pydantic import BaseModel, ValidationError

from ._context import READING
from ._fields import field_by_wire_name
from ._lists import ModelList, is_envelope
from ._refusals import interrupt_in

M = TypeVar("M", bound=BaseModel)
Step: TypeAlias = int | str
Path: TypeAlias = tuple[Step, ...]

# A response is validated in several rounds, because errors at one level can hide errors at a deeper level. Each round
# removes at least one invalid value.
_MAX_ROUNDS = 32


def read_around(kind: type[M], raw: object, error: ValidationError) -> M:
    """Read a response without the values that can't be parsed, and keep these values as unknown fields.

    Raises:
        pydantic.ValidationError: The response isn't an object of the type `kind`.
    """
    pruned = _copy(raw)
    aside: dict[Path, object] = {}
    for _ in range(_MAX_ROUNDS):
        if (interrupt := interrupt_in(error)) is not None:
            raise interrupt from None
        found = _unreadable(pruned, error)
        if not found:
            raise error
        for path in found:
            _remove(pruned, path, aside)
        try:
            model = kind.model_validate(pruned, strict=False, extra="allow", context=READING)
        except ValidationError as next_error:
            error = next_error
            continue
        for path, value in aside.items():
            if not _keep(model, path, value):
                raise error
        return model
    raise error


def _copy(value: object) -> object:
    """Copy objects and arrays, so that removing values doesn't change the caller's response."""
    if isinstance(value, dict):
        return {name: _copy(content) for name, content in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_copy(content) for content in cast("list[object]", value)]
    return value


def _fields(value: object) -> dict[Step, object]:
    return cast("dict[Step, object]", value) if isinstance(value, dict) else {}


def _unreadable(raw: object, error: ValidationError) -> list[Path]:
    """Return the paths of the invalid values, outer values first, or an empty list if the whole response is invalid."""
    paths: set[Path] = set()
    for line in error.errors(include_url=False, include_context=False, include_input=False):
        path = _path(raw, line["loc"])
        if not path:
            return []
        if path == ("object",) and _fields(raw)["object"] is not None:
            return []  # the response is an object that the model doesn't describe, such as an Error
        paths.add(path)
    return sorted(paths, key=len)


def _path(raw: object, location: Path) -> Path:
    """Convert the location of a pydantic error to a path without union tags, which ends at the innermost field."""
    steps: list[Step] = []
    end = 0
    current = raw
    for part in location:
        fields = _fields(current)
        if part in fields:
            steps.append(part)
            end = len(steps)
            current = fields[part]
            continue
        if isinstance(part, int) and is_envelope(fields):
            steps.append("data")
            current = fields["data"]
        if isinstance(part, int) and isinstance(current, list):
            steps.append(part)
            current = cast("list[object]", current)[part]
    return tuple(steps[:end])


def _remove(raw: object, path: Path, aside: dict[Path, object]) -> None:
    if any(path[: len(taken)] == taken for taken in aside):
        return
    container = raw
    for step in path[:-1]:
        container = cast("dict[Step, object]", container)[step]
    aside[path] = cast("dict[Step, object]", container).pop(path[-1])


def _keep(model: BaseModel, path: Path, value: object) -> bool:
    """Add an invalid value to the unknown fields of its model, and return whether this was possible."""
    owner: object = model
    for step in path[:-1]:
        owner = _descend(owner, step)
    owner = _only(owner)
    if not isinstance(owner, BaseModel) or owner.model_extra is None:
        return False
    owner.model_extra[str(path[-1])] = value
    return True


def _descend(owner: object, step: Step) -> object:
    if isinstance(owner, ModelList):
        elements = cast("ModelList[object]", owner)
        if step == "data":
            return elements
        return elements[step] if isinstance(step, int) else _descend(_only(elements), step)
    if isinstance(owner, BaseModel):
        return getattr(owner, field_by_wire_name(type(owner)).get(str(step), str(step)))
    return None


def _only(owner: object) -> object:
    """Return the element of a collection that was received as a single object."""
    if isinstance(owner, ModelList):
        elements = cast("ModelList[object]", owner)
        return elements[0] if elements else None
    return owner
