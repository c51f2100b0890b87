"""Bodies: bounded and complete when received, compressed on request when sent.

httpx accepts a gzip stream without its end and decompresses without a bound (H51, H52); this decoder does neither.
"""

import gzip
import zlib

MAX_BODY = 10 * 1024 * 1024
"""Bytes of an answer that are read, before and after decompression."""


class TooLargeError(ValueError):
    """The body has more than `MAX_BODY` bytes."""


class DamagedBodyError(ValueError):
    """The body's content coding is unknown, or its stream is broken or not complete."""


class BodyDecoder:
    """Collects the pieces of one body and undoes its content coding."""

    __slots__ = ("_gzip", "_pieces", "_received", "_size")

    def __init__(self, coding: str) -> None:
        coding = coding.strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip"):
            raise DamagedBodyError("the answer has a content coding that was not asked for")
        self._gzip = zlib.decompressobj(31) if coding.endswith("gzip") else None
        self._pieces: list[bytes] = []
        self._size = self._received = 0

    def feed(self, piece: bytes) -> None:
        """Take one piece as it came from the network.

        Raises:
            TooLargeError: The body is larger than `MAX_BODY`.
            DamagedBodyError: The gzip stream is broken, or something follows its end.
        """
        self._received += len(piece)
        if self._received > MAX_BODY:
            raise TooLargeError
        piece = self._inflate(piece)
        self._size += len(piece)
        if self._size > MAX_BODY:
            raise TooLargeError
        self._pieces.append(piece)

    def _inflate(self, piece: bytes) -> bytes:
        stream = self._gzip
        if stream is None:
            return piece
        if stream.eof and piece:
            raise DamagedBodyError("something follows the end of the gzip stream")
        try:
            data = stream.decompress(piece, MAX_BODY - self._size + 1)
        except zlib.error:
            raise DamagedBodyError("the gzip stream is broken") from None
        if stream.unused_data:
            raise DamagedBodyError("something follows the end of the gzip stream")
        return data

    def finish(self) -> bytes:
        """Give the whole body.

        Raises:
            DamagedBodyError: The gzip stream has no end.
        """
        if self._gzip is not None and self._received and not self._gzip.eof:
            raise DamagedBodyError("the gzip stream is not complete")
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)


def compress(body: bytes) -> bytes:
    """Compress a request body; the same bytes on every attempt."""
    return gzip.compress(body, mtime=0)
