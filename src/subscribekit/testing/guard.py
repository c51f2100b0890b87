"""A guard that fails a test which opens a socket to anything but this machine."""

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
    """Tell whether a host, as sockets take it, is this machine."""
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
    # The unspecified address is this machine too: servers bind to it, and a connection to it stays here.
    return address.is_loopback or address.is_unspecified


@dataclass
class NetworkGuard:
    """The hosts that one test tried to reach; every attempt is stopped before a packet leaves.

    Sockets of Python are guarded: `connect`, `connect_ex`, `sendto`, `sendmsg` and the look-up of names. Libraries that
    open sockets in C are not seen.
    """

    attempts: list[str] = field(default_factory=list[str])
    _undo: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def install(self) -> None:
        """Guard the sockets of this process."""
        self._guard_method("connect", 0)
        self._guard_method("connect_ex", 0)
        self._guard_method("sendto", -1)
        if hasattr(socket.socket, "sendmsg"):
            self._guard_method("sendmsg", 3)
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            self._guard_look_up(name)

    def remove(self) -> None:
        """Take the guard off."""
        while self._undo:
            self._undo.pop()()

    def check(self) -> None:
        """Fail the test if it tried to reach the network and went on."""
        if self.attempts:
            pytest.fail(self._told(self.attempts[0]), pytrace=False)

    def _stop(self, target: str) -> NoReturn:
        with self._lock:
            self.attempts.append(target)
        # Not an `Exception`, so that code under test which handles all errors does not swallow it.
        pytest.fail(self._told(target))

    @staticmethod
    def _told(target: str) -> str:
        return (
            f"this test tried to reach {target}, and subscribekit's guard allows loopback only. Use the fixture "
            f"`sandbox` (or environment=sandbox.environment), mock the route, or mark the test with "
            f"@pytest.mark.allow_network if it is meant to leave this machine."
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
            this.close()  # callers close it after an `OSError` only, and this is none
            self._stop(f"{host}:{rest[0]}" if rest else str(host))

    def _guard_look_up(self, name: str) -> None:
        original: Callable[..., object] = getattr(socket, name)

        def guarded(host: object, *given: object, **named: object) -> object:
            if not is_loopback(host) and not _is_own(host):
                port = next(iter(given), named.get("port"))
                self._stop(f"{host!s}:{port}" if port else str(host))
            return original(host, *given, **named)

        self._replace(socket, name, guarded)

    def _replace(self, owner: object, name: str, guarded: Callable[..., object]) -> None:
        # An inherited name must be inherited again afterwards, so the name is deleted and not set back.
        own = vars(owner).get(name)
        setattr(owner, name, guarded)
        self._undo.append(lambda: delattr(owner, name) if own is None else setattr(owner, name, own))


def _is_own(host: object) -> bool:
    """Tell whether a host is an address, which needs no look-up, or this machine's own name."""
    try:
        ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return str(host) == socket.gethostname()
    return True
