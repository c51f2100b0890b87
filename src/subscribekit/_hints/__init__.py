"""Hints: the name that was probably meant, for an attribute or an argument that does not exist."""
