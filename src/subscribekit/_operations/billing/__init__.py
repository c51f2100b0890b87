"""The operations of the billing API (group A)."""
