"""Tests of the core: the eleven operations, the rules for requests and responses, errors, lists, and exact numbers."""
