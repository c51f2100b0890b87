"""Tests of lists as tables."""
