"""More mistakes of a first hour, and of the first day with bulk runs, files and the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import subscribekit
import subscribekit.models
from subscribekit._articles import with_article

PACKAGE = Path(subscribekit.__file__).parent


# Words


@pytest.mark.parametrize(
    "phrase",
    [
        "an Account", "an EntitlementCharge", "an int", "an AsyncPager", "an object", "an Observer", "an Invoice",
        "an Unset", "an UnexpectedRedirectError", "an SSLContext", "an HTTPError", "an APIError",
        "a Subscription", "a UserMgmtClient", "a UserNotFoundError", "a UnicodeError", "a URL", "a UUID", "a str",
        "a NoneType", "a Refund", "a float", "a list", "a Session", "a MerchantAcceptedPayment", "a u", "a ",
    ],
)  # fmt: skip
def test_a_name_has_the_article_of_its_sound(phrase: str) -> None:
    assert with_article(phrase.partition(" ")[2]) == phrase


def test_every_model_has_the_article_of_its_first_letter() -> None:
    for name in subscribekit.models.__all__:
        assert with_article(name).startswith("an " if name[0] in "AEIOaeio" else "a ")


def test_no_sentence_guesses_an_article() -> None:
    """What follows an article in a sentence that is filled in goes through `with_article`."""
    guessed = [
        f"{path.relative_to(PACKAGE)}: {found}"
        for path in PACKAGE.rglob("*.py")
        for found in re.findall(r"\b[Aa]n? (?:\"\s+f\")?\{[^}]*\}", path.read_text(encoding="utf-8"))
    ]
    assert guessed == []
