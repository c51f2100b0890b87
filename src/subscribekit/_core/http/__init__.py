"""The only folder that does network I/O: transports and connection pools, TLS, proxies, deadlines, bounded decoding."""
