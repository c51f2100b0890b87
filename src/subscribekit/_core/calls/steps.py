"""The steps that a call asks its driver for, and their results."""

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
    """Further requests to the driver, other than sending and waiting."""

    CREDENTIAL = "the application's callable for the credential"


CREDENTIAL: Final = Ask.CREDENTIAL

Step: TypeAlias = RawRequest | Ask | float
"""The driver's next step: send a request, obtain the credential, wait so many seconds."""
Reply: TypeAlias = Received | TransportFailure | Secret | SubscribekitError | None
"""The result: for the credential `None` when the deadline passed, an error when it cannot be used."""
Attempt: TypeAlias = Generator[Step, Reply, Response[T] | Failure]
