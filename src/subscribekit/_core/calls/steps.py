"""The steps that a call yields to its driver, and the driver's replies."""

from collections.abc import Generator
from enum import Enum
from typing import Final, TypeAlias, TypeVar

from ..._sealed import Secret
from ...errors import SubscribekitError
from ..http.failure import TransportFailure
from ..http.received import Received
from ..http.transport import RawRequest
from .outcomes.classify import Failure
from .response import Response

T = TypeVar("T")


class Ask(Enum):
    """Steps of a call other than sending a request and waiting."""

    CREDENTIAL = "call the application's credential callable"


CREDENTIAL: Final = Ask.CREDENTIAL

Step: TypeAlias = RawRequest | Ask | float
"""The driver's next step: send a request, obtain the credential, or wait for a number of seconds."""
Reply: TypeAlias = Received | TransportFailure | Secret | SubscribekitError | None
"""The driver's reply to a step.

For `CREDENTIAL`, the reply is `None` after the deadline, or an error if the credential can't be obtained.
"""
Attempt: TypeAlias = Generator[Step, Reply, Response[T] | Failure]
