"""A response body needs memory for one buffer, however small the pieces are in which it arrives."""

from __future__ import annotations

import tracemalloc
import zlib

import pytest

from subscribekit._core.http.decoding import MAX_BODY, DamagedBodyError, TooLargeError, decoder_for
from subscribekit._core.http.headers import Headers

SIZE = 1_000_000


def peak_of(headers: Headers, body: bytes, size: int) -> int:
    """Decode a body in pieces, check that the result is complete, and return the peak memory use."""
    pieces = memoryview(body)
    tracemalloc.start()
    try:
        decoder = decoder_for(headers)
        for start in range(0, len(body), size):
            decoder.feed(bytes(pieces[start : start + size]))
        assert len(decoder.finish()) == SIZE
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [2, 100_000])
def test_a_body_in_small_pieces_needs_bounded_memory(size: int) -> None:
    assert peak_of(Headers(), b"x" * SIZE, size) < 3.5 * SIZE


def test_a_compressed_body_in_small_pieces_needs_bounded_memory() -> None:
    compressed = zlib.compress(bytes(range(256)) * (SIZE // 256) + b"x" * (SIZE % 256), wbits=31)
    assert peak_of(Headers([("Content-Encoding", "gzip")]), compressed, 2) < 3.5 * SIZE


def test_a_body_over_the_limit_is_refused_piece_by_piece() -> None:
    decoder = decoder_for(Headers())
    decoder.feed(b"x" * MAX_BODY)
    with pytest.raises(TooLargeError):
        decoder.feed(b"x")


@pytest.mark.parametrize("at_once", [True, False])
def test_bytes_after_a_gzip_stream_are_refused(at_once: bool) -> None:
    whole = zlib.compress(b"{}", wbits=31)
    decoder = decoder_for(Headers([("Content-Encoding", "gzip")]))
    if not at_once:
        decoder.feed(whole)
    with pytest.raises(DamagedBodyError, match="data follows the end of the gzip stream"):
        decoder.feed(whole + b"x" if at_once else b"x")
