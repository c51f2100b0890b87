"""The result of `client.resolve`."""

from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, TypeAlias

from ..._public import publish
from ...errors import OutcomeUnknownError
from ...models._base import Model

VerdictState: TypeAlias = Literal["applied", "in_effect", "not_applied", "undecided"]


class Recorded(Protocol):
    """An object that isn't an exception, but contains the error of a call, such as an item of a bulk run."""

    @property
    def __subscribekit__(self) -> OutcomeUnknownError | None:
        """The error of the call, or `None` if the outcome of the call is known."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of resolving a write whose outcome was unknown.

    Attributes:
        state: Whether the service carried out the request, as one of these values:

            - `applied`: The service carried out this request.
            - `in_effect`: The resource has the requested values, but another request may have set them. You're done.
            - `not_applied`: The service didn't carry out the request.
            - `undecided`: The reads don't show whether the service carried out the request. Send `support_details` to
              the operator.
        result: The resource that the reads found, or `None`.
        evidence: The findings of the reads, in one sentence, which contains only identifiers, states, and times.
        safe_to_retry: Whether it's safe to send the request again now.
        support_details: Text for the operator: the operation, the time, the request ID, the trace ID, and the
            identifiers.
    """

    state: VerdictState
    result: Model | None
    evidence: str
    safe_to_retry: bool
    support_details: str

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict has no truth value; check .state == 'applied' or .safe_to_retry")


publish("subscribekit", Verdict)
