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
from reliability.test_credentials import hostile_environment
from reliability.test_leaks import logs

__all__ = ["hostile_environment", "logs", "loop_over_aiohttp", "run"]

MODULES = (
    test_cancellation, test_connections, test_credentials, test_deadlines, test_leaks, test_life, test_outcomes,
    test_pages, test_receiving, test_retries, test_sending, test_sockets,
)  # fmt: skip
NOT_HERE: dict[str, str] = {
    "test_cancelled_calls_cost_no_connection_for_good":
        "looks into the default pool: test_aiohttp_connections has it for this one",
    "test_a_closed_client_says_so":
        "a transport that was given is not closed with its client: test_aiohttp_connections closes it itself",
    "test_a_call_may_end_after_its_client_was_closed":
        "a transport that was given is not closed with its client: test_aiohttp_connections closes it itself",
    "test_a_with_block_closes":
        "a transport that was given is not closed with its client: test_aiohttp_connections closes it itself",
    "test_an_explicit_proxy_sees_the_host_and_its_own_password_only":
        "the backend takes no proxy",
    "test_a_proxy_that_refuses_got_no_request_through":
        "the backend takes no proxy",
    "test_a_handshake_that_ends_inside_the_tunnel_is_tried_again":
        "the backend takes no proxy",
    "test_a_write_does_not_meet_an_idle_tunnel":
        "the backend takes no proxy",
    "test_a_response_too_many_spoils_a_tunnel_too":
        "the backend takes no proxy",
    "test_faults_show_nothing":
        "looks for httpcore's log: test_aiohttp_connections looks at texts and logs of this one",
    "test_what_the_network_library_logs_of_our_calls_is_cut_down":
        "looks for httpcore's log: test_aiohttp_connections looks at texts and logs of this one",
    "test_a_request_that_was_not_written_whole_may_have_been_understood":
        "aiohttp has no time limit for writing; the deadline ends it",
    "test_every_error_is_ours_and_crosses_processes":
        "three faults show no request id here: test_matrix_aiohttp has the test and names them",
    "test_an_address_that_swallows_packets_leaves_time_for_the_next":
        "replaces the default's look-up of addresses; aiohttp tries them one after another within the time to connect",
    "test_the_reason_of_a_cut_quotes_nothing":
        "a bad chunk shows no status here; test_aiohttp_connections looks at the texts",
}  # fmt: skip
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
