"""The result of `client.resolve`."""

from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, TypeAlias

from ..._public import publish
from ...errors import OutcomeUnknownError
from ...models._base import Model

VerdictState: TypeAlias = Literal["applied", "in_effect", "not_applied", "undecided"]


class Recorded(Protocol):
    """A stand-in for a call that is not an exception, such as an item of a bulk run."""

    @property
    def __subscribekit__(self) -> OutcomeUnknownError | None:
        """The error of the call, where its outcome is unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a write whose outcome was unknown, as far as reads can tell.

    Attributes:
        state: `applied`: this request was carried out. `in_effect`: the service shows the state that it asked for, and
            not by which request; nothing is left to do. `not_applied`: it was not carried out. `undecided`: the reads
            do not show it; `support_details` is for the operator.
        result: The resource that shows it, or `None`.
        evidence: One sentence: what was read and what it says. It holds no values but identifiers, states and times.
        safe_to_retry: Whether calling again now does no harm.
        support_details: The text for the operator: request id, trace id, time, operation, identifiers.
    """

    state: VerdictState
    result: Model | None
    evidence: str
    safe_to_retry: bool
    support_details: str

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict is neither true nor false: write .state == 'applied', or .safe_to_retry")


publish("subscribekit", Verdict)
