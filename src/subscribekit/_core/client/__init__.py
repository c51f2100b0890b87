"""The base of all clients: options, life cycle, and how an operation becomes a method of either style."""
