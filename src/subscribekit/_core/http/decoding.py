"""Bodies: bounded and complete when received, compressed on request when sent.

httpx accepts a gzip stream without its end and decompresses without a bound (H51, H52); this decoder does neither.
"""

import zlib
from io import BytesIO

from ..._sealed import Content, Sealed
from .headers import Headers

MAX_BODY = 10 * 1024 * 1024
"""Bytes of a response that are read, before and after decompression."""
_STEP = 64 * 1024


class TooLargeError(ValueError):
    """The body has more than `MAX_BODY` bytes."""


class DamagedBodyError(ValueError):
    """The body's content coding is unknown, or its stream is broken or not complete."""


class BodyDecoder:
    """Collects the pieces of one body and undoes its content coding.

    Attributes:
        received: Bytes that were taken so far, before decompression.
    """

    __slots__ = ("_body", "_gzip", "received")

    def __init__(self, coding: str) -> None:
        coding = coding.strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip"):
            raise DamagedBodyError("has a content coding that was not asked for")
        self._gzip = zlib.decompressobj(31) if coding.endswith("gzip") else None
        # One buffer: a piece may have two bytes, and an object for each costs sixteen times that. Unlike a bytearray,
        # BytesIO returns its content without a copy.
        self._body = Sealed(BytesIO())
        self.received = 0

    def feed(self, piece: bytes) -> None:
        """Take one piece as it came from the network.

        Raises:
            TooLargeError: The body is larger than `MAX_BODY`.
            DamagedBodyError: The gzip stream is broken, or something follows its end.
        """
        self.received += len(piece)
        if self.received > MAX_BODY:
            raise TooLargeError
        if self._gzip is None:
            self._body.reveal().write(piece)
        else:
            self._inflate(self._gzip, piece)

    def _keep(self, piece: bytes) -> None:
        self._body.reveal().write(piece)
        if self._body.reveal().tell() > MAX_BODY:
            raise TooLargeError

    def _inflate(self, stream: "zlib._Decompress", piece: bytes) -> None:  # pyright: ignore[reportPrivateUsage]  # the only name that zlib has for it
        if stream.eof and piece:
            raise DamagedBodyError("has something behind the end of its gzip stream")
        try:
            while data := stream.decompress(piece, _STEP):
                self._keep(data)
                piece = stream.unconsumed_tail
        except zlib.error:
            raise DamagedBodyError("has a broken gzip stream") from None
        if stream.unused_data:
            raise DamagedBodyError("has something behind the end of its gzip stream")

    def finish(self) -> bytes:
        """Give the whole body.

        Raises:
            DamagedBodyError: The gzip stream has no end.
        """
        if self._gzip is not None and self.received and not self._gzip.eof:
            raise DamagedBodyError("has a gzip stream without its end")
        return self._body.reveal().getvalue()


def compress(body: Content) -> bytes:
    """Compress a request body; the same bytes on every attempt."""
    return zlib.compress(body.reveal(), wbits=31)


def decoder_for(headers: Headers) -> BodyDecoder:
    """Make the decoder for a response's body.

    Raises:
        DamagedBodyError: The body is framed in two ways, so that two readers may see two responses (H58), or its
            content coding was not asked for.
    """
    values = headers.by_name
    if "content-length" in values and "transfer-encoding" in values:
        raise DamagedBodyError("has both a length and chunks")
    return BodyDecoder(values.get("content-encoding", ""))
