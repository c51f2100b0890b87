"""Fails tests that connect to another machine."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NoReturn, cast

import pytest

_LOCAL_NAMES: Final = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost"})
_INTERNET: Final = frozenset({socket.AF_INET, socket.AF_INET6})


def is_loopback(host: object) -> bool:
    """Return whether a host argument of a socket function is this machine."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else str(host)
    if name.lower().rstrip(".") in _LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    # Also accept the unspecified address (0.0.0.0), because connections to this address stay on this machine.
    return address.is_loopback or address.is_unspecified


@dataclass
class NetworkGuard:
    """Stops the connections of a test to other machines before a packet is sent, and records them in `attempts`.

    The guard covers `connect`, `connect_ex`, `sendto`, `sendmsg`, and the lookup of host names in Python's sockets. The
    guard doesn't cover libraries that open sockets in C.
    """

    attempts: list[str] = field(default_factory=list[str])
    _undo: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def install(self) -> None:
        """Replace the socket functions of this process."""
        self._guard_method("connect", 0)
        self._guard_method("connect_ex", 0)
        self._guard_method("sendto", -1)
        if hasattr(socket.socket, "sendmsg"):
            self._guard_method("sendmsg", 3)
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            self._guard_lookup(name)

    def remove(self) -> None:
        """Restore the socket functions."""
        while self._undo:
            self._undo.pop()()

    def check(self) -> None:
        """Fail the test if it tried to reach the network, even if the test caught the exception."""
        if self.attempts:
            pytest.fail(self._message(self.attempts[0]), pytrace=False)

    def _stop(self, target: str) -> NoReturn:
        with self._lock:
            self.attempts.append(target)
        # `pytest.fail` raises a BaseException, which `except Exception` in the tested code doesn't catch.
        pytest.fail(self._message(target))

    @staticmethod
    def _message(target: str) -> str:
        return (
            f"this test tried to reach {target}, but subscribekit's network guard allows only loopback addresses. Use "
            f"the fixture `sandbox`, pass environment=sandbox.environment, or mock the route. If the test needs the "
            f"network, mark it with @pytest.mark.allow_network."
        )

    def _guard_method(self, name: str, position: int) -> None:
        original: Callable[..., object] = getattr(socket.socket, name)

        def guarded(this: socket.socket, *given: object) -> object:
            at = position if position < 0 or position < len(given) else None
            self._check(this, given[at] if at is not None and given else None)
            return original(this, *given)

        self._replace(socket.socket, name, guarded)

    def _check(self, this: socket.socket, address: object) -> None:
        if this.family not in _INTERNET or not isinstance(address, tuple):
            return
        host, *rest = cast("tuple[object, ...]", address) or (None,)
        if not is_loopback(host):
            this.close()  # close the socket here, because callers close the socket only after an `OSError`
            self._stop(f"{host}:{rest[0]}" if rest else str(host))

    def _guard_lookup(self, name: str) -> None:
        original: Callable[..., object] = getattr(socket, name)

        def guarded(host: object, *given: object, **named: object) -> object:
            if not is_loopback(host) and not _is_own(host):
                port = next(iter(given), named.get("port"))
                self._stop(f"{host!s}:{port}" if port else str(host))
            return original(host, *given, **named)

        self._replace(socket, name, guarded)

    def _replace(self, owner: object, name: str, guarded: Callable[..., object]) -> None:
        # If a name was inherited, `remove` deletes the replacement, so that the name is inherited again.
        own = vars(owner).get(name)
        setattr(owner, name, guarded)
        self._undo.append(lambda: delattr(owner, name) if own is None else setattr(owner, name, own))


def _is_own(host: object) -> bool:
    """Return whether a host requires no lookup, because it's an IP address or the name of this machine."""
    try:
        ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return str(host) == socket.gethostname()
    return True
