"""Card and account numbers that the service has masked. They come in responses, and the SDK never sends them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias, cast

Test: TypeAlias = Callable[[str], bool]
"""Whether a number is masked."""

_IBAN = re.compile(r"[A-Z]{2}\d\d[A-Z0-9]{11,30}")


def is_masked(number: str) -> bool:
    """Tell whether the number of a card or of a bank account is masked. The service writes an `X` for each digit."""
    hidden = number.count("*") + number.upper().count("X")
    return hidden > 1 or (hidden == 1 and not _is_iban(number))


def _is_iban(text: str) -> bool:
    """Check an IBAN by its check digits (ISO 13616). Its bank code may have an `X`: NL53 FXBB 0123 4567 89."""
    plain = text.replace(" ", "").upper()
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def is_masked_but_for_the_end(account: str) -> bool:
    """Tell whether a merchant's account is masked: the service shows the last four characters, which may be letters."""
    return re.fullmatch(r"[Xx*]+.{0,4}", account) is not None


_TESTS: Final[dict[object, Test]] = {
    "CreditCard": is_masked,
    "DirectDebit": is_masked,
    "MerchantAcceptedPayment": is_masked_but_for_the_end,
}


def without_masked_numbers(value: object) -> object:
    """Leave masked numbers out of JSON that the models don't know."""
    if isinstance(value, dict):
        fields = cast("dict[object, object]", value)
        test, account = _TESTS.get(fields.get("object")), fields.get("account")
        is_hidden = test is not None and isinstance(account, str) and test(account)
        return {
            name: without_masked_numbers(content)
            for name, content in fields.items()
            if not (is_hidden and name == "account")
        }
    if isinstance(value, list):
        return [without_masked_numbers(each) for each in cast("list[object]", value)]
    return value
