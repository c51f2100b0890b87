"""The table of fields with their types. `test_models_typed_fields.py` tests each row with the values of its type.

A field in this table needs no row in another table of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Kind:
    """The type of a field, as values.

    Attributes:
        accepted: Values that a new model accepts.
        refused: Values that a new model refuses.
        read: Values in a response, each with the value that the model then has.
        unsendable: Values that a response can contain but a request can't, each with a part of the error.
        alias: The public name of an enumeration.
        values: The documented values of an enumeration.
    """

    accepted: tuple[object, ...]
    refused: tuple[object, ...]
    read: tuple[tuple[object, object], ...]
    unsendable: tuple[tuple[object, str], ...] = ()
    alias: str = ""
    values: tuple[str, ...] = ()


def text(limit: int = 1024) -> Kind:
    """Return the type of a string with at most `limit` characters."""
    full, long = "é" * limit, "x" * (limit + 1)
    return Kind(
        accepted=("x", full),
        refused=(long, 5, True, ["x"]),
        read=(("x", "x"), (17, "17"), (long, long)),
        unsendable=((long, f"at most {limit} characters"),),
    )


def one_of(alias: str, *values: str, limit: int | None = 1024) -> Kind:
    """Return the type of an enumerated field, from its public name, its documented values, and the limit of others."""
    new = "a value of tomorrow"
    others = text(limit) if limit else Kind((), (5, True, ["x"]), ())
    return Kind(
        accepted=(*values, new),
        refused=others.refused,
        read=tuple((value, value) for value in (*values, new)),
        unsendable=others.unsendable,
        alias=alias,
        values=values,
    )


BOOLEAN = Kind(
    accepted=(True, False),
    refused=("Yes", "true", 1, 0),
    read=((True, True), (False, False), (1, True), (0, False), ("1", True), ("0", False), ("Yes", True), ("No", False)),
)
INTEGER = Kind(
    accepted=(0, 22, -1),
    refused=("22", True, 1.5, Decimal("1.5")),
    read=((22, 22), ("22", 22), (Decimal("22.0"), 22)),
)
AMOUNT = Kind(
    accepted=(Decimal("1.10"), Decimal("-0.01"), Decimal(5)),
    refused=("1.10", 1.1, True, Decimal("NaN"), 10**28),
    read=((Decimal("1.10"), Decimal("1.10")), ("1.10", Decimal("1.10")), (5, Decimal(5))),
    unsendable=((Decimal("0." + "1" * 29), "at most 28 digits"),),
)
TIMESTAMP = Kind(
    accepted=(NOW,),
    refused=(datetime(2030, 1, 1), "2030-01-01T00:00:00Z", 1893456000),  # noqa: DTZ001 - a time without a time zone
    read=(("2030-01-01T00:00:00Z", NOW), ("2029-12-31T17:00:00-07:00", NOW), ("2030-01-01", NOW)),
)

# Wire names, in the order of the class. In the class, these fields follow the fields that `models_specification.py`
# lists, and precede the fields that exist by convention, such as `url`.
TYPED: dict[str, dict[str, Kind]] = {
    "BillingPlanPeriod": {"do_not_notify_first_bill": BOOLEAN, "expire_warning_days": INTEGER},
    "PartnerSubscription": {
        "id": text(50),
        "organizationId": text(50),
        "partnerCode": text(15),
        "createdDate": TIMESTAMP,
        "updatedDate": TIMESTAMP,
        "type": one_of("PartnerSubscriptionType", "BILLING", "ENTITLEMENT", limit=None),
        "partnerCustomerId": text(50),
        "billingPaymentMethod": text(15),
        "billingStatus": one_of("BillingStatus", "CANCELLED", limit=50),
    },
    "SubscriptionItem": {"campaign_code": text()},
    "SubscriptionPolicy": {
        "ignore_cvn_policy": BOOLEAN,
        "ignore_avs_policy": BOOLEAN,
        "min_chargeback_probability": INTEGER,
        "immediate_auth_failure_policy": one_of(
            "ImmediateAuthFailurePolicy",
            "doNotSaveAutoBill",
            "putAutoBillInRetryCycle",
            "putAutoBillInRetryCycleIfPaymentMethodIsValid",
        ),
        "validate_for_future_payment": BOOLEAN,
    },
    "TaxItem": {
        "jurisdiction": text(),
        "name": text(),
        "amount": AMOUNT,
        "external_tax_name": text(),
        "external_jurisdiction_name": text(),
        "tax_rate": AMOUNT,
    },
}


def rows() -> Iterator[tuple[str, str, Kind]]:
    """Yield the model, the wire name, and the type of each row."""
    for model, fields in TYPED.items():
        for wire, kind in fields.items():
            yield model, wire, kind
