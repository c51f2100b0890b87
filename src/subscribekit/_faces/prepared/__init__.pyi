"""The operations of all groups, prepared."""
