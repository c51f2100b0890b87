"""Warns about a sync client in a running event loop, without importing asyncio."""

import sys
import warnings
from inspect import currentframe

from ..._public import publish
from ..config.environments import GROUP_NAMES, Group


class BlockingCallWarning(RuntimeWarning):
    """Warns that a sync client was used in a running event loop, which its calls block.

    Use the async client, which has the same methods, and await them. Otherwise, run the sync call in a thread with
    `asyncio.to_thread`. The SDK warns once in a process, and never in an interactive shell or a notebook, where an
    event loop may run in the background.
    """


class _State:
    """Whether no further warning is needed."""

    is_done = False


def warn_in_event_loop(group: Group) -> None:
    """Warn once that an event loop is running in this thread."""
    if _State.is_done:
        return
    _State.is_done = True
    if hasattr(sys, "ps1") or sys.platform == "emscripten":
        return
    warnings.warn(
        f"a sync client was called in a running event loop, which is blocked until the call ends. Use "
        f"Async{GROUP_NAMES[group]}Client and await the same method, or use asyncio.to_thread. The SDK warns only once",
        BlockingCallWarning,
        stacklevel=frames_of_the_package(),
    )


def frames_of_the_package() -> int:
    """Return the `stacklevel` of the first frame outside the package, for a warning."""
    package, count, frame = __name__.partition(".")[0] + ".", 0, currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(package):
        count, frame = count + 1, frame.f_back
    return count


publish("subscribekit", BlockingCallWarning)
