"""Finds the event loop in which a call of an async client runs."""

from typing import TYPE_CHECKING

from ....errors import ConfigurationError

if TYPE_CHECKING:
    import asyncio


def running_loop() -> "asyncio.AbstractEventLoop":
    """Return the running asyncio event loop.

    Raises:
        ConfigurationError: The call runs without an event loop, or in an event loop that isn't asyncio's, such as
            trio's.
    """
    import asyncio  # importing asyncio takes 11 ms, and sync clients don't need it

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigurationError(
            "async clients need a running asyncio event loop; run the call with asyncio.run(); nothing was sent"
        ) from None
