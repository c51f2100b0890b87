"""Identifies the process, because a forked child must not use the connections of its parent.

The process ID alone doesn't identify a process, because a container's first process and a child in its own PID
namespace both have ID 1.
"""

import os

_forks: list[None] = []
"""A list with one element for each fork between the process that imported this module and this process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _forks.append(None))


def this_process() -> tuple[int, int]:
    """Return a value that differs between a process and its forked children."""
    return os.getpid(), len(_forks)
