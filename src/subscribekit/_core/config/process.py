"""Which process this is: a forked child must not use the connections of its parent.

The number alone does not say: the first process of a container is 1, and so is a child in a PID namespace of its own.
"""

import os

_forks: list[None] = []
"""One for each fork between the process that loaded this module and this one."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _forks.append(None))


def this_process() -> tuple[int, int]:
    """Give a value that is another one in a forked child."""
    return os.getpid(), len(_forks)
