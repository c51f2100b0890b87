"""Recognizes card and account numbers that the service masked. The SDK never sends masked numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias, cast

Test: TypeAlias = Callable[[str], bool]
"""A function that returns whether a number is masked."""

_IBAN = re.compile(r"[A-Z]{2}\d\d[A-Z0-9]{11,30}")


def is_masked(number: str) -> bool:
    """Return whether a card or bank account number is masked. The service replaces each digit with an `X`."""
    hidden = number.count("*") + number.upper().count("X")
    return hidden > 1 or (hidden == 1 and not _is_iban(number))


def _is_iban(text: str) -> bool:
    """Return whether a string is an IBAN with valid check digits (ISO 13616). An IBAN can contain an `X`."""
    plain = text.replace(" ", "").upper()
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def is_masked_but_for_the_end(account: str) -> bool:
    """Return whether a Merchant Accepted Payment's account is masked, except for up to four characters at the end."""
    return re.fullmatch(r"[Xx*]+.{0,4}", account) is not None


_TESTS: Final[dict[object, Test]] = {
    "CreditCard": is_masked,
    "DirectDebit": is_masked,
    "MerchantAcceptedPayment": is_masked_but_for_the_end,
}


def without_masked_numbers(value: object) -> object:
    """Return a copy of undocumented JSON without masked card and account numbers."""
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
