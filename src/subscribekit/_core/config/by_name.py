"""Says what to write when a value of settings is made with arguments that it does not take."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from functools import wraps
from typing import TypeAlias

__tracebackhide__ = True  # pytest shows the line of the caller instead

Advice: TypeAlias = Mapping[str, tuple[str, ...]]
"""What to write, and the names that other libraries have for it."""


def says_what_it_takes(kind: type, example: str, advice: Advice) -> None:
    """Make a dataclass answer arguments that it does not take with what to write.

    Args:
        kind: The class.
        example: How it is made.
        advice: For names that it lacks; one that is not among them gets the nearest field, or all of them.
    """
    init: Callable[..., None] = getattr(kind, "__init__")  # noqa: B009  checkers refuse it as an attribute

    @wraps(init)
    def __init__(self: object, *args: object, **values: object) -> None:  # noqa: N807  it replaces the class's own
        sentence = _sentence(kind, example, advice, len(args), values.keys())
        try:
            if sentence is None:
                return init(self, *args, **values)
        finally:
            del self, args, values  # no credential, and nothing half made, stays in a frame of a traceback
        raise TypeError(sentence)

    setattr(kind, "__init__", __init__)  # noqa: B010  as above


def _sentence(kind: type, example: str, advice: Advice, by_place: int, given: Collection[str]) -> str | None:
    """Say what to write, or nothing where the arguments fit."""
    name, known = kind.__name__, {each.name: each.default for each in fields(kind)}
    places = [each.name for each in fields(kind) if not each.kw_only]
    if by_place > len(places):
        return f"{name}() takes {' and '.join(places) or 'its arguments by name'}: write {example}"
    twice = next((each for each in places[:by_place] if each in given), None)
    if twice is not None:
        return f"{name}() got {twice} twice: write {example}"
    wrong = next((each for each in given if each not in known), None)
    if wrong is not None:
        return f"{name}() got an unexpected keyword argument {wrong!r}: {instead_of(wrong, list(known), advice)}"
    there = {*places[:by_place], *given}
    missing = next((each for each, default in known.items() if default is MISSING and each not in there), None)
    return missing and f"{name}() needs {missing}=: write {example}"


def instead_of(wrong: str, known: list[str], advice: Advice) -> str:
    """Say what to write for an argument that there is not: by the advice, by the nearest one, or by all of them."""
    from difflib import get_close_matches  # when the mistake was made

    for text, names in advice.items():
        if wrong.lower() in names:
            return text
    if not known:
        return "it takes none"
    near = get_close_matches(wrong, known, n=1)
    return f"did you mean {near[0]}=?" if near else f"it takes {', '.join(known[:-1])} and {known[-1]}"


def of_another_kind(value: object, wanted: tuple[type, ...] = (int, float)) -> str:
    """Say of what kind a value is that should have been a number, and how to make one of it."""
    how = {
        "str": "write the number without quotes",
        "timedelta": "write .total_seconds() after it",
        "Decimal": "write float(...) around it",
        "NoneType": "leave it out for the usual one, which cannot be switched off",
    }
    if type(value) in wanted:
        return ""
    name = type(value).__name__
    return f", not {name.removesuffix('Type')}{f': {how[name]}' if name in how else ''}"
