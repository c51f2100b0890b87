"""Decodes the bodies of responses, and compresses the bodies of requests.

Unlike httpx, this decoder rejects an incomplete gzip stream, and limits the amount of decompressed data (H51, H52).
"""

import zlib
from io import BytesIO

from ..._sealed import Content, Sealed
from .headers import Headers

MAX_BODY = 10 * 1024 * 1024
"""The maximum size of a response body in bytes, both before and after decompression."""
_STEP = 64 * 1024


class TooLargeError(ValueError):
    """The body has more than `MAX_BODY` bytes."""


class DamagedBodyError(ValueError):
    """The content coding of the body is unknown, or the compressed data of the body is damaged or incomplete."""


class BodyDecoder:
    """Collects the pieces of a response body, and decompresses them.

    Attributes:
        received: The number of bytes that were received so far, before decompression.
    """

    __slots__ = ("_body", "_gzip", "received")

    def __init__(self, coding: str) -> None:
        coding = coding.strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip"):
            raise DamagedBodyError("the response has a content coding that the request didn't accept")
        self._gzip = zlib.decompressobj(31) if coding.endswith("gzip") else None
        # A list of pieces would need much more memory than BytesIO, because a piece may have only two bytes. Unlike a
        # bytearray, BytesIO returns its content without a copy.
        self._body = Sealed(BytesIO())
        self.received = 0

    def feed(self, piece: bytes) -> None:
        """Add a piece of the body, as it was received.

        Raises:
            TooLargeError: The body is larger than `MAX_BODY`.
            DamagedBodyError: The gzip data is damaged, or other data follows the gzip data.
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

    def _inflate(self, stream: "zlib._Decompress", piece: bytes) -> None:  # pyright: ignore[reportPrivateUsage]  # zlib has no public name for this class
        if stream.eof and piece:
            raise DamagedBodyError("data follows the end of the gzip stream")
        try:
            while data := stream.decompress(piece, _STEP):
                self._keep(data)
                piece = stream.unconsumed_tail
        except zlib.error:
            raise DamagedBodyError("the gzip stream is damaged") from None
        if stream.unused_data:
            raise DamagedBodyError("data follows the end of the gzip stream")

    def finish(self) -> bytes:
        """Return the whole body.

        Raises:
            DamagedBodyError: The gzip data is incomplete.
        """
        if self._gzip is not None and self.received and not self._gzip.eof:
            raise DamagedBodyError("the gzip stream is incomplete")
        return self._body.reveal().getvalue()


def compress(body: Content) -> bytes:
    """Compress a request body, so that every attempt sends the same compressed bytes."""
    return zlib.compress(body.reveal(), wbits=31)


def decoder_for(headers: Headers) -> BodyDecoder:
    """Return the decoder for the body of a response.

    Raises:
        DamagedBodyError: The headers mark the end of the body in two ways, so that two programs can read different
            responses (H58). The SDK also raises `DamagedBodyError` if the request didn't accept the content coding.
    """
    values = headers.by_name
    if "content-length" in values and "transfer-encoding" in values:
        raise DamagedBodyError("the response has both a Content-Length and a Transfer-Encoding header")
    return BodyDecoder(values.get("content-encoding", ""))
