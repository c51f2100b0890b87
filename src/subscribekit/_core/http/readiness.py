"""Waits until a socket has bytes to read or accepts bytes to write."""

import select
from collections.abc import Sequence
from typing import TypeVar

S = TypeVar("S")


def is_readable(sock: object, seconds: float = 0.0) -> bool:
    """Wait until a socket has bytes to read or has ended.

    A closed or missing socket is treated like a socket that has ended.
    """
    return bool(_ready([sock], seconds, is_written=False))


def is_writable(sock: object, seconds: float = 0.0) -> bool:
    """Wait until a socket accepts bytes or has ended."""
    return bool(_ready([sock], seconds, is_written=True))


def writable(socks: Sequence[S], seconds: float) -> list[S]:
    """Wait until at least one socket has connected or failed, and return the connected and failed sockets."""
    return _ready(socks, seconds, is_written=True)


def _ready(socks: Sequence[S], seconds: float, *, is_written: bool) -> list[S]:
    by_number = {_number_of(sock): sock for sock in socks}
    if -1 in by_number:
        return [by_number[-1]]
    left = max(seconds, 0.0)
    if hasattr(select, "poll"):  # unlike select, poll accepts descriptors above 1,023
        poll = select.poll()
        for number in by_number:
            poll.register(number, select.POLLOUT if is_written else select.POLLIN)
        return [by_number[number] for number, _ in poll.poll(left * 1000)]
    written, read = ([*by_number], []) if is_written else ([], [*by_number])
    try:
        # On Windows, `select` returns failed sockets in its third list.
        found = select.select(read, written, written, left)
    except ValueError as error:
        raise OSError(
            "this system can't wait for a file descriptor above 1,023; keep fewer files and sockets open"
        ) from error
    return [by_number[number] for number in {*found[0], *found[1], *found[2]}]


def _number_of(sock: object) -> int:
    fileno = getattr(sock, "fileno", None)
    number = fileno() if callable(fileno) else -1
    return number if isinstance(number, int) and number >= 0 else -1
