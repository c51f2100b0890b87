"""The reliability suite over the aiohttp backend: the same tests, collected here with clients over it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from reliability import (
    test_cancellation,
    test_connections,
    test_credentials,
    test_deadlines,
    test_leaks,
    test_life,
    test_outcomes,
    test_pages,
    test_receiving,
    test_retries,
    test_sending,
    test_sockets,
)
from reliability.aiohttp_kit import AiohttpRun
from reliability.kit import Run
from reliability.test_leaks import logs

__all__ = ["logs", "loop_over_aiohttp", "run"]

MODULES = (
    test_cancellation, test_connections, test_credentials, test_deadlines, test_leaks, test_life, test_outcomes,
    test_pages, test_receiving, test_retries, test_sending, test_sockets,
)  # fmt: skip
NOT_HERE: dict[str, str] = {}
"""Tests of the default connections' own inside or options, and where the aiohttp backend is tested instead."""


@pytest.fixture
def run() -> Iterator[Run]:
    runner = AiohttpRun()
    yield runner
    runner.close()


@pytest.fixture(name="loop")
def loop_over_aiohttp() -> Iterator[Run]:
    runner = AiohttpRun()
    yield runner
    runner.close()


def of_module(module: ModuleType) -> dict[str, Callable[..., None]]:
    """The tests of a module that make clients by `run` or `loop`."""
    return {
        name: test
        for name, test in vars(module).items()
        if name.startswith("test_") and callable(test) and {"run", "loop"} & inspect.signature(test).parameters.keys()
    }


for each in MODULES:
    globals().update({name: test for name, test in of_module(each).items() if name not in NOT_HERE})


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    assert set(NOT_HERE) <= {name for module in MODULES for name in of_module(module)}
