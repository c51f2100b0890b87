"""The base of all clients: options, life cycle, and the classes that send operations."""
