"""Writes the output of commands, and determines their exit codes."""
