"""Models of cancellation fees, reason codes, and the service's diagnostics."""

from typing import Literal

from ._base import ConventionalModel


class CancelFeePolicy(ConventionalModel):
    """A rule for the fee of a cancellation. Its other fields aren't documented."""

    object: Literal["CancelFeePolicy"] = "CancelFeePolicy"
    """The type of the resource, as the service spells it."""


class ReasonCode(ConventionalModel):
    """A reason for a cancellation or a pause. Its other fields aren't documented."""

    object: Literal["ReasonCode"] = "ReasonCode"
    """The type of the resource, as the service spells it."""


class Diagnostics(ConventionalModel):
    """Diagnostic data of the service. Its other fields aren't documented."""

    object: Literal["Diagnostics"] = "Diagnostics"
    """The type of the resource, as the service spells it."""
