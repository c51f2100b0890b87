"""Charges that a content provider submits for a platform-managed subscription (E8)."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from ._base import CamelModel
from ._context import READING
from ._scalars import ABSENT, FreeText, Masked, MoneyField, TextLimit, Timestamp

Text128 = Annotated[str, TextLimit(128)]
RequiredText128 = Annotated[str, TextLimit(128, min_length=1)]
CurrencyCode = Annotated[str, TextLimit(3)]


class EntitlementCharge(CamelModel):
    """A charge, or a refund when its amount is negative.

    `transaction_id` is required: it is the one thing by which an uncertain charge can be reconciled, so store it before
    the charge is submitted. Printed, a charge shows its identifiers and product, and no amount.
    """

    transaction_id: RequiredText128
    """Identifier of the charge, chosen by the caller."""
    product_code: Text128 | None = None
    """Product."""
    amount: Masked[MoneyField] = ABSENT
    """Amount; negative for a refund."""
    currency: CurrencyCode | None = None
    """Currency code."""
    original_transaction_id: Text128 | None = Field(default=None, validate_default=True)
    """Charge that is refunded; needed for a refund."""
    tax_included: bool | None = None
    """Whether `amount` contains the tax."""
    tax_amount: Masked[MoneyField] = ABSENT
    """Amount of tax."""
    charge_date: Timestamp | None = None
    """When the charge was made."""

    @field_validator("original_transaction_id")
    @classmethod
    def _refund_names_its_charge(cls, value: str | None, info: ValidationInfo) -> str | None:
        _check_refund(info.data.get("amount"), value, info)
        return value

    @field_validator("amount")
    @classmethod
    def _refund_has_its_charge(cls, value: Decimal | None, info: ValidationInfo) -> Decimal | None:
        # When the charge is built, the later field is not there yet and its own validator checks; here an assignment.
        if "original_transaction_id" in info.data:
            _check_refund(value, info.data["original_transaction_id"], info)
        return value


def _check_refund(amount: Decimal | None, original: str | None, info: ValidationInfo) -> None:
    if info.context is not READING and amount is not None and amount < 0 and not original:
        raise PydanticCustomError(
            "refund_without_original",
            "A negative amount is a refund and needs original_transaction_id, the charge that it refunds",
        )


class EntitlementChargeReceipt(CamelModel):
    """The platform's response to a charge."""

    transaction_reference_id: FreeText | None = None
    """Identifier that the platform generated."""
