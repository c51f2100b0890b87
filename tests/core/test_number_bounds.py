"""The largest and smallest numbers are sent with all their digits, and numbers beyond these bounds are refused."""

from __future__ import annotations

from decimal import Decimal

import pytest

from subscribekit._json import encode, encode_stored

PLAIN = {
    "1E+60": "1" + "0" * 60,
    "-1E+60": "-1" + "0" * 60,
    "1E-60": "0." + "0" * 59 + "1",
    "1E-59": "0." + "0" * 58 + "1",
}


@pytest.mark.parametrize("text", PLAIN)
def test_a_number_at_the_bound_is_sent_in_plain_notation(text: str) -> None:
    assert encode(Decimal(text)) == PLAIN[text].encode()
    assert encode_stored(Decimal(text)) == PLAIN[text].encode()


@pytest.mark.parametrize("text", ["1E+61", "-1E+61", "1E-61", "-9.9E-61"])
def test_a_number_beyond_the_bound_is_refused_and_is_stored_with_its_exponent(text: str) -> None:
    with pytest.raises(ValueError, match="at most 28 digits"):
        encode(Decimal(text))
    assert encode_stored(Decimal(text)) == text.encode()


@pytest.mark.parametrize("digits", [28, 29])
def test_a_number_has_at_most_28_digits(digits: int) -> None:
    number = Decimal("1." + "0" * (digits - 2) + "1")
    if digits == 28:
        assert encode(number) == str(number).encode()
    else:
        with pytest.raises(ValueError, match="at most 28 digits"):
            encode(number)
