"""Implements the command `subscribekit call`: finds operations, parses arguments, and makes calls."""
