"""The billing API (group A)."""
