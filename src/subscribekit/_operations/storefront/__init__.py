"""The operations of the storefront."""
