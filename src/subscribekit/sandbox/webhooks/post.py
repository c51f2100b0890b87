"""Posting messages to a loopback URL, in its own thread, one after the other.

A receiver may be busy with the very request that caused the event, so the sandbox waits briefly: what is not posted in
time is posted later.
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
    """An address on this machine that was checked."""

    host: str
    port: int
    target: str


def loopback_url(url: str) -> LoopbackURL:
    """Check where messages shall go.

    Raises:
        ValueError: Not plain HTTP, not this machine, or with user information or a fragment.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("the sandbox posts to a URL on this machine, and this is none") from None
    if parts.scheme in ("http", "https") and not (host == "localhost" or _is_loopback(host)):
        raise ValueError("the sandbox posts to this machine only: http://127.0.0.1, http://[::1] or http://localhost")
    if not url.isascii() or not url.isprintable() or " " in url or parts.scheme != "http":
        raise ValueError("the sandbox posts to plain http:// URLs in ASCII, without spaces")
    if "@" in parts.netloc or "#" in url or port == 0:
        raise ValueError("the URL must have no user, no fragment and a real port")
    query = f"?{parts.query}" if parts.query else ""
    return LoopbackURL(host, 80 if port is None else port, (parts.path or "/") + query)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def post(to: LoopbackURL, body: bytes, headers: dict[str, str]) -> int:
    """Post a message and return the status of the response; redirects are not followed, proxies not used.

    Raises:
        OSError: No receiver responds.
        http.client.HTTPException: The response is no HTTP.
    """
    connection = http.client.HTTPConnection(to.host, to.port, timeout=_SECONDS)
    try:
        connection.connect()
        if not _is_loopback(str(connection.sock.getpeername()[0]).partition("%")[0]):
            raise ConnectionRefusedError("the name leads to another machine")
        connection.request("POST", to.target, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


class Postman:
    """Posts in the order in which it was asked; its thread lives while there is something to post."""

    def __init__(self) -> None:
        self._jobs: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._running = False

    def add(self, job: Callable[[], None]) -> None:
        """Post something soon; the job raises nothing."""
        with self._changed:
            self._jobs.append(job)
            if not self._running:
                threading.Thread(target=self._run, name="sandbox-webhooks", daemon=True).start()
                self._running = True

    def wait(self, seconds: float | None) -> bool:
        """Wait until everything is posted; tell whether it is."""
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
