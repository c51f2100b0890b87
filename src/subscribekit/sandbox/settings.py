"""The operator's settings for the sandbox's merchant."""

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
        default_page_size: Number of items on a page of the account-lifecycle API if a request has no `size`
            (specification, Limits, rule 1).
        max_page_size: Largest `size` that the account-lifecycle API accepts (specification, Limits, rule 1).
        grace_days: Number of days that the service continues after a bill is due (in the published samples, 7 and 27).
        retry_days: Number of days between two attempts to charge a declined bill.
        currency: Currency of a transaction if neither the request nor the account has a currency (according to
            published sources, the merchant's default).
        capture_minutes: Number of minutes between the statuses `Authorized` and `Captured` of a transaction with
            `responses="published"` (in the published samples, 6).
        tax_percent: Flat sales tax in percent for each country, such as `dict(US=Decimal("8.25"))`. The shipping
            address or, without a shipping address, the billing address determines the country. Countries without a
            percentage have no tax.
        unknown_parameters: `True` to ignore unknown query parameters, instead of rejecting requests with status 400.
            The sources don't document what the service does with unknown query parameters.
        responses: The source that responses follow if the specification and the published samples differ.
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
        """`True` if responses follow the published samples, and not the specification."""
        return self.responses == "published"

    @property
    def capture_time(self) -> timedelta:
        """Time between the statuses `Authorized` and `Captured` of a transaction."""
        return timedelta(minutes=self.capture_minutes)
