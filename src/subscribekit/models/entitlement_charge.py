"""Models of charges that a content provider sends to the gateway for a partner subscription (E8)."""

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
    """An entitlement charge, or a refund if the amount is negative.

    `transaction_id` is required. Store the `transaction_id` before you send the charge. If the outcome is unknown, the
    operator can find the charge only by its `transaction_id`. `repr` contains the identifiers and the product, but no
    amounts.
    """

    transaction_id: RequiredText128
    """The merchant's ID of the charge, 1 to 128 characters."""
    product_code: Text128 | None = None
    """The code of the product, at most 128 characters."""
    amount: Masked[MoneyField] = ABSENT
    """The amount in `currency`; negative for a refund."""
    currency: CurrencyCode | None = None
    """The ISO 4217 code of the currency, such as `USD`."""
    original_transaction_id: Text128 | None = Field(default=None, validate_default=True)
    """The `transaction_id` of the charge to refund; required for a refund."""
    tax_included: bool | None = None
    """Whether `amount` includes the tax."""
    tax_amount: Masked[MoneyField] = ABSENT
    """The amount of tax in `currency`."""
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
        # This validator checks only assignments to `amount`. When you create a model, the validator of
        # `original_transaction_id` checks `amount` and `original_transaction_id` together.
        if "original_transaction_id" in info.data:
            _check_refund(value, info.data["original_transaction_id"], info)
        return value


def _check_refund(amount: Decimal | None, original: str | None, info: ValidationInfo) -> None:
    if info.context is not READING and amount is not None and amount < 0 and not original:
        raise PydanticCustomError(
            "refund_without_original",
            "A negative amount is a refund; set original_transaction_id to the transaction ID of the original charge",
        )


class EntitlementChargeReceipt(CamelModel):
    """The platform's response to an entitlement charge."""

    transaction_reference_id: FreeText | None = None
    """The ID that the platform generated for the charge."""
