"""Compares the sandbox with the SDK's models, and both with a small model of the specification."""
