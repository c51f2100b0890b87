"""The private core: operation values, wire rules and the two drivers."""
