"""Resolves an unknown outcome in an event loop, with the steps that `resolve.py` yields."""

from ...errors import SubscribekitError
from ..calls.driver_async import AsyncDriver
from ..calls.driving import drive_async
from .case import Read, Reply
from .resolve import Steps, checked, unread
from .verdict import Verdict


async def run_async(driver: AsyncDriver, steps: Steps) -> Verdict:
    """Send the reads that resolve a call, and wait between them, with the driver of an async client."""

    async def perform(step: Read | float) -> Reply:
        if not isinstance(step, Read):
            await driver.settings.clock.sleep_async(step)
            return None
        try:
            return await driver.exchange(checked(step), step.name)
        except SubscribekitError as error:
            return unread(error)

    return await drive_async(steps, perform)
