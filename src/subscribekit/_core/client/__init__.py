"""Base classes of the clients and their resources, and the options of clients."""
