"""One layer of TLS as bytes in and out. No I/O."""

import ssl
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class TLSLayer:
    """The client's side of one TLS connection.

    Attributes:
        tls: The connection.
        is_closed: The other side has said that nothing follows, with `close_notify`; an end without it may be a cut.
    """

    __slots__ = ("_received", "_to_send", "is_closed", "tls")

    def __init__(self, context: ssl.SSLContext, host: str) -> None:
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.is_closed: bool = False
        self.tls: ssl.SSLObject = context.wrap_bio(self._received, self._to_send, server_hostname=host)

    def attempt(self, act: Callable[[], T]) -> T | None:
        """Do a step; `None` when the other side must say something first. In any case there may be bytes to send then.

        Raises:
            SSLError: The step failed.
        """
        try:
            return act()
        except ssl.SSLWantReadError:
            return None

    def read(self, size: int) -> bytes:
        """Do the step that reads; nothing at the end, announced or not, as with sockets of the standard library."""
        try:
            data = self.tls.read(size)
        except ssl.SSLZeroReturnError:
            data = b""
        except ssl.SSLEOFError:
            return b""
        self.is_closed = not data
        return data

    def shake_hands(self) -> bool:
        """Do the step of the handshake."""
        self.tls.do_handshake()
        return True

    def receive(self, data: bytes) -> None:
        """Take what came; no bytes mean the end."""
        if data:
            self._received.write(data)
        else:
            self._received.write_eof()

    @property
    def holds_bytes(self) -> bool:
        """Whether more was received than was read: whole records, decrypted or not, or a part of one (H190)."""
        return self._received.pending > 0 or self.tls.pending() > 0

    def to_send(self) -> bytes:
        """Give what has to be sent."""
        return self._to_send.read()
