"""A signature must match the raw bytes exactly for one of the keys, and is never verified without a key (H112)."""

from __future__ import annotations

import base64
import hmac
import json
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subscribekit import webhooks
from subscribekit.errors import ConfigurationError, SubscribekitError

from .kit import KEY, OTHER_KEY, json_body, signed

BODY = json_body()
GOOD = signed(BODY)


def test_a_signature_is_base64_of_hmac_sha256_over_the_body() -> None:
    assert webhooks.sign(BODY, KEY) == GOOD
    # A fixed example from openssl, because signing and verifying could be wrong in the same way.
    assert webhooks.sign(b'{"header":{}}', "secret") == "FUafzK97e60lc9Iq7+BwIQQ0NljLUc3h3uq2M7x7E3M="
    assert webhooks.verify(BODY, GOOD, KEY) is None  # type: ignore[func-returns-value]  # `None` is part of the contract
    webhooks.verify(BODY, GOOD.encode(), KEY)


@given(body=st.binary(), key=st.text(min_size=1).filter(str.strip), other=st.text(min_size=1).filter(str.strip))
def test_only_the_signed_body_is_verified_and_only_with_its_key(body: bytes, key: str, other: str) -> None:
    signature = webhooks.sign(body, key)
    webhooks.verify(body, signature, key)
    webhooks.verify(bytearray(body), signature, [other, key])
    webhooks.verify(memoryview(body), signature, iter((key, other)))
    with pytest.raises(webhooks.WebhookSignatureError):
        webhooks.verify(body + b"\0", signature, key)
    # HMAC pads short keys with zeros, so two keys that differ only in trailing zeros are the same key.
    if other.rstrip("\0") != key.rstrip("\0") and len(other.encode()) <= 64 and len(key.encode()) <= 64:
        with pytest.raises(webhooks.WebhookSignatureError):
            webhooks.verify(body, signature, other)


