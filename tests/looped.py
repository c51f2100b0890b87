"""Grids of quick cells in one test: each test of its own costs pytest more than such a cell takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

SHOWN = 5
"""How many cells that fail are shown with their traceback."""


def looped(names: str | tuple[str, ...], values: Iterable[Any], ids: Callable[[Any], str] = repr) -> Any:
    """Run a test once for each value, as `pytest.mark.parametrize` does, but as one test; several loops make a grid.

    Every cell runs, whichever fail; the error has the names and values of those that do. The cells share the fixtures
    of the test, so a body makes afresh what a cell changes.
    """
    single = isinstance(names, str)
    keys = (names,) if isinstance(names, str) else names
    rows = [dict(zip(keys, (row,) if single else row, strict=True)) for row in values]
    assert rows, f"no value for {names}"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        body, inner = getattr(test, "_looped", (test, [("", {})]))
        cells = [
            (", ".join(filter(None, [*(f"{key}={ids(value)[:200]}" for key, value in row.items()), name])), row | rest)
            for row in rows
            for name, rest in inner
        ]

        @functools.wraps(body)
        def run_cells(*args: Any, **fixtures: Any) -> None:
            failed = {}
            for name, cell in cells:
                try:
                    body(*args, **fixtures, **cell)
                except pytest.skip.Exception as skipped:
                    raise AssertionError(f"a cell among others cannot be skipped: {name}") from skipped
                except (Exception, pytest.fail.Exception) as failure:
                    if "pytest-timeout" in str(failure):
                        raise
                    failure.add_note(f"cell: {name}")
                    failed[name] = failure
            if failed:
                shown = "\n".join(failed)
                raise BaseExceptionGroup(
                    f"{len(failed)} of {len(cells)} cells fail:\n{shown}", list(failed.values())[:SHOWN]
                )

        left = [each for each in inspect.signature(body).parameters.values() if each.name not in cells[0][1]]
        run_cells.__dict__ |= vars(test) | {"_looped": (body, cells), "__signature__": inspect.Signature(left)}
        return run_cells

    return decorate
