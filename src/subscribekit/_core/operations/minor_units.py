"""Checks that amounts have no more decimal places than their currency has in ISO 4217."""

from collections.abc import Iterator
from decimal import Decimal

from ..._decimals import own_context
from ..._json import JSON, DamagedJSONError, decode

_CODES = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW "
    "CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR "
    "ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV "
    "MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD "
    "SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
MINOR_UNITS = {code: digits for digits, codes in _CODES.items() for code in codes.split()}
"""Number of decimal places by currency code, from ISO 4217, list one, as of January 2026."""

_AMOUNTS = frozenset({
    "amount", "discount", "original_amount", "price", "subtotal", "tax", "tax_amount", "taxAmount", "total",
})  # fmt: skip
"""Wire names of the fields that contain amounts in units of the currency."""
_EXACT = own_context(200)


def too_exact(body: bytes) -> str | None:
    """Describe the first amount that has more decimal places than its currency, or return `None`.

    The currency of an amount is the `currency` of the same object, or else of an enclosing object. The check skips an
    amount without a currency, or with a currency that ISO 4217 doesn't list. The check ignores trailing zeros. The
    check multiplies a `price` by the `quantity` in the same object. The check skips `rate_price`, because a price for
    usage is often smaller than the smallest coin.
    """
    try:
        value = decode(body)
    except DamagedJSONError:
        return "the amounts can't be checked, because the body is nested too deeply"
    return next(_faults(value, "", None), None)


def _faults(value: JSON, place: str, currency: str | None) -> Iterator[str]:
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from _faults(each, f"{place}[{number}]", currency)
    if not isinstance(value, dict):
        return
    own = value.get("currency")
    if isinstance(own, str):
        currency = own.upper()
    elif "token" in value:
        currency = None  # this object's amount counts tokens, not money
    for name, each in value.items():
        here = f"{place}.{name}" if place else name
        if currency in MINOR_UNITS and name in _AMOUNTS and isinstance(each, Decimal):
            counted = value.get("quantity") if name == "price" else None
            digits = _digits(each, counted if isinstance(counted, int | Decimal) else 1)
            if digits > MINOR_UNITS[currency]:
                yield f"{here} has {digits} decimal places, but {currency} has {MINOR_UNITS[currency]}"
        elif name != "rate_price":
            yield from _faults(each, here, currency)


def _digits(amount: Decimal, quantity: int | Decimal) -> int:
    exponent = _EXACT.normalize(_EXACT.multiply(amount, quantity)).as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0
