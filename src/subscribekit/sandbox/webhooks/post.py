"""Posts webhooks to loopback URLs, one after another, in a separate thread.

The sandbox waits only briefly for the receiver, because the receiver can be busy with the request that caused the
event. If the receiver takes longer, the thread posts the remaining webhooks later.
"""

from __future__ import annotations

import http.client
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

_SECONDS = 10.0


@dataclass(frozen=True)
class LoopbackURL:
    """A valid URL of a webhook receiver on this machine."""

    host: str
    port: int
    target: str


def loopback_url(url: str) -> LoopbackURL:
    """Check and parse the URL of a receiver of webhooks.

    Raises:
        ValueError: The URL is invalid, doesn't use plain HTTP, isn't on this machine, or contains user information or a
            fragment.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("the webhook URL is invalid; write a URL such as http://127.0.0.1:8000/hooks") from None
    if parts.scheme in ("http", "https") and not (host == "localhost" or _is_loopback(host)):
        raise ValueError(
            "the webhook URL must be on this machine; use http://127.0.0.1, http://[::1], or http://localhost"
        )
    if not url.isascii() or not url.isprintable() or " " in url or parts.scheme != "http":
        raise ValueError("the webhook URL must start with http:// and contain only ASCII characters without spaces")
    if "@" in parts.netloc or "#" in url or port == 0:
        raise ValueError("the webhook URL must not contain a user name, a fragment (#), or port 0")
    query = f"?{parts.query}" if parts.query else ""
    return LoopbackURL(host, 80 if port is None else port, (parts.path or "/") + query)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def post(to: LoopbackURL, body: bytes, headers: dict[str, str]) -> int:
    """Post a webhook without a proxy, and return the status of the response.

    Don't follow redirects.

    Raises:
        OSError: The receiver can't be reached, is on another machine, or doesn't respond in time.
        http.client.HTTPException: The response isn't valid HTTP.
    """
    connection = http.client.HTTPConnection(to.host, to.port, timeout=_SECONDS)
    try:
        connection.connect()
        if not _is_loopback(str(connection.sock.getpeername()[0]).partition("%")[0]):
            raise ConnectionRefusedError(
                "the host name of the webhook URL resolves to another machine; nothing was sent"
            )
        connection.request("POST", to.target, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


class Postman:
    """Runs jobs in order in one thread. The thread ends when all jobs are done."""

    def __init__(self) -> None:
        self._jobs: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._running = False

    def add(self, job: Callable[[], None]) -> None:
        """Add a job to the queue. The job must not raise exceptions."""
        with self._changed:
            self._jobs.append(job)
            if not self._running:
                threading.Thread(target=self._run, name="sandbox-webhooks", daemon=True).start()
                self._running = True

    def wait(self, seconds: float | None) -> bool:
        """Wait until all jobs are done. Return `False` if the jobs aren't done within `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._jobs:
                    self._running = False
                    self._changed.notify_all()
                    return
                job = self._jobs.popleft()
            job()
