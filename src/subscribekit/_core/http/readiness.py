"""Waiting until a socket has something to read, or room to write."""

import select


def is_readable(sock: object, seconds: float = 0.0) -> bool:
    """Wait until a socket has ended or has bytes to read; one that is closed, or none at all, has ended."""
    return _is_ready(sock, seconds, is_written=False)


def is_writable(sock: object, seconds: float = 0.0) -> bool:
    """Wait until a socket has ended or takes bytes."""
    return _is_ready(sock, seconds, is_written=True)


def _is_ready(sock: object, seconds: float, *, is_written: bool) -> bool:
    fileno = getattr(sock, "fileno", None)
    descriptor = fileno() if callable(fileno) else -1
    if not isinstance(descriptor, int) or descriptor < 0:
        return True
    left = max(seconds, 0.0)
    if hasattr(select, "poll"):  # takes descriptors beyond 1,024, which select does not
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT if is_written else select.POLLIN)
        return bool(poll.poll(left * 1000))
    written, read = ([descriptor], []) if is_written else ([], [descriptor])
    try:
        return any(select.select(read, written, [], left))
    except ValueError as error:
        raise OSError("this system waits for no descriptor above 1,023") from error
