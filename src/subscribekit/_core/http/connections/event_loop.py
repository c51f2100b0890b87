"""The event loop in which an async client's call runs."""

from typing import TYPE_CHECKING

from ....errors import ConfigurationError

if TYPE_CHECKING:
    import asyncio


def running_loop() -> "asyncio.AbstractEventLoop":
    """Return the running event loop of asyncio.

    Raises:
        ConfigurationError: There is none: the call runs under trio or curio, or in no event loop.
    """
    import asyncio  # takes 11 ms, and a blocking client never calls this function

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigurationError(
            "the async clients need asyncio's event loop, and none runs here; nothing was sent"
        ) from None
