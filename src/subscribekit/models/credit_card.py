"""Models of payment cards."""

from typing import Literal

from ._base import Model, OpenModel
from ._scalars import AccountNumber, Identifier, Integer, Masked, Text, Timestamp
from .enumerations import HashType


class ExtendedCardAttributes(OpenModel):
    """Attributes of a payment card, as flags that are 0 or 1. You can also set undocumented fields."""

    object: Literal["ExtendedCardAttributes"] = "ExtendedCardAttributes"
    """The name of the resource type, always `ExtendedCardAttributes`. Only the public reference documents this
    field."""
    commercial_card: Integer | None = None
    """1 for a business card, otherwise 0. Only the public reference documents this field."""
    signature_debit_card: Integer | None = None
    """1 for a debit card that is used with a signature, otherwise 0. Only the public reference documents this field."""
    pinless_debit_card: Integer | None = None
    """1 for a debit card that needs no PIN, otherwise 0. Only the public reference documents this field."""
    prepaid_card: Integer | None = None
    """1 for a prepaid card, otherwise 0. Only the public reference documents this field."""
    payroll_card: Integer | None = None
    """1 for a payroll card, otherwise 0. Only the public reference documents this field."""
    healthcare_card: Integer | None = None
    """1 for a card for health expenses, otherwise 0. Only the public reference documents this field."""
    durbin_regulated: Integer | None = None
    """1 for a debit card with fees that the US Durbin Amendment limits, otherwise 0. Only the public reference
    documents this field."""
    affluent: Integer | None = None
    """1 for a card of a wealthy customer, otherwise 0. Only the public reference documents this field."""
    country_of_issuance: Text | None = None
    """The three-letter code of the issuer's country. Only the public reference documents this field."""


class CreditCard(Model):
    """A payment card. The service masks the card number in responses."""

    object: Literal["CreditCard"] = "CreditCard"
    """The name of the resource type, always `CreditCard`."""
    vid: Identifier | None = None
    """The service's ID of the card, which is the same for the same card number."""
    last_digits: Text | None = None
    """The last digits of the card number, as a string."""
    account_length: Integer | None = None
    """The number of digits of the card number."""
    hash_type: HashType | None = None
    """The method that hashes the card number, such as `sha1`."""
    expiration_date: Masked[Text | None] = None
    """The expiration year and month as digits, such as `203108`."""
    extended_card_attributes: ExtendedCardAttributes | None = None
    """Attributes of the card, such as whether it's prepaid."""
    cvn: Masked[Text | None] = None
    """The card security code, which the service never stores."""
    last_au_request_date: Timestamp | None = None
    """When the account updater last checked the card."""
    last_update_date: Timestamp | None = None
    """When the account updater last changed the card."""
    au_response_code: Text | None = None
    """The response code of the account updater."""
    au_response_message: Text | None = None
    """The text of the account updater's response."""
    account: Masked[AccountNumber | None] = None
    """The card number. The service masks the number in responses, and the SDK never sends a masked number."""
    bin: Masked[Text | None] = None
    """The first digits of the card number, which identify the issuer."""
