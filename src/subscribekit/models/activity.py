"""Activities of customers, recorded for disputes."""

from typing import Literal

from ._base import Model
from ._ref import Ref
from ._scalars import Identifier, Integer, Masked, Text, Timestamp
from .address import Address
from .billing import Account
from .enumerations import ActivityInitiator, ActivityPhoneType, ActivityType


class ActivityCancellation(Model):
    """A cancellation."""

    object: Literal["ActivityCancellation"] = "ActivityCancellation"
    """Resource type. Published, not in the specification."""
    reason: Text | None = None
    """Reason. Published, not in the specification."""
    initiator: ActivityInitiator | None = None
    """The person that asked for it. Published, not in the specification."""
    confirmation_code: Integer | None = None
    """Code given to the customer. Published, not in the specification."""


class ActivityFulfillment(Model):
    """A delivery."""

    object: Literal["ActivityFulfillment"] = "ActivityFulfillment"
    """Resource type. Published, not in the specification."""
    shipper: Text | None = None
    """Carrier of the goods. Published, not in the specification."""
    tracking_string: Text | None = None
    """Tracking number. Published, not in the specification."""
    shipping_address: Address | None = None
    """Address of delivery. Published, not in the specification."""
    delivered: bool | None = None
    """Whether it arrived. Published, not in the specification."""
    received_ts: Timestamp | None = None
    """When it arrived. Published, not in the specification."""
    receipt_name: Masked[Text | None] = None
    """The receiver. Published, not in the specification."""


class ActivityLogin(Model):
    """A login."""

    object: Literal["ActivityLogin"] = "ActivityLogin"
    """Resource type. Published, not in the specification."""
    ip: Masked[Text | None] = None
    """Customer's address. Published, not in the specification."""


class ActivityLogout(Model):
    """A logout."""

    object: Literal["ActivityLogout"] = "ActivityLogout"
    """Resource type. Published, not in the specification."""
    ip: Masked[Text | None] = None
    """Customer's address. Published, not in the specification."""


class ActivityNamedValue(Model):
    """A value of the merchant's own."""

    object: Literal["ActivityNamedValue"] = "ActivityNamedValue"
    """Resource type. Published, not in the specification."""
    type: Text | None = None
    """Kind of value. Published, not in the specification."""
    name: Text | None = None
    """Name of the value. Published, not in the specification."""
    value: Masked[Text | None] = None
    """Value. Published, not in the specification."""


class ActivityNote(Model):
    """A remark."""

    object: Literal["ActivityNote"] = "ActivityNote"
    """Resource type. Published, not in the specification."""
    note: Text | None = None
    """Remark. Published, not in the specification."""


class ActivityPhone(Model):
    """A telephone call."""

    object: Literal["ActivityPhone"] = "ActivityPhone"
    """Resource type. Published, not in the specification."""
    type: ActivityPhoneType | None = None
    """The caller and the called party. Published, not in the specification."""
    src_phone_number: Masked[Text | None] = None
    """Number of the caller. Published, not in the specification."""
    dest_phone_number: Masked[Text | None] = None
    """Number called. Published, not in the specification."""
    cid_phone_number: Masked[Text | None] = None
    """Number shown. Published, not in the specification."""
    ani_phone_number: Masked[Text | None] = None
    """Number identified by the network. Published, not in the specification."""
    duration_seconds: Integer | None = None
    """Length of the call. Published, not in the specification."""
    note: Text | None = None
    """Remark. Published, not in the specification."""


class ActivityURIView(Model):
    """A page that was viewed or a file that was loaded."""

    object: Literal["ActivityURIView"] = "ActivityURIView"
    """Resource type. Published, not in the specification."""
    ip: Masked[Text | None] = None
    """Customer's address. Published, not in the specification."""
    uri: Text | None = None
    """Address of the page. Published, not in the specification."""
    size: Integer | None = None
    """Size in bytes. Published, not in the specification."""
    bytes_transferred: Integer | None = None
    """Bytes sent. Published, not in the specification."""
    transfer_time: Integer | None = None
    """Time of sending. Published, not in the specification."""
    description: Text | None = None
    """Description. Published, not in the specification."""


class ActivityUsage(Model):
    """Use of the service."""

    object: Literal["ActivityUsage"] = "ActivityUsage"
    """Resource type. Published, not in the specification."""
    description: Text | None = None
    """Description. Published, not in the specification."""
    total: Integer | None = None
    """Uses so far. Published, not in the specification."""
    last_day: Integer | None = None
    """Uses of the last day. Published, not in the specification."""
    last_week: Integer | None = None
    """Uses of the last week. Published, not in the specification."""
    last_month: Integer | None = None
    """Uses of the last month. Published, not in the specification."""
    last_year: Integer | None = None
    """Uses of the last year. Published, not in the specification."""
    last_usage_date: Timestamp | None = None
    """Last use. Published, not in the specification."""


class Activity(Model):
    """Something that a customer did; the field named after `type` holds the details."""

    object: Literal["Activity"] = "Activity"
    """Resource type. Published, not in the specification."""
    vid: Identifier | None = None
    """Identifier assigned by the service. Published, not in the specification."""
    account: Ref[Account] | None = None
    """Account (reference). Published, not in the specification."""
    timestamp: Timestamp | None = None
    """When it happened. Published, not in the specification."""
    type: ActivityType | None = None
    """Kind of activity. Published, not in the specification."""
    cancellation_args: ActivityCancellation | None = None
    """Details of a cancellation. Published, not in the specification."""
    fulfillment_args: ActivityFulfillment | None = None
    """Details of a delivery. Published, not in the specification."""
    login_args: ActivityLogin | None = None
    """Details of a login. Published, not in the specification."""
    logout_args: ActivityLogout | None = None
    """Details of a logout. Published, not in the specification."""
    namedvalue_args: ActivityNamedValue | None = None
    """Details of a value. Published, not in the specification."""
    note_args: ActivityNote | None = None
    """Details of a remark. Published, not in the specification."""
    phone_args: ActivityPhone | None = None
    """Details of a call. Published, not in the specification."""
    uriview_args: ActivityURIView | None = None
    """Details of a view. Published, not in the specification."""
    usage_args: ActivityUsage | None = None
    """Details of use. Published, not in the specification."""
    created: Timestamp | None = None
    """When it was created, by the conventions of the billing API."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
