"""One connection of bytes: the socket, TLS and the tunnel of a proxy."""
