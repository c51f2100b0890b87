"""The operations of the gateway."""
