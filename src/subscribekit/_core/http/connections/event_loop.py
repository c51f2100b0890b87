"""The event loop in which an async client's call runs."""

import asyncio

from ....errors import ConfigurationError


def running_loop() -> asyncio.AbstractEventLoop:
    """Give the running event loop of asyncio.

    Raises:
        ConfigurationError: There is none: the call runs under trio or curio, or in no event loop.
    """
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigurationError(
            "the async clients need asyncio's event loop, and none runs here; nothing was sent"
        ) from None
