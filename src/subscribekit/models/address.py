"""The model of postal addresses."""

from typing import Literal

from ._base import Model
from ._scalars import Identifier, Integer, Masked, Number, Text, Timestamp


class Address(Model):
    """A postal address of an account, a payment method, or a transaction."""

    object: Literal["Address"] = "Address"
    """The name of the resource type, always `Address`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    name: Masked[Text | None] = None
    """The name of the addressee."""
    line1: Masked[Text | None] = None
    """The first line of the street address."""
    line2: Masked[Text | None] = None
    """The second line of the street address."""
    line3: Masked[Text | None] = None
    """The third line of the street address."""
    city: Masked[Text | None] = None
    """The name of the city."""
    county: Masked[Text | None] = None
    """The name of the county."""
    district: Masked[Text | None] = None
    """The state, province, or district."""
    postal_code: Masked[Text | None] = None
    """The postal code, in any format."""
    country: Text | None = None
    """The country, usually a code such as `US`; any string is allowed."""
    phone: Masked[Text | None] = None
    """The telephone number, in any format."""
    fax: Masked[Text | None] = None
    """The fax number, in any format."""
    latitude: Masked[Number | None] = None
    """The latitude, as an exact number."""
    longitude: Masked[Number | None] = None
    """The longitude, as an exact number."""
    tax_area_identifier: Integer | None = None
    """The number of the tax area, an integer for the tax calculation."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
