"""The operations of all groups, blocking."""
