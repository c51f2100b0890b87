"""The operations of all groups, asynchronous raw."""
