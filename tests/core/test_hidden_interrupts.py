"""Interrupts that pydantic hides in its own exceptions (H426)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from subscribekit import BillingClient
from subscribekit._core.operations.bodies import body_bytes
from subscribekit._core.resolving.case import wire
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox


class SoftTimeLimitExceeded(Exception):  # noqa: N818  the name in Celery
    """An exception that a signal handler raises."""


@contextmanager
def interrupted(kind: type[BaseException]) -> Iterator[None]:
    """Raise an exception when pydantic calls the serializer of a model, as a signal handler could."""
    before = sys.gettrace()

    def handler(frame: FrameType, event: str, _: Any) -> None:
        called = frame.f_back
        if event == "call" and called is not None and called.f_code.co_name == "model_dump":
            sys.settrace(before)
            raise kind

    sys.settrace(handler)
    try:
        yield
    finally:
        sys.settrace(before)


INTERRUPTS = pytest.mark.parametrize("kind", [KeyboardInterrupt, asyncio.CancelledError, SoftTimeLimitExceeded])
ACCOUNT = Account(id="a", name="n")


@pytest.mark.hazard("H426")
@INTERRUPTS
def test_an_interrupt_while_a_body_is_written_is_raised_unchanged(kind: type[BaseException]) -> None:
    with pytest.raises(kind), interrupted(kind):
        body_bytes("body", ACCOUNT)


@pytest.mark.hazard("H426")
@INTERRUPTS
def test_an_interrupt_while_a_response_is_compared_is_raised_unchanged(kind: type[BaseException]) -> None:
    with pytest.raises(kind), interrupted(kind):
        wire(ACCOUNT)


@pytest.mark.hazard("H426")
def test_a_call_that_is_interrupted_while_its_body_is_written_sends_nothing() -> None:
    sandbox = Sandbox()
    client: BillingClient = sandbox.billing()
    with pytest.raises(KeyboardInterrupt), interrupted(KeyboardInterrupt):
        client.accounts.create(ACCOUNT)
    assert sandbox.requests == []


@pytest.mark.hazard("H426")
def test_an_exception_that_the_caller_is_handling_is_not_an_interrupt() -> None:
    """A program may make its last call while it handles `SystemExit`."""
    try:
        sys.exit()
    except SystemExit:
        with pytest.raises(InvalidArgumentError):
            body_bytes("json", {"price": 1.5})
