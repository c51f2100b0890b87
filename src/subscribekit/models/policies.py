"""Models of cancellation fees, reason codes, and the service's diagnostics."""

from typing import Literal

from ._base import ConventionalModel


class CancelFeePolicy(ConventionalModel):
    """A rule for the fee of a cancellation. The model also accepts undocumented fields."""

    object: Literal["CancelFeePolicy"] = "CancelFeePolicy"
    """The name of the resource type, always `CancelFeePolicy`."""


class ReasonCode(ConventionalModel):
    """A reason for a cancellation or a pause. The model also accepts undocumented fields."""

    object: Literal["ReasonCode"] = "ReasonCode"
    """The name of the resource type, always `ReasonCode`."""


class Diagnostics(ConventionalModel):
    """Diagnostic data of the service. The model also accepts undocumented fields."""

    object: Literal["Diagnostics"] = "Diagnostics"
    """The name of the resource type, always `Diagnostics`."""
