"""Tests of the in-process sandbox."""
