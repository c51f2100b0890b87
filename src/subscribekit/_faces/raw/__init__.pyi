"""The operations of all groups, raw."""
