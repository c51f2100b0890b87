"""Models of customers' activities."""

from typing import Literal

from ._base import Model
from ._ref import Ref
from ._scalars import Identifier, Integer, Masked, Text, Timestamp
from .address import Address
from .billing import Account
from .enumerations import ActivityInitiator, ActivityPhoneType, ActivityType


class ActivityCancellation(Model):
    """The details of a cancellation."""

    object: Literal["ActivityCancellation"] = "ActivityCancellation"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    reason: Text | None = None
    """The reason for the cancellation. Published, not in the specification."""
    initiator: ActivityInitiator | None = None
    """The person who asked for the cancellation. Published, not in the specification."""
    confirmation_code: Integer | None = None
    """The confirmation code that the customer received. Published, not in the specification."""


class ActivityFulfillment(Model):
    """The details of a delivery."""

    object: Literal["ActivityFulfillment"] = "ActivityFulfillment"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    shipper: Text | None = None
    """The company that ships the goods. Published, not in the specification."""
    tracking_string: Text | None = None
    """The tracking number of the shipment. Published, not in the specification."""
    shipping_address: Address | None = None
    """The delivery address. Published, not in the specification."""
    delivered: bool | None = None
    """Whether the delivery arrived. Published, not in the specification."""
    received_ts: Timestamp | None = None
    """When the delivery arrived. Published, not in the specification."""
    receipt_name: Masked[Text | None] = None
    """The name of the person who received the delivery. Published, not in the specification."""


class ActivityLogin(Model):
    """The details of a login."""

    object: Literal["ActivityLogin"] = "ActivityLogin"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    ip: Masked[Text | None] = None
    """The customer's IP address. Published, not in the specification."""


class ActivityLogout(Model):
    """The details of a logout."""

    object: Literal["ActivityLogout"] = "ActivityLogout"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    ip: Masked[Text | None] = None
    """The customer's IP address. Published, not in the specification."""


class ActivityNamedValue(Model):
    """A named value that the merchant defines."""

    object: Literal["ActivityNamedValue"] = "ActivityNamedValue"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    type: Text | None = None
    """The type of the value. Published, not in the specification."""
    name: Text | None = None
    """The name of the value. Published, not in the specification."""
    value: Masked[Text | None] = None
    """The value, as text. Published, not in the specification."""


class ActivityNote(Model):
    """The text of a note."""

    object: Literal["ActivityNote"] = "ActivityNote"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    note: Text | None = None
    """The text of the note. Published, not in the specification."""


class ActivityPhone(Model):
    """The details of a telephone call."""

    object: Literal["ActivityPhone"] = "ActivityPhone"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    type: ActivityPhoneType | None = None
    """Who called whom. Published, not in the specification."""
    src_phone_number: Masked[Text | None] = None
    """The telephone number of the caller. Published, not in the specification."""
    dest_phone_number: Masked[Text | None] = None
    """The telephone number that was called. Published, not in the specification."""
    cid_phone_number: Masked[Text | None] = None
    """The telephone number that was displayed (caller ID). Published, not in the specification."""
    ani_phone_number: Masked[Text | None] = None
    """The telephone number that the network identified (ANI). Published, not in the specification."""
    duration_seconds: Integer | None = None
    """The length of the call in seconds. Published, not in the specification."""
    note: Text | None = None
    """A note about the call. Published, not in the specification."""


class ActivityURIView(Model):
    """The details of a page view or a file download."""

    object: Literal["ActivityURIView"] = "ActivityURIView"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    ip: Masked[Text | None] = None
    """The customer's IP address. Published, not in the specification."""
    uri: Text | None = None
    """The URI of the page or file. Published, not in the specification."""
    size: Integer | None = None
    """The size in bytes. Published, not in the specification."""
    bytes_transferred: Integer | None = None
    """The number of bytes sent. Published, not in the specification."""
    transfer_time: Integer | None = None
    """The duration of the transfer. Published, not in the specification."""
    description: Text | None = None
    """The description of the page or file. Published, not in the specification."""


class ActivityUsage(Model):
    """How often a customer used the service."""

    object: Literal["ActivityUsage"] = "ActivityUsage"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    description: Text | None = None
    """The description of the usage. Published, not in the specification."""
    total: Integer | None = None
    """The number of uses so far. Published, not in the specification."""
    last_day: Integer | None = None
    """The number of uses in the last day. Published, not in the specification."""
    last_week: Integer | None = None
    """The number of uses in the last week. Published, not in the specification."""
    last_month: Integer | None = None
    """The number of uses in the last month. Published, not in the specification."""
    last_year: Integer | None = None
    """The number of uses in the last year. Published, not in the specification."""
    last_usage_date: Timestamp | None = None
    """When the customer last used the service. Published, not in the specification."""


class Activity(Model):
    """An activity of a customer. The field that is named after `type` contains the details."""

    object: Literal["Activity"] = "Activity"
    """The type of the resource, as the service spells it. Published, not in the specification."""
    vid: Identifier | None = None
    """The service's ID of the resource. Published, not in the specification."""
    account: Ref[Account] | None = None
    """The account (reference). Published, not in the specification."""
    timestamp: Timestamp | None = None
    """When the activity happened. Published, not in the specification."""
    type: ActivityType | None = None
    """The type of the activity. Published, not in the specification."""
    cancellation_args: ActivityCancellation | None = None
    """The details of a cancellation. Published, not in the specification."""
    fulfillment_args: ActivityFulfillment | None = None
    """The details of a delivery. Published, not in the specification."""
    login_args: ActivityLogin | None = None
    """The details of a login. Published, not in the specification."""
    logout_args: ActivityLogout | None = None
    """The details of a logout. Published, not in the specification."""
    namedvalue_args: ActivityNamedValue | None = None
    """The details of a named value. Published, not in the specification."""
    note_args: ActivityNote | None = None
    """The details of a note. Published, not in the specification."""
    phone_args: ActivityPhone | None = None
    """The details of a telephone call. Published, not in the specification."""
    uriview_args: ActivityURIView | None = None
    """The details of a page view or a file download. Published, not in the specification."""
    usage_args: ActivityUsage | None = None
    """The details of usage. Published, not in the specification."""
    created: Timestamp | None = None
    """When the resource was created, by the conventions of the billing API."""
    url: Text | None = None
    """The URL of the resource, by the conventions of the billing API."""
