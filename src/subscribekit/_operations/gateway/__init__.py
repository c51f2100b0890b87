"""The operations of the gateway (group B)."""
