"""The phase of an attempt never claims less progress than the request may have made (H01)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subscribekit._core.http.failure import StaleConnectionError, TransportFailure, failure_of
from subscribekit._core.http.network_errors import (
    ConnectError,
    ConnectTimeoutError,
    HandshakeTimeoutError,
    ReadError,
    WriteError,
)
from subscribekit._core.http.progress import NOT_SENT, Progress
from subscribekit._core.http.wire.deadline import CurrentRequest
from subscribekit.errors import Phase

ORDER = ["not_reported", *(phase for phase in get_args(Phase) if phase != "not_reported")]

BEFORE = {
    f"connection.{step}.{end}"
    for step in ("connect_tcp", "connect_unix_socket", "start_tls", "retry")
    for end in ("started", "complete", "failed")
} - {"connection.retry.failed"} | {"proxy.start_tls.started", "proxy.start_tls.complete", "proxy.start_tls.failed"}
"""All events that are known to happen before sending.

The test repeats the list of the source, so that nobody adds an event to the source unnoticed.
"""

AFTER = [
    f"{protocol}.{step}.{end}"
    for protocol in ("http11", "http2")
    for step in (
        "send_connection_init", "send_request_headers", "send_request_body", "receive_response_headers",
        "receive_response_body", "response_closed", "receive_remote_settings",
    )
    for end in ("started", "complete", "failed")
]  # fmt: skip
UNKNOWN = (
    st.sampled_from(["cache.miss", "http3.send.started", "", "connection.connect_quic.started", "retry"]) | st.text()
)
EVENTS = st.lists(st.sampled_from(sorted(BEFORE)) | st.sampled_from(AFTER) | UNKNOWN, max_size=30)


def _rank(phase: Phase) -> int:
    return ORDER.index(phase)


@given(EVENTS)
def test_the_phase_means_not_sent_only_if_all_events_come_before_sending(events: list[str]) -> None:
    progress, sending = Progress(), False
    for name in events:
        progress.event(name)
        sending = sending or name not in BEFORE
        assert not (sending and progress.phase in NOT_SENT)


@given(EVENTS)
def test_the_phase_never_goes_back(events: list[str]) -> None:
    progress = Progress()
    for name in events:
        before = progress.phase
        progress.event(name)
        assert _rank(progress.phase) >= _rank(before)


@given(EVENTS)
def test_the_callback_is_called_once_when_the_request_is_sent(events: list[str]) -> None:
    phases: list[Phase] = []
    progress = Progress(lambda: phases.append(progress.phase))
    reached = False
    for name in events:
        progress.event(name)
        reached = reached or _rank(progress.phase) >= _rank("body_sent")
    assert len(phases) == reached


@given(
    EVENTS, st.sampled_from([ConnectError, ConnectTimeoutError, HandshakeTimeoutError, ReadError, WriteError, OSError])
)
def test_an_error_never_sets_an_earlier_phase(events: list[str], error: type[Exception]) -> None:
    progress = Progress()
    for name in events:
        progress.event(name)
    failure = failure_of(error("x"), progress)
    assert isinstance(failure, TransportFailure)
    if progress.phase != "not_reported":
        assert failure.phase == progress.phase
    else:
        connecting = issubclass(error, ConnectError)
        assert failure.phase == ("nothing" if connecting else "headers_started")


@dataclass
class _Stream:
    is_readable: bool


STEPS = st.lists(st.sampled_from(["connecting", "connected", "writing", "written"]), max_size=12)


@given(STEPS, st.booleans())
def test_the_phase_that_a_socket_reports_never_goes_back(steps: list[str], is_reused: bool) -> None:
    progress, current, quiet = Progress(), CurrentRequest(), _Stream(is_readable=False)
    current.serve(progress, None, is_reused=is_reused)
    has_begun = False
    for step in steps:
        before = progress.phase
        if step == "writing":
            current.writing(quiet)
            has_begun = True
        else:
            getattr(current, step)()
        assert _rank(progress.phase) >= _rank(before)
        assert not (has_begun and progress.phase in NOT_SENT)


def test_a_reused_connection_is_checked_only_before_the_first_byte() -> None:
    progress, current = Progress(), CurrentRequest()
    current.serve(progress, None, is_reused=True)
    with pytest.raises(StaleConnectionError):
        current.writing(_Stream(is_readable=True))
    assert progress.phase == "connected"
    current.writing(_Stream(is_readable=False))
    current.writing(_Stream(is_readable=True))  # an early response of the service
    assert progress.phase == "headers_started"
    current.serve(progress, None, is_reused=False)
    current.writing(_Stream(is_readable=True))
