"""Rules and reasons of cancellation, and the service's diagnostics."""

from typing import Literal

from ._base import ConventionalModel


class CancelFeePolicy(ConventionalModel):
    """A rule on the fee for a cancellation; its other fields are not documented."""

    object: Literal["CancelFeePolicy"] = "CancelFeePolicy"
    """Resource type."""


class ReasonCode(ConventionalModel):
    """A reason for a cancellation or a pause; its other fields are not documented."""

    object: Literal["ReasonCode"] = "ReasonCode"
    """Resource type."""


class Diagnostics(ConventionalModel):
    """A diagnosis of the service; its other fields are not documented."""

    object: Literal["Diagnostics"] = "Diagnostics"
    """Resource type."""
