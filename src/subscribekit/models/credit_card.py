"""Payment cards."""

from typing import Literal

from ._base import Model, OpenModel
from ._scalars import AccountNumber, Identifier, Integer, Masked, Text, Timestamp
from .enumerations import HashType


class ExtendedCardAttributes(OpenModel):
    """Data of a payment card beyond its number; the flags are 0 or 1, and any other field may be given."""

    object: Literal["ExtendedCardAttributes"] = "ExtendedCardAttributes"
    """Resource type. Published, not in the specification."""
    commercial_card: Integer | None = None
    """Card of a business. Published, not in the specification."""
    signature_debit_card: Integer | None = None
    """Debit card used with a signature. Published, not in the specification."""
    pinless_debit_card: Integer | None = None
    """Debit card that needs no PIN. Published, not in the specification."""
    prepaid_card: Integer | None = None
    """Prepaid card. Published, not in the specification."""
    payroll_card: Integer | None = None
    """Card that wages are paid to. Published, not in the specification."""
    healthcare_card: Integer | None = None
    """Card for health expenses. Published, not in the specification."""
    durbin_regulated: Integer | None = None
    """Card under the Durbin rule. Published, not in the specification."""
    affluent: Integer | None = None
    """Card of a wealthy holder. Published, not in the specification."""
    country_of_issuance: Text | None = None
    """Three-letter country code of the issuer. Published, not in the specification."""


class CreditCard(Model):
    """A payment card."""

    object: Literal["CreditCard"] = "CreditCard"
    """Resource type."""
    vid: Identifier | None = None
    """Identifier assigned by the service; the same for the same card number."""
    last_digits: Text | None = None
    """Last digits of the card number."""
    account_length: Integer | None = None
    """Number of digits of the card number."""
    hash_type: HashType | None = None
    """How the card number is hashed."""
    expiration_date: Masked[Text | None] = None
    """Year and month as digits, such as `203108`."""
    extended_card_attributes: ExtendedCardAttributes | None = None
    """Data of the card."""
    cvn: Masked[Text | None] = None
    """Card security code; sent, never kept."""
    last_au_request_date: Timestamp | None = None
    """Last request of the account updater."""
    last_update_date: Timestamp | None = None
    """Last update by the account updater."""
    au_response_code: Text | None = None
    """Response of the account updater."""
    au_response_message: Text | None = None
    """Text of that response."""
    account: Masked[AccountNumber | None] = None
    """Card number. The service masks it in responses; the SDK never sends a masked one."""
    bin: Masked[Text | None] = None
    """First digits of the card number, which name the issuer."""
