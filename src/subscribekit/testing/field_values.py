"""Creates random values for single fields, by the name and the type of the field."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeAlias

from ..models._scalars import (
    DateOrTimestamp,
    EpochMillis,
    Integer,
    JsonObject,
    Metadata,
    Money,
    Number,
    Quantity,
    TextLimit,
    Timestamp,
)

_YEAR_START = datetime(2025, 1, 1, tzinfo=UTC)
_FIRST_NAMES = ("Ada", "Ben", "Chloe", "Dev", "Elif", "Femi", "Gita", "Hugo", "Ines", "Jonas", "Kaya", "Liam")
_LAST_NAMES = ("Adams", "Berg", "Castro", "Dubois", "Eriksen", "Fischer", "Gupta", "Haddad", "Ito", "Jansen")
_CITIES = (("Redwood City", "94063"), ("Austin", "78701"), ("Portland", "97204"), ("Boise", "83702"))
# Card schemes reserve these card numbers for tests, so these cards can't be charged.
_TEST_CARDS = ("4111111111111111", "5555555555554444", "378282246310005")
_CURRENCIES = ("USD", "EUR", "GBP")


class Draw:
    """The random choices for a model and its nested models, such as the currency, the customer, and the city.

    Args:
        source: The random number generator.
        number: The serial number of the model, which makes the model's IDs unique in the sequence.
    """

    def __init__(self, source: random.Random, number: int) -> None:
        self.source: random.Random = source
        self.number: int = number
        self.currency: str = source.choice(_CURRENCIES)
        self.customer: str = f"{source.choice(_FIRST_NAMES)} {source.choice(_LAST_NAMES)}"
        self.city: str
        self.postal_code: str
        self.city, self.postal_code = source.choice(_CITIES)
        self.card: str = source.choice(_TEST_CARDS)
        self._vids: dict[str, str] = {}

    def digits(self, count: int) -> str:
        """Return a string of random digits."""
        return "".join(self.source.choices("0123456789", k=count))

    def vid(self) -> str:
        """Return a random `vid` of 40 hexadecimal digits, as in published samples."""
        return f"{self.source.getrandbits(160):040x}"

    def vid_of(self, kind: str) -> str:
        """Return the `vid` for this class, which is the same for the resource and for references to the resource."""
        return self._vids.setdefault(kind, self.vid())

    def amount(self) -> Decimal:
        """Return a random amount from 1.00 to 199.99, with two decimal places."""
        return Decimal(self.source.randint(100, 19_999)).scaleb(-2)

    def timestamp(self) -> datetime:
        """Return a random timestamp in 2025, in whole seconds."""
        return _YEAR_START + timedelta(seconds=self.source.randrange(360 * 24 * 3600))


Maker: TypeAlias = Callable[[Draw], object]


_MAKERS: dict[str, Maker] = {
    "ActivityNamedValue.name": lambda _: "example",
    "Campaign.name": lambda draw: f"Campaign {draw.number}",
    "PaymentProvider.name": lambda _: "Example Payments",
    "RatePlanTier.name": lambda _: "Tier 1",
    "TaxItem.name": lambda _: "Sales tax",
    "TransactionItem.name": lambda draw: f"Product {draw.number}",
    # Email addresses at example.com and 555 phone numbers can't belong to a real person.
    "email paypal_email dispute_email": lambda draw: f"customer-{draw.number:04d}@example.com",
    "name display_name account_holder receipt_name": lambda draw: draw.customer,
    "company": lambda draw: f"{draw.customer.split()[1]} & Co",
    "line1 street dispute_address": lambda draw: f"{draw.source.randint(1, 999)} Example Street",
    "city": lambda draw: draw.city,
    "postal_code": lambda draw: draw.postal_code,
    "country country_code country_of_issuance": lambda _: "US",
    "phone fax raw_input": lambda draw: f"+1 555 01{draw.digits(2)}",
    "area_code": lambda _: "555",
    "local_number": lambda draw: f"01{draw.digits(2)}",
    "src_phone_number dest_phone_number": lambda draw: f"+155501{draw.digits(2)}",
    "latitude": lambda draw: Decimal(draw.source.randint(-90_000, 90_000)).scaleb(-3),
    "longitude": lambda draw: Decimal(draw.source.randint(-180_000, 180_000)).scaleb(-3),
    "language preferred_notification_language": lambda _: "en",
    "ip source_ip": lambda draw: f"203.0.113.{draw.source.randint(1, 254)}",
    "source_mac_address": lambda draw: f"02:00:00:00:00:{draw.source.randint(16, 255):02x}",
    "user_agent": lambda _: "Mozilla/5.0",
    "last_digits": lambda draw: draw.card[-4:],
    "account": lambda draw: draw.card,
    "StorefrontMerchantAcceptedPayment.account card_number": lambda draw: "X" * (len(draw.card) - 4) + draw.card[-4:],
    "account_length": lambda draw: len(draw.card),
    "bin": lambda draw: draw.card[:6],
    "expiration_date": lambda draw: f"20{draw.source.randint(30, 39)}{draw.source.randint(1, 12):02d}",
    "expiration_month": lambda draw: f"{draw.source.randint(1, 12):02d}",
    "expiration_year": lambda draw: f"20{draw.source.randint(30, 39)}",
    "auth_code": lambda _: "100",
    "avs_code": lambda _: "X",
    "cvn_code": lambda _: "M",
    "validated": lambda _: "true",
    "payment_type": lambda _: "Cash",
    "description note": lambda draw: f"Made for a test, number {draw.number}",
    "billing_descriptor": lambda _: "EXAMPLE*SUBSCRIPTION",
    "tax_classification": lambda _: "TaxExempt",
    "uri url fwd_url return_url cancel_url redirect_url dispute_uri": lambda _: "https://www.example.com/",
    "promotion_code campaign_code": lambda draw: f"SAVE{draw.number:04d}",
    "coupon_code_separator": lambda _: "-",
    "times_to_run": lambda _: "unlimited",
    "repeat_every entitlements_valid_for": lambda _: "1 Month",
    "reason_code": lambda _: "1",
    "static_price_inc_sales_tax dynamic_target_price": lambda draw: str(draw.amount()),
    "name_singular name_plural": lambda _: "minutes",
    "percentage_discount": lambda draw: Decimal(draw.source.randint(1, 10) * 5),
    "discount balance begins_at_level": lambda _: Decimal("0.00"),
    "score": lambda draw: Decimal(draw.source.randint(0, 100)),
    "tax_rate": lambda draw: Decimal(draw.source.randint(0, 2_500)).scaleb(-2),
    "included_units": lambda draw: Decimal(draw.source.randint(0, 10) * 100),
    "quantity": lambda _: 1,
    "index index_number": lambda _: 0,
    "min_chargeback_probability": lambda draw: draw.source.randint(50, 100),
    "active primary": lambda _: True,
}
_BY_NAME = {name: make for names, make in _MAKERS.items() for name in names.split()}


def _text(draw: Draw, name: str, limit: TextLimit) -> str:
    if name.endswith("currency"):
        return draw.currency
    serial = f"-{draw.number:04d}"
    room = None if limit.max_length is None else max(limit.max_length - len(serial), 0)
    return (name.replace("_", "-")[:room] + serial)[: limit.max_length]


_BY_TYPE: dict[object, Maker] = {
    Money: Draw.amount,
    Number: Draw.amount,
    Integer: lambda draw: draw.source.randint(1, 12),
    Quantity: lambda draw: draw.source.randint(1, 500),
    Timestamp: Draw.timestamp,
    EpochMillis: Draw.timestamp,
    DateOrTimestamp: lambda draw: draw.timestamp().date(),
    Metadata: lambda draw: {"made_for": f"test {draw.number}"},
    bool: lambda draw: draw.source.random() < 0.5,
    JsonObject: lambda _: {},
}


def scalar(draw: Draw, name: str, annotation: object, limit: TextLimit | None) -> object:
    """Return a random value for a field whose type isn't a model.

    Args:
        draw: The random choices for the model.
        name: The class and the name of the field, such as `Account.email`.
        annotation: The type of the field, without `None`.
        limit: The length limit of a string; `None` for other types.
    """
    field = name.partition(".")[2]
    if field.endswith("_vid"):
        return draw.vid()
    maker = _BY_NAME.get(name) or _BY_NAME.get(field)
    made = maker(draw) if maker is not None else None
    if limit is not None:
        return made if isinstance(made, str) else _text(draw, field, limit)
    if made is None or isinstance(made, str):
        return _BY_TYPE[annotation](draw)
    return Decimal(made) if annotation in (Money, Number) and isinstance(made, int) else made