@given(position=st.integers(0, len(BODY) * 8 - 1))
def test_a_change_of_one_bit_of_the_body_is_detected(position: int) -> None:
    changed = bytearray(BODY)
    changed[position // 8] ^= 1 << position % 8
    with pytest.raises(webhooks.WebhookSignatureError):
        webhooks.unwrap(changed, GOOD, KEY)


SPELLINGS: dict[str, Callable[[str], str | bytes | None]] = {
    "missing": lambda _: None,
    "empty": lambda _: "",
    "lower case": str.lower,
    "a space before": lambda good: f" {good}",
    "a line end after": lambda good: f"{good}\n",
    "without padding": lambda good: good.rstrip("="),
    "too much padding": lambda good: f"{good}=",
    "twice, as frameworks join repeated headers": lambda good: f"{good}, {good}",
    "hexadecimal": lambda good: base64.b64decode(good).hex(),
    "with an algorithm": lambda good: f"sha256={good}",
    "the other alphabet": lambda good: "-" + good[1:],
    "other bits under the padding": lambda good: good[:-2] + chr(ord(good[-2]) + 1) + "=",
    "full-width letters": lambda good: chr(ord(good[0]) + 0xFEE0) + good[1:],
    "no ASCII": lambda good: "\u00e9" * len(good),
    "a lone surrogate": lambda good: "\ud800" + good[1:],
    "bytes that are no text": lambda good: b"\xff" * len(good),
    "question marks, as which others are shown": lambda good: "?" * len(good),
    "long": lambda good: good * 100_000,
    "of nothing": lambda _: signed(b""),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_another_spelling_of_the_signature_is_refused(spelling: str) -> None:
    given = SPELLINGS[spelling](GOOD)
    for call in (webhooks.verify, webhooks.unwrap):
        with pytest.raises(webhooks.WebhookSignatureError) as caught:
            call(BODY, given, [KEY, OTHER_KEY])
        assert caught.value.outcome == "rejected"
        assert isinstance(caught.value, SubscribekitError)
        assert KEY not in str(caught.value)
        assert GOOD not in str(caught.value)


def test_the_error_says_whether_the_signature_is_missing_malformed_or_wrong() -> None:
    for signature, text in ((None, "missing"), ("abc", "malformed"), (signed(b"x"), "doesn't match")):
        with pytest.raises(webhooks.WebhookSignatureError, match=text):
            webhooks.verify(BODY, signature, KEY)


@pytest.mark.parametrize(
    "key",
    [
        "", " \t\n", [], (), iter(()), [KEY, ""], ["", KEY], [KEY, None], None, 7, True, b"bytes", [b"bytes"],
        bytearray(b"x"), {}, {"name": KEY}, [[KEY]], "\ud800", [KEY, "\udfff"],
    ],
    ids=lambda value: repr(value).partition(" at ")[0],
)  # fmt: skip
def test_nothing_is_verified_without_a_key(key: object) -> None:
    """A signature with the empty key isn't verified either, because anybody can create it."""
    for call in (webhooks.verify, webhooks.unwrap):
        for signature in (signed(BODY, ""), GOOD, None):
            with pytest.raises(ConfigurationError) as caught:
                call(BODY, signature, key)  # type: ignore[arg-type]  # the mistake is intended
            assert KEY not in str(caught.value)
    if not isinstance(key, list):
        with pytest.raises(ConfigurationError):
            webhooks.sign(BODY, key)  # type: ignore[arg-type]  # the mistake is intended


def test_sign_accepts_only_one_key() -> None:
    with pytest.raises(ConfigurationError, match="not list"):
        webhooks.sign(BODY, [KEY])  # type: ignore[arg-type]  # the mistake is intended


@pytest.mark.parametrize("key", ["schl\u00fcssel", "\u9375", "\U0001f511", "a\0b", "k" * 10_000])
def test_a_key_may_contain_any_characters(key: str) -> None:
    webhooks.verify(BODY, signed(BODY, key), key)
    webhooks.verify(BODY, webhooks.sign(BODY, key), [OTHER_KEY, key])


def test_the_error_mentions_white_space_around_a_key() -> None:
    with pytest.raises(webhooks.WebhookSignatureError, match="white space"):
        webhooks.verify(BODY, GOOD, f"{KEY}\n")
    webhooks.verify(BODY, GOOD, [f"{KEY}\n", KEY])


@pytest.mark.parametrize("body", [BODY.decode(), None, json.loads(BODY), [1], 7], ids=lambda body: type(body).__name__)
def test_a_body_that_is_not_bytes_raises_type_error(body: object) -> None:
    calls: list[Callable[[], object]] = [
        lambda: webhooks.verify(body, GOOD, KEY),  # type: ignore[arg-type]  # the mistake is intended
        lambda: webhooks.unwrap(body, GOOD, KEY),  # type: ignore[arg-type]  # the mistake is intended
        lambda: webhooks.sign(body, KEY),  # type: ignore[arg-type]  # the mistake is intended
    ]
    for call in calls:
        with pytest.raises(TypeError, match="raw bytes"):
            call()


@pytest.mark.parametrize("signature", [7, [GOOD], object()], ids=lambda value: repr(value).partition(" at ")[0])
def test_a_signature_that_is_not_text_is_refused(signature: object) -> None:
    with pytest.raises((TypeError, webhooks.WebhookSignatureError)):
        webhooks.verify(BODY, signature, KEY)  # type: ignore[arg-type]  # the mistake is intended


def test_every_key_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bool] = []
    original = hmac.compare_digest

    def counted(one: bytes, other: bytes) -> bool:
        compared.append(original(one, other))
        return compared[-1]

    monkeypatch.setattr(hmac, "compare_digest", counted)
    webhooks.verify(BODY, GOOD, [KEY, OTHER_KEY, "third"])
    assert compared == [True, False, False]


def test_webhooks_are_imported_only_on_demand_and_without_large_libraries() -> None:
    import subprocess

    code = (
        "import sys, subscribekit; assert not any('webhooks' in name for name in sys.modules)\n"
        "from subscribekit import webhooks\n"
        "print(sorted({'httpx', 'httpcore', 'pydantic', 'tenacity', 'sqlite3', 'asyncio', 'ssl'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
