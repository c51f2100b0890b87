"""The simulated service, which handles requests, returns responses, and stores the state between requests."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from decimal import localcontext

from .._core.calls.telemetry.log import log
from .._core.config.locks import Guard
from .._decimals import own_context
from .._interrupts import is_of_signal
from .._json import encode
from .billing.presenters import Presenter
from .billing.rules.due import catch_up
from .billing.shapes import READER
from .http.auth import Credentials, authenticate
from .http.call import Call
from .http.responses import UNKNOWN_ENDPOINT, Refused, Reply, billing_refusal, coded_refusal
from .http.wire import RecordedRequest, SandboxRequest, SandboxResponse, Seen, record
from .routes import ROUTER
from .settings import Settings
from .store import IdentifierError, Store

_logger = logging.getLogger("subscribekit.sandbox")
FAILED = "internal error of the sandbox; see the traceback in the log of subscribekit.sandbox"

ARITHMETIC = own_context(28)
"""The decimal context for all amounts that the sandbox computes, independent of the application's context."""


class Service:
    """The four APIs, which share one store. The service handles one request at a time."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], datetime],
        credentials: Credentials,
        settings: Settings | None = None,
    ) -> None:
        self.store: Store = store
        self.requests: list[RecordedRequest] = []
        self.api_version: str | None = None
        self._guard = Guard()  # after a fork, the child process gets a new lock, so that it can use the sandbox (H252)
        self.observe: Callable[[datetime, SandboxRequest | None], None] = lambda _at, _request: None
        self.deliver: Callable[[], None] = lambda: None
        self._now = now
        self._credentials = credentials
        self._settings = settings or Settings()

    @property
    def lock(self) -> AbstractContextManager[bool]:
        """The lock that you must hold while you read or change the state of the service."""
        return self._guard.lock

    def handle(self, request: SandboxRequest) -> SandboxResponse:
        """Handle and record a request. If the sandbox itself fails, return a response with status 500.

        Raises:
            IdentifierError: The `ids` function has no more identifiers, or returned an invalid or used identifier.
        """
        with self.lock, localcontext(ARITHMETIC):
            self.catch_up()
            try:
                response = self._encode(request, self._reply(request))
            except Exception as error:  # noqa: BLE001  the client gets a response to every failure (H470)
                response = self.failed(request, error)
            self.requests.append(record(request, response.status))
            self._observe(self._now(), request)
            return response

    def catch_up(self) -> None:
        """Carry out the steps that have become due since the last call, and log the error of each step that fails."""
        with self.lock, localcontext(ARITHMETIC):
            catch_up(self.store, self._now(), self._settings, lambda at: self._observe(at, None), self._step_failed)
            self._observe(self._now(), None)

    def failed(self, request: SandboxRequest, error: Exception) -> SandboxResponse:
        """Log an error of the sandbox itself, and return a response with status 500 in the shape of the API."""
        _note_failure(f"the sandbox failed to handle {request.method} {request.path!r}", error)
        is_billing = request.group == "billing"
        refused = billing_refusal(500, FAILED) if is_billing else coded_refusal("server-error", FAILED)
        return self._encode(request, refused.reply)

    def _step_failed(self, at: datetime, error: Exception) -> None:
        _note_failure(
            f"the sandbox failed to carry out a step that was due at {at.isoformat()}, and skips the step", error
        )

    def _observe(self, at: datetime, request: SandboxRequest | None) -> None:
        try:
            self.observe(at, request)
        except Exception as error:  # noqa: BLE001  the client gets a response even if webhooks fail
            _note_failure("the sandbox failed to determine which webhooks to send", error)

    def lose(self, request: SandboxRequest) -> None:
        """Record a request that the service didn't receive because of a fault."""
        with self.lock:
            self.requests.append(record(request, None))

    def note(self, request: SandboxRequest, since: int, fault: str, seen: Seen) -> None:
        """Add a fault and the result that the client saw to the record of a request.

        Args:
            request: The request that the fault affected.
            since: The number of requests that were recorded before the fault.
            fault: The name of the fault.
            seen: The status that the client received, or how the connection broke.
        """
        with self.lock:
            for at in range(len(self.requests) - 1, since - 1, -1):
                if self.requests[at].is_of(request):
                    self.requests[at] = replace(self.requests[at], client_saw=seen, fault=fault)
                    return

    def _reply(self, request: SandboxRequest) -> Reply:
        try:
            found = ROUTER.find(request)
            authenticate(request, self._credentials, keyless=found is not None and found[0].keyless)
            if found is None:
                raise _unknown(request)
            route, params = found
            self._note_version(request)
            return route.handler(self._call(request, params))
        except Refused as refused:
            return refused.reply

    def _call(self, request: SandboxRequest, params: Mapping[str, str]) -> Call:
        now = self._now()
        changes = request.method == "POST" and not request.path.endswith("/cancel")
        show = Presenter(self.store, now, self._settings, changes=changes).show_response
        return Call(request, params, self.store, now, self._settings, READER, show)

    def _note_version(self, request: SandboxRequest) -> None:
        """Store the API version of the first request, which becomes the default version (specification, Versioning)."""
        if request.group == "billing" and self.api_version is None:
            self.api_version = request.headers.get("x-api-version")

    def _encode(self, request: SandboxRequest, reply: Reply) -> SandboxResponse:
        headers = dict(reply.headers)
        serial = self.store.number("response")
        if request.group == "billing":
            headers["Request-Id"] = f"req-{serial:08d}"
        if request.group == "user_mgmt":
            headers["X-B3-TraceId"] = request.headers.get("x-b3-traceid") or self.store.digest(f"trace:{serial}")[:32]
        if reply.body is None:
            return SandboxResponse(reply.status, headers)
        body = encode(reply.body)
        headers["Content-Type"] = "application/json"
        if request.group == "billing" and _wants_gzip(request):
            body = gzip.compress(body, mtime=0)
            headers["Content-Encoding"] = "gzip"
        return SandboxResponse(reply.status, headers, body)


def _note_failure(problem: str, error: Exception) -> None:
    """Log an error of the sandbox with its traceback.

    If the application's own code raised the error, raise the error again.
    """
    if isinstance(error, IdentifierError) or is_of_signal(error):
        raise error
    log(logging.ERROR, "%s", problem, error=error, to=_logger)


def _unknown(request: SandboxRequest) -> Refused:
    if request.group == "billing":
        return billing_refusal(404, UNKNOWN_ENDPOINT)
    return coded_refusal("not-found", "this endpoint does not exist")


def _wants_gzip(request: SandboxRequest) -> bool:
    """Return whether the client accepts gzip.

    The client requests gzip with `Accept-Encoding` or, as the specification says, with `Content-Encoding`.
    """
    accepted = [part.strip() for part in request.headers.get("accept-encoding", "").lower().split(",")]
    accepts_gzip = any(
        part.split(";")[0].strip() in {"gzip", "x-gzip"} and not part.endswith("q=0") for part in accepted
    )
    return accepts_gzip or request.headers.get("content-encoding", "").strip().lower() == "gzip"
