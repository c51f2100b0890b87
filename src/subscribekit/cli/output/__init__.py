"""Output, and the end of a command."""
