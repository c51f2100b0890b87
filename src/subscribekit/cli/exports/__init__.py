"""Lists written to files."""
