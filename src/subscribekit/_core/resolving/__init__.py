"""Resolving an unknown outcome: what to read, what it shows, and the verdict."""
