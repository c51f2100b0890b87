"""Runs a grid of quick cells as one test, because pytest needs more time for a separate test than for such a cell."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

SHOWN = 5
"""The maximum number of failed cells that are shown with their traceback."""


def looped(names: str | tuple[str, ...], values: Iterable[Any]) -> Any:
    """Run a test once for each value, as `pytest.mark.parametrize` does, but as one test. Several loops form a grid.

    Every cell runs, even if others fail. The error lists the names and values of the failed cells. The cells share the
    fixtures of the test, so the body must create everything that a cell changes.
    """
    single = isinstance(names, str)
    keys = (names,) if isinstance(names, str) else names
    rows = [dict(zip(keys, (row,) if single else row, strict=True)) for row in values]
    assert rows, f"no value for {names}"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        body, inner = getattr(test, "_looped", (test, [{}]))
        cells = [row | rest for row in rows for rest in inner]

        @functools.wraps(body)
        def run_cells(*args: Any, **fixtures: Any) -> None:
            failed: dict[str, BaseException] = {}
            for cell in cells:
                try:
                    body(*args, **fixtures, **cell)
                except pytest.skip.Exception as skipped:
                    raise AssertionError(f"a cell among others cannot be skipped: {_name(cell)}") from skipped
                except (Exception, pytest.fail.Exception) as failure:
                    if "pytest-timeout" in str(failure):
                        raise
                    failure.add_note(f"cell: {_name(cell)}")
                    failed[f"{len(failed) + 1}. {_name(cell)}"] = failure
            if failed:
                message = "\n".join([f"{len(failed)} of {len(cells)} cells fail:", *failed])
                raise BaseExceptionGroup(message, list(failed.values())[:SHOWN])

        remaining = [each for each in inspect.signature(body).parameters.values() if each.name not in cells[0]]
        run_cells.__dict__ |= vars(test) | {"_looped": (body, cells), "__signature__": inspect.Signature(remaining)}
        return run_cells

    return decorate


def _name(cell: dict[str, Any]) -> str:
    return ", ".join(f"{key}={_shown(value)}" for key, value in cell.items())


def _shown(value: object) -> str:
    try:
        return (repr if isinstance(value, str | bytes | BaseException) else str)(value)[:200]
    except ValueError:  # an integer with more digits than Python prints
        return object.__repr__(value)
