"""The warning about a blocking client in a running event loop. No asyncio is imported for it."""

import sys
import warnings
from inspect import currentframe

from ..._public import publish
from ..config.environments import GROUP_NAMES, Group


class BlockingCallWarning(RuntimeWarning):
    """A blocking client was used in a running event loop, which stands still until the call ends.

    It is given once in a process, and never in an interactive session (a shell, a notebook), where a loop runs beside
    whatever is typed. The async clients have the same methods, awaited; `asyncio.to_thread` runs a blocking call beside
    the loop.
    """


class _Given:
    """Whether the warning was given, or never will be."""

    is_done = False


def warn_in_event_loop(group: Group) -> None:
    """Warn that an event loop runs in this thread, once."""
    if _Given.is_done:
        return
    _Given.is_done = True
    if hasattr(sys, "ps1") or sys.platform == "emscripten":
        return
    warnings.warn(
        f"a blocking client was called in a running event loop, which stands still until the call ends: use "
        f"Async{GROUP_NAMES[group]}Client and await the same method, or asyncio.to_thread. This is said once.",
        BlockingCallWarning,
        stacklevel=frames_of_the_package(),
    )


def frames_of_the_package() -> int:
    """Give the `stacklevel` of the first frame outside of the package, for a warning."""
    package, count, frame = __name__.partition(".")[0] + ".", 0, currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(package):
        count, frame = count + 1, frame.f_back
    return count


publish("subscribekit", BlockingCallWarning)
