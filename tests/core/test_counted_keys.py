"""`decode_response` parses exactly like `decode`, and accepts the same numbers as `check_numbers` (H54)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subscribekit import _json
from subscribekit._json import JSON, DamagedJSONError, check_numbers, decode, decode_response

SPACES = st.sampled_from(["", "", " ", "\n\t"])
LETTERS = st.sampled_from(["a", "b", '"', "\\", ":", ",", "{", "é", "\x00"])
ESCAPED = LETTERS.map(lambda letter: json.dumps(letter)[1:-1])
CODED = LETTERS.map(lambda letter: f"\\u{ord(letter):04x}")
TEXTS = st.lists(ESCAPED | CODED, max_size=3).map(lambda parts: f'"{"".join(parts)}"')
NUMBERS = st.sampled_from(["0", "-1", "19.90", "1e60", "1e61", "1E-61", "0e999", "12.5e-3"])


def _array(items: Sequence[str], space: str) -> str:
    return f"[{space}{f'{space},{space}'.join(items)}{space}]"


def _object(pairs: Sequence[tuple[str, str]], space: str) -> str:
    written = [f"{key}{space}:{space}{value}" for key, value in pairs]
    return f"{{{space}{f'{space},{space}'.join(written)}{space}}}"


DOCUMENTS = st.recursive(
    TEXTS | NUMBERS | st.sampled_from(["null", "true", "false"]),
    lambda inner: (
        st.builds(_array, st.lists(inner, max_size=4), SPACES)
        | st.builds(_object, st.lists(st.tuples(TEXTS, inner), max_size=4), SPACES)
    ),
    max_leaves=12,
)


def _exactly(data: bytes) -> tuple[JSON, bool] | None:
    try:
        value = decode(data)
    except DamagedJSONError:
        return None
    try:
        check_numbers(value)
    except DamagedJSONError:
        return value, False
    return value, True


def _counted(data: bytes) -> tuple[JSON, bool] | None:
    try:
        return decode_response(data)
    except DamagedJSONError:
        return None


@given(DOCUMENTS)
@example('{"a":1,"a":1}')
@example('{"a":{"b":1},"\\u0061":2}')
@example('{"a":"\\"","a":"\\""}')
@example('[{"a":1},{"a":1}]')
@example('{"":"","":""}')
@example('{"a":[{"b":"\\u0022","b":1}]}')
def test_a_response_is_accepted_exactly_if_the_exact_check_accepts_it(text: str) -> None:
    assert repr(_counted(text.encode())) == repr(_exactly(text.encode()))


@given(
    DOCUMENTS,
    st.lists(st.tuples(st.integers(0, 200), st.sampled_from([b'"', b"\\", b":", b",", b"{", b"}", b""])), max_size=3),
)
def test_a_damaged_response_is_refused_exactly_if_the_exact_check_refuses_it(
    text: str, changes: list[tuple[int, bytes]]
) -> None:
    data = text.encode()
    for place, new in changes:
        data = data[:place] + new + data[place + 1 :]
    assert repr(_counted(data)) == repr(_exactly(data))


@pytest.mark.parametrize(
    ("text", "exact_checks"),
    [('{"a": "b", "c": [1.5, {"d": "e"}]}', 0), ('{"a": "\\u0022"}', 0), ('{"a": "\\""}', 1), ('{"a": 1, "a": 2}', 1)],
)
def test_only_texts_with_quotes_and_duplicate_keys_need_the_exact_check(
    text: str, exact_checks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []

    def recording_decode(data: bytes) -> JSON:
        seen.append(data)
        return decode(data)

    monkeypatch.setattr(_json, "decode", recording_decode)
    _counted(text.encode())
    assert len(seen) == exact_checks


def test_a_number_out_of_range_is_reported_wherever_it_stands() -> None:
    assert decode_response(b'{"a": [{"b": 1e61}, "c"]}') == ({"a": [{"b": Decimal("1e61")}, "c"]}, False)
    assert decode_response(b'{"a": [{"b": 1e60}, "c"]}')[1]
