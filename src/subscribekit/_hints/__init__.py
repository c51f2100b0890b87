"""Suggests the name that the caller probably meant if an attribute or an argument doesn't exist."""
