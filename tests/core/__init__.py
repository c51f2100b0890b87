"""Tests of the foundation: the eleven operations, every rule of the wire, errors, lists, exact numbers."""
