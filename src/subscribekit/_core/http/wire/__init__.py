"""The layers of a connection: the socket, TLS, and the tunnel of a proxy."""
