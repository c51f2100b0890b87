"""The operations of all groups, planned."""
