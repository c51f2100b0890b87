"""Settings that an operator makes for a merchant, as far as the sandbox knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Literal, TypeAlias, get_args

Responses: TypeAlias = Literal["specification", "published"]


@dataclass(frozen=True)
class Settings:
    """Settings of an operator: page sizes of group C (specification, Limits, rule 1), grace period, retries.

    The grace period in days is the merchant's own setting; published samples show 7 and 27.

    Attributes:
        currency: Currency of a transaction whose order and account name none (published: the merchant's default).
        capture_minutes: Minutes between "Authorized" and "Captured" with `responses="published"` (published: 6).
        tax_percent: Flat sales tax in percent by the country of the shipping or else billing address, as
            `{"US": Decimal("8.25")}`; none is computed for other countries.
        unknown_parameters: Accept and ignore query parameters that an operation does not have, instead of refusing them
            with 400; what the service does is not published.
        responses: The form of a response where specification and published samples differ.
    """

    default_page_size: int = 20
    max_page_size: int = 100
    grace_days: int = 7
    retry_days: int = 3
    currency: str = "USD"
    capture_minutes: int = 6
    tax_percent: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    unknown_parameters: bool = False
    responses: Responses = "specification"

    def __post_init__(self) -> None:
        """Refuse another form of responses."""
        if self.responses not in get_args(Responses):
            raise ValueError(f"responses must be one of {', '.join(get_args(Responses))}, not {self.responses!r}")

    @property
    def published(self) -> bool:
        """Whether responses have the form of published samples."""
        return self.responses == "published"

    @property
    def capture_time(self) -> timedelta:
        """Time between "Authorized" and "Captured"."""
        return timedelta(minutes=self.capture_minutes)
