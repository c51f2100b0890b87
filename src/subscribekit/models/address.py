"""Postal addresses."""

from typing import Literal

from ._base import Model
from ._scalars import Identifier, Integer, Masked, Number, Text, Timestamp


class Address(Model):
    """A postal address of an account, a payment method or a transaction."""

    object: Literal["Address"] = "Address"
    """Resource type."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    name: Masked[Text | None] = None
    """Name of the addressee."""
    line1: Masked[Text | None] = None
    """First line."""
    line2: Masked[Text | None] = None
    """Second line."""
    line3: Masked[Text | None] = None
    """Third line."""
    city: Masked[Text | None] = None
    """City."""
    county: Masked[Text | None] = None
    """County."""
    district: Masked[Text | None] = None
    """State, province or district."""
    postal_code: Masked[Text | None] = None
    """Postal code."""
    country: Text | None = None
    """Country; free text in practice, mostly a country code."""
    phone: Masked[Text | None] = None
    """Telephone number."""
    fax: Masked[Text | None] = None
    """Fax number."""
    latitude: Masked[Number | None] = None
    """Latitude."""
    longitude: Masked[Number | None] = None
    """Longitude."""
    tax_area_identifier: Integer | None = None
    """Number of the tax area."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
