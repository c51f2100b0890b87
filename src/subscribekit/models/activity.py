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
    """The name of the resource type, always `ActivityCancellation`. Only the public reference documents this field."""
    reason: Text | None = None
    """The reason for the cancellation, as free text. Only the public reference documents this field."""
    initiator: ActivityInitiator | None = None
    """The party that requested the cancellation, such as `Customer`. Only the public reference documents this field."""
    confirmation_code: Integer | None = None
    """The confirmation code that the customer received, an integer. Only the public reference documents this field."""


class ActivityFulfillment(Model):
    """The details of a delivery."""

    object: Literal["ActivityFulfillment"] = "ActivityFulfillment"
    """The name of the resource type, always `ActivityFulfillment`. Only the public reference documents this field."""
    shipper: Text | None = None
    """The company that ships the goods. Only the public reference documents this field."""
    tracking_string: Text | None = None
    """The tracking number of the shipment. Only the public reference documents this field."""
    shipping_address: Address | None = None
    """The delivery address. Only the public reference documents this field."""
    delivered: bool | None = None
    """Whether the goods were delivered. Only the public reference documents this field."""
    received_ts: Timestamp | None = None
    """When the goods were delivered. Only the public reference documents this field."""
    receipt_name: Masked[Text | None] = None
    """The name of the person who received the goods. Only the public reference documents this field."""


class ActivityLogin(Model):
    """The details of a login."""

    object: Literal["ActivityLogin"] = "ActivityLogin"
    """The name of the resource type, always `ActivityLogin`. Only the public reference documents this field."""
    ip: Masked[Text | None] = None
    """The customer's IP address; the service doesn't validate the format. Only the public reference documents this
    field."""


class ActivityLogout(Model):
    """The details of a logout."""

    object: Literal["ActivityLogout"] = "ActivityLogout"
    """The name of the resource type, always `ActivityLogout`. Only the public reference documents this field."""
    ip: Masked[Text | None] = None
    """The customer's IP address; the service doesn't validate the format. Only the public reference documents this
    field."""


class ActivityNamedValue(Model):
    """A named value that the merchant defines."""

    object: Literal["ActivityNamedValue"] = "ActivityNamedValue"
    """The name of the resource type, always `ActivityNamedValue`. Only the public reference documents this field."""
    type: Text | None = None
    """The type of the value, which the merchant chooses. Only the public reference documents this field."""
    name: Text | None = None
    """The name of the value, which the merchant chooses. Only the public reference documents this field."""
    value: Masked[Text | None] = None
    """The value, as a string. Only the public reference documents this field."""


class ActivityNote(Model):
    """The text of a note."""

    object: Literal["ActivityNote"] = "ActivityNote"
    """The name of the resource type, always `ActivityNote`. Only the public reference documents this field."""
    note: Text | None = None
    """The text of the note. Only the public reference documents this field."""


class ActivityPhone(Model):
    """The details of a telephone call."""

    object: Literal["ActivityPhone"] = "ActivityPhone"
    """The name of the resource type, always `ActivityPhone`. Only the public reference documents this field."""
    type: ActivityPhoneType | None = None
    """The caller and the called party, such as `FromCustomerToMerchant`. Only the public reference documents this
    field."""
    src_phone_number: Masked[Text | None] = None
    """The telephone number of the caller. Only the public reference documents this field."""
    dest_phone_number: Masked[Text | None] = None
    """The telephone number that was called. Only the public reference documents this field."""
    cid_phone_number: Masked[Text | None] = None
    """The telephone number that was displayed (caller ID). Only the public reference documents this field."""
    ani_phone_number: Masked[Text | None] = None
    """The telephone number that the network identified (ANI). Only the public reference documents this field."""
    duration_seconds: Integer | None = None
    """The length of the call in seconds. Only the public reference documents this field."""
    note: Text | None = None
    """A note about the call. Only the public reference documents this field."""


class ActivityURIView(Model):
    """The details of a page view or a file download."""

    object: Literal["ActivityURIView"] = "ActivityURIView"
    """The name of the resource type, always `ActivityURIView`. Only the public reference documents this field."""
    ip: Masked[Text | None] = None
    """The customer's IP address. Only the public reference documents this field."""
    uri: Text | None = None
    """The URI of the page or file. Only the public reference documents this field."""
    size: Integer | None = None
    """The size of the page or file, in bytes. Only the public reference documents this field."""
    bytes_transferred: Integer | None = None
    """The number of bytes that were transferred. Only the public reference documents this field."""
    transfer_time: Integer | None = None
    """The duration of the transfer; no source documents the unit. Only the public reference documents this field."""
    description: Text | None = None
    """The description of the page or file. Only the public reference documents this field."""


class ActivityUsage(Model):
    """Statistics of a customer's use of the service."""

    object: Literal["ActivityUsage"] = "ActivityUsage"
    """The name of the resource type, always `ActivityUsage`. Only the public reference documents this field."""
    description: Text | None = None
    """The description of the usage. Only the public reference documents this field."""
    total: Integer | None = None
    """The number of uses so far. Only the public reference documents this field."""
    last_day: Integer | None = None
    """The number of uses in the last day. Only the public reference documents this field."""
    last_week: Integer | None = None
    """The number of uses in the last week. Only the public reference documents this field."""
    last_month: Integer | None = None
    """The number of uses in the last month. Only the public reference documents this field."""
    last_year: Integer | None = None
    """The number of uses in the last year. Only the public reference documents this field."""
    last_usage_date: Timestamp | None = None
    """When the customer last used the service. Only the public reference documents this field."""


class Activity(Model):
    """An activity of a customer.

    The value of `type` determines which field contains the details; for example, `Login` uses `login_args`.
    """

    object: Literal["Activity"] = "Activity"
    """The name of the resource type, always `Activity`. Only the public reference documents this field."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource. Only the public reference documents this field."""
    account: Ref[Account] | None = None
    """Reference to the customer's account, by its `id` or `vid`. Only the public reference documents this field."""
    timestamp: Timestamp | None = None
    """When the activity happened. Only the public reference documents this field."""
    type: ActivityType | None = None
    """The type of the activity, such as `Login`. Only the public reference documents this field."""
    cancellation_args: ActivityCancellation | None = None
    """The details of the cancellation, if `type` is `Cancellation`. Only the public reference documents this field."""
    fulfillment_args: ActivityFulfillment | None = None
    """The details of the delivery, if `type` is `Fulfillment`. Only the public reference documents this field."""
    login_args: ActivityLogin | None = None
    """The details of the login, if `type` is `Login`. Only the public reference documents this field."""
    logout_args: ActivityLogout | None = None
    """The details of the logout, if `type` is `Logout`. Only the public reference documents this field."""
    namedvalue_args: ActivityNamedValue | None = None
    """The named value, if `type` is `NamedValue`. Only the public reference documents this field."""
    note_args: ActivityNote | None = None
    """The text of the note, if `type` is `Note`. Only the public reference documents this field."""
    phone_args: ActivityPhone | None = None
    """The details of the telephone call, if `type` is `Phone`. Only the public reference documents this field."""
    uriview_args: ActivityURIView | None = None
    """The details of the page view or file download, if `type` is `URIView`. Only the public reference documents this
    field."""
    usage_args: ActivityUsage | None = None
    """The statistics of the customer's use, if `type` is `Usage`. Only the public reference documents this field."""
    created: Timestamp | None = None
    """When the resource was created; no source shows this field here, but many other resources have it."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
