"""What all clients share: options, life cycle, and how an operation becomes a method of either style."""
