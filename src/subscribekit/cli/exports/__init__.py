"""Implements the commands `export` and `reconcile`, which read whole lists."""
