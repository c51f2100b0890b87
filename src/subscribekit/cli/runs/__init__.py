"""Bulk runs without a program."""
