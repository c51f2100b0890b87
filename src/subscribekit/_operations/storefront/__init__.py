"""The operations of the storefront (group D)."""
