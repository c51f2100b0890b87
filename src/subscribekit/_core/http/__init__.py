"""All network I/O of the SDK: transports, connection pools, TLS, proxies, deadlines, and the decoding of bodies."""
