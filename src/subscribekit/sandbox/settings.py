"""The operator's settings for a merchant, as far as the sandbox simulates them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Literal, TypeAlias, get_args

Responses: TypeAlias = Literal["specification", "published"]


@dataclass(frozen=True)
class Settings:
    """The operator's settings for the sandbox's merchant.

    Attributes:
        default_page_size: Items on a page of the account-lifecycle API if a request has no `size` (specification,
            Limits, rule 1).
        max_page_size: Largest `size` that the account-lifecycle API accepts (specification, Limits, rule 1).
        grace_days: Days of service after a bill is due. Published samples show 7 and 27.
        retry_days: Days between two attempts to charge a declined bill.
        currency: Currency of a transaction if neither the request nor the account names a currency (published: the
            merchant's default).
        capture_minutes: Minutes between `Authorized` and `Captured` with `responses="published"` (published: 6).
        tax_percent: Flat sales tax in percent for each country, such as `{"US": Decimal("8.25")}`. The country is
            that of the shipping address, or else of the billing address. Other countries have no tax.
        unknown_parameters: Whether to ignore unknown query parameters instead of rejecting them with status 400. No
            source shows what the service does.
        responses: The source that responses follow where the specification and the published samples differ.
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
        """Check the value of `responses`."""
        if self.responses not in get_args(Responses):
            raise ValueError(f"responses must be one of {', '.join(get_args(Responses))}, not {self.responses!r}")

    @property
    def published(self) -> bool:
        """Whether responses follow the published samples."""
        return self.responses == "published"

    @property
    def capture_time(self) -> timedelta:
        """Time between `Authorized` and `Captured`."""
        return timedelta(minutes=self.capture_minutes)
