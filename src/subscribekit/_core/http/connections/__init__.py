"""The package's own connections: pools, sockets, TLS, proxies, and whose turn it is."""
