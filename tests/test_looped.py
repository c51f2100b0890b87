"""A grid in one test runs every cell, and names the cells that fail."""

from __future__ import annotations

import inspect

import pytest

from looped import looped


def test_every_cell_runs_and_those_that_fail_are_named() -> None:
    seen: list[tuple[int, str, int]] = []

    @looped("number", [1, 2])
    @looped(("letter", "factor"), [("a", 10), ("b", 0)])
    def grid(number: int, letter: str, factor: int) -> None:
        seen.append((number, letter, factor))
        if factor == 0:
            pytest.fail("did not do it") if number == 1 else 1 / factor

    with pytest.raises(BaseExceptionGroup) as caught:
        grid()
    assert seen == [(1, "a", 10), (1, "b", 0), (2, "a", 10), (2, "b", 0)]
    assert caught.value.message == (
        "2 of 4 cells fail:\n1. number=1, letter='b', factor=0\n2. number=2, letter='b', factor=0"
    )
    assert [each.__notes__ for each in caught.value.exceptions] == [
        ["cell: number=1, letter='b', factor=0"],
        ["cell: number=2, letter='b', factor=0"],
    ]


def test_a_grid_without_a_failure_passes_and_takes_fixtures(tmp_path_factory: pytest.TempPathFactory) -> None:
    seen: list[object] = []

    @looped("number", range(3))
    @pytest.mark.posix("of the test")
    @looped("letter", "a")
    def grid(tmp_path_factory: pytest.TempPathFactory, number: int, letter: str) -> None:
        seen.append((tmp_path_factory, number))

    assert list(inspect.signature(grid).parameters) == ["tmp_path_factory"]
    grid(tmp_path_factory)
    assert seen == [(tmp_path_factory, number) for number in range(3)]
    assert [mark.args for mark in grid.pytestmark] == [("of the test",)]


@pytest.mark.parametrize("message", ["Timeout (>180.0s) from pytest-timeout.", "out of time, says pytest-timeout"])
def test_a_cell_that_hangs_ends_the_test(message: str) -> None:
    @looped("number", [1, 2])
    def grid(number: int) -> None:
        assert number == 1
        pytest.fail(message)

    with pytest.raises(pytest.fail.Exception, match="pytest-timeout"):
        grid()


def test_no_grid_is_empty_and_no_cell_is_skipped() -> None:
    with pytest.raises(AssertionError, match="no value for number"):
        looped("number", [])

    @looped("number", [1, 2])
    def grid(number: int) -> None:
        pytest.skip("not here")

    with pytest.raises(AssertionError, match="cannot be skipped: number=1"):
        grid()
