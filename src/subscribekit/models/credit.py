"""Credit granted to an account or a subscription, in currency or tokens."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, Field

from ._base import Model
from ._lists import Many
from ._references import Account, Subscription
from ._scalars import UNSET, Identifier, Integer, Masked, MetadataField, MoneyField, Text, Timestamp


class Token(Model):
    """A kind of token, such as purchase points."""

    object: Literal["Token"] = "Token"
    """Resource type."""
    id: Identifier | None = None
    """Name of the kind of token, chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    description: Text | None = None
    """The meaning of the token."""


class TokenAmount(Model):
    """A number of tokens of one kind."""

    object: Literal["TokenAmount"] = "TokenAmount"
    """Resource type."""
    token: Token | None = None
    """Kind of token."""
    amount: MoneyField = UNSET
    """Number of tokens."""
    source: Text | None = None
    """Where the tokens come from."""
    vid: Identifier | None = None
    """Identifier assigned by the service. Published, not in the specification."""


class CurrencyAmount(Model):
    """An amount of credit in one currency."""

    object: Literal["CurrencyAmount"] = "CurrencyAmount"
    """Resource type."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    currency: Text | None = None
    """Currency code."""
    amount: MoneyField = UNSET
    """Amount of credit."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""
    sort_value: Integer | None = None
    """Order in which grants are used."""
    description: Text | None = None
    """Description given with the grant."""
    reason: Text | None = None
    """Reason given with the grant."""
    granted_by_service: bool | None = Field(
        default=None, validation_alias=AliasChoices("granted_by_service", "granted_by_cashbox")
    )
    """Whether the service made the grant by itself; also read from the published name `granted_by_cashbox`."""
    granted: Timestamp | None = None
    """When the credit was first granted."""
    account: Account | None = None
    """Account that holds the credit (reference)."""
    subscription: Subscription | None = None
    """Subscription that holds the credit (reference)."""
    source: Text | None = None
    """Where the credit comes from. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""


class Credit(Model):
    """A service credit granted to an account or a subscription."""

    object: Literal["Credit"] = "Credit"
    """Resource type."""
    token_amounts: Many[TokenAmount] = UNSET
    """Credit in tokens."""
    currency_amounts: Many[CurrencyAmount] = UNSET
    """Credit in currencies."""
