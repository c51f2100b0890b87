"""Warns about a sync client in a running event loop, without importing asyncio."""

import sys
import warnings
from inspect import currentframe

from ..._public import publish
from ..config.environments import GROUP_NAMES, Group


class BlockingCallWarning(RuntimeWarning):
    """Warning that a sync client was called in a running event loop, which the call blocks.

    Use the async client, and await its methods. If you need the sync client, run its calls in a thread with
    `asyncio.to_thread`. The SDK warns once per process, and never in an interactive shell or a notebook, where an
    event loop may run in the background.
    """


class _State:
    """Records whether the SDK has already warned in this process."""

    is_done = False


def warn_in_event_loop(group: Group) -> None:
    """Warn, once per process, that a sync client was called in a thread with a running event loop."""
    if _State.is_done:
        return
    _State.is_done = True
    if hasattr(sys, "ps1") or sys.platform == "emscripten":
        return
    warnings.warn(
        f"a sync client was called in a running event loop, which is blocked until the call ends. Use "
        f"asyncio.to_thread, or await the same method of Async{GROUP_NAMES[group]}Client. The SDK warns only once",
        BlockingCallWarning,
        stacklevel=frames_of_the_package(),
    )


def frames_of_the_package() -> int:
    """Return the `stacklevel` with which a warning shows the first frame outside the package."""
    package, count, frame = __name__.partition(".")[0] + ".", 0, currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(package):
        count, frame = count + 1, frame.f_back
    return count


publish("subscribekit", BlockingCallWarning)
